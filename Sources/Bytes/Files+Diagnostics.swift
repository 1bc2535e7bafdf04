package import Diagnostics

extension Diagnostic.Code {
  package static let storeLocked = Diagnostic.Code("store.locked", .locked)
  package static let environmentFolder = Diagnostic.Code("environment.folder", .environment)
  package static let environmentPermission = Diagnostic.Code("environment.permission", .environment)
  package static let environmentNoSpace = Diagnostic.Code("environment.no-space", .environment)
  package static let environmentExists = Diagnostic.Code("environment.exists", .environment)
  package static let environmentFile = Diagnostic.Code("environment.file", .environment)
}

extension Diagnostic {
  static func storeLocked(_ store: String, lock: String, holder: Holder?) -> Diagnostic {
    let who = holder.map { "process \($0.process), for \($0.age) s" } ?? "a process that just began"
    return Diagnostic(
      .storeLocked, "another run holds the lock of \(store) (\(who))",
      hint:
        "Wait for its end and start again. The lock is on \(lock) and ends with its process: do not remove the file.")
  }

  package static func folderMissing(_ folder: String) -> Diagnostic {
    Diagnostic(
      .environmentFolder, "there is no folder \(folder)", hint: "Make it, e.g. with `mkdir -p`, or name another.")
  }

  static func folderIsFile(_ folder: String) -> Diagnostic {
    Diagnostic(.environmentFolder, "expected a folder, found a file: \(folder)", hint: "Name another folder.")
  }

  static func linkToNothing(_ path: String) -> Diagnostic {
    Diagnostic(
      .environmentFile, "\(path) is a link to a file that is not there",
      hint: "Make what it leads to, e.g. mount its disk, or remove the link.")
  }

  static func nameTooLong(_ path: String, longest: Int) -> Diagnostic {
    let name = FileSystem.name(of: path)
    return Diagnostic(
      .environmentFile, "the name \(name.prefix(40))… has \(name.utf8.count) bytes, expected \(longest) at most",
      hint: "Files beside it have longer names. Choose a shorter one.")
  }

  /// What failed, and why, in the system's words.
  static func environment(_ what: String, _ error: SystemError, path: String) -> Diagnostic {
    if error.isMissing, FileSystem.kind(of: FileSystem.folder(of: path)) != .folder {
      return .folderMissing(FileSystem.folder(of: path))
    }
    if error.isDenied {
      return Diagnostic(
        .environmentPermission, "\(what): \(error)",
        hint: "Allow writing in \(FileSystem.folder(of: path)), or run as another user.")
    }
    if error.isNoSpace {
      return Diagnostic(.environmentNoSpace, "\(what): \(error)", hint: "Free some space, then start again.")
    }
    if error.isExisting {
      return Diagnostic(.environmentExists, "\(what): it exists already", hint: "Remove it first, or name another.")
    }
    return Diagnostic(
      .environmentFile, "\(what): \(error)", hint: "Look at \(path) and its disk, then start again.")
  }
}
