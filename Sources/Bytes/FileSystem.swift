#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif
package import Diagnostics

/// Operations on files that hold across a crash: what they report as done is on the disk.
package enum FileSystem {
  /// What a path leads to.
  package enum Kind: Sendable {
    case file, folder, other
  }

  /// What a path leads to, links followed; nil for nothing.
  package static func kind(of path: String) -> Kind? {
    guard let status = try? FileStatus(path) else { return nil }
    return switch status.kind {
    case .regular: .file
    case .folder: .folder
    case .other: .other
    }
  }

  /// Whether a path leads to anything.
  package static func exists(_ path: String) -> Bool { kind(of: path) != nil }

  /// Waits until a file is on the disk as it is now.
  package static func sync(_ path: String) throws(Diagnostic) {
    do throws(SystemError) {
      try FileDescriptor(path, .read).sync()
    } catch {
      throw .environment("\(path) cannot be brought to the disk", error, path: path)
    }
  }

  /// Lets the system bring all that was written by anybody to the disk, errors untold.
  ///
  /// Many files are synced soon behind it, which one by one would each wait for the disk.
  package static func syncEverything() {
    #if canImport(Glibc)
      Glibc.sync()
    #else
      Darwin.sync()
    #endif
  }

  /// Waits until the names in the folder of a file are on the disk as they are now.
  package static func syncFolder(of path: String) throws(Diagnostic) { try sync(folder(of: path)) }

  /// Gives a file another name in one step, on the disk when it returns.
  ///
  /// The file itself is synced before, so that the new name never leads to half of it.
  ///
  /// - Parameter replacing: whether a file of the new name is replaced. The default is no: it is an error then.
  package static func rename(
    from source: String, to target: String, replacing: Bool = false
  ) throws(Diagnostic) {
    try sync(source)
    do throws(SystemError) {
      if replacing {
        try move(source, over: target)
      } else {
        try move(source, toUnused: target)
      }
    } catch {
      throw .environment("\(source) cannot be renamed to \(target)", error, path: target)
    }
    try syncFolder(of: target)
    if folder(of: source) != folder(of: target) { try syncFolder(of: source) }
  }

  private static func move(_ source: String, over target: String) throws(SystemError) {
    #if canImport(Glibc)
      try retrying { Glibc.rename(source, target) }
    #else
      try retrying { Darwin.rename(source, target) }
    #endif
  }

  static func move(_ source: String, toUnused target: String) throws(SystemError) {
    do throws(SystemError) {
      try retrying { link(source, target) }
      try retrying { unlink(source) }
    } catch {
      guard error.isWithoutLinks else { throw error }
      // There a name can only be looked for; who moves a store holds its lock.
      guard !exists(target) else { throw .existing }
      try move(source, over: target)
    }
  }

  /// Whether two paths lead to one file.
  package static func isSameFile(_ a: String, _ b: String) -> Bool {
    guard let first = try? FileStatus(a), let second = try? FileStatus(b) else { return false }
    return first.isSameFile(as: second)
  }

  /// Removes a file.
  ///
  /// - Returns: false if there was none.
  @discardableResult package static func remove(_ path: String) throws(Diagnostic) -> Bool {
    do throws(SystemError) {
      try retrying { unlink(path) }
      return true
    } catch {
      if error.isMissing { return false }
      throw .environment("\(path) cannot be removed", error, path: path)
    }
  }

  /// Makes a folder and those above it that are missing.
  package static func makeFolder(_ path: String) throws(Diagnostic) {
    do throws(SystemError) {
      try retrying { mkdir(path, 0o755) }
    } catch {
      if kind(of: path) == .folder { return }
      let above = folder(of: path)
      guard error.isMissing, above != path, !exists(above) else {
        throw .environment("the folder \(path) cannot be made", error, path: path)
      }
      try makeFolder(above)
      try makeFolder(path)
    }
  }

  /// Throws if no file can be made in the folder of a path.
  package static func checkFolderIsWritable(of path: String) throws(Diagnostic) {
    let folder = folder(of: path)
    switch kind(of: folder) {
    case nil: throw .folderMissing(folder)
    case .folder?: break
    default: throw .folderIsFile(folder)
    }
    do throws(SystemError) {
      try retrying { access(folder, W_OK | X_OK) }
    } catch {
      throw .environment("no file can be made in the folder \(folder)", error, path: path)
    }
  }

  /// Throws if a folder is not there and cannot be made, or if no file can be made in it; nothing is made.
  package static func checkFolderCanBeMade(_ path: String) throws(Diagnostic) {
    if exists(path) { return try checkFolderIsWritable(of: path + "/-") }
    let above = folder(of: path)
    guard !isLink(path), above != path else { throw .linkToNothing(path) }
    try checkFolderCanBeMade(above)
  }

  /// Whether a path is that of a symbolic link, wherever it leads.
  package static func isLink(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
  }

  /// Throws if a file that is made at a path could not stay there: a link that leads to nothing, a name that is too long.
  ///
  /// - Parameter affix: how many bytes names have that are made of the file's by something before or behind it.
  package static func checkPlaceOfNewFile(_ path: String, affix: Int) throws(Diagnostic) {
    // What such a link leads to may be a disk that is not there at the moment.
    if isLink(path), !exists(path) { throw .linkToNothing(path) }
    try checkFolderIsWritable(of: path)
    let longest = 255 - affix
    guard name(of: path).utf8.count <= longest else { throw .nameTooLong(path, longest: longest) }
  }

  // MARK: Paths

  /// The folder of a file, as far as its path tells: `.` for a bare name.
  package static func folder(of path: String) -> String {
    let trimmed = path.droppingTrailingSlashes
    guard let slash = trimmed.lastIndex(of: "/") else { return "." }
    return slash == trimmed.startIndex ? "/" : String(trimmed[..<slash].droppingTrailingSlashes)
  }

  /// The last part of a path.
  package static func name(of path: String) -> String {
    let trimmed = path.droppingTrailingSlashes
    return String(trimmed.lastIndex(of: "/").map { trimmed[trimmed.index(after: $0)...] } ?? trimmed)
  }

  /// The path without links and dots; of a file that is not there yet, its folder's and its name.
  package static func resolved(_ path: String) -> String {
    if let real = realPath(path) { return real }
    guard let folder = realPath(folder(of: path)) else { return path }
    return (folder == "/" ? "" : folder) + "/" + name(of: path)
  }

  /// The file itself where a path is that of a symbolic link: what SQLite and Core Data keep beside a store is beside that.
  ///
  /// Any other path, and a link to nothing, is as it is given, so that messages name what was given.
  package static func behindLink(_ path: String) -> String { isLink(path) ? realPath(path) ?? path : path }

  private static func realPath(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }
}

extension StringProtocol {
  fileprivate var droppingTrailingSlashes: SubSequence {
    var end = endIndex
    while end > index(startIndex, offsetBy: 1, limitedBy: endIndex) ?? endIndex, self[index(before: end)] == "/" {
      end = index(before: end)
    }
    return self[..<end]
  }
}
