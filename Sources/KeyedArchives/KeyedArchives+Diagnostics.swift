package import Diagnostics

extension Diagnostic.Code {
  /// The bytes are no archive that we read.
  package static let archiveUnreadable = Diagnostic.Code("archive.unreadable", .store)
  /// The archive holds something else than was asked for.
  package static let archiveContent = Diagnostic.Code("archive.content", .store)
}

extension Diagnostic {
  private static let otherBytes = "Take it from where it is whole, or name another file, form or kind."

  static var notPropertyList: Diagnostic {
    Diagnostic(.archiveUnreadable, "expected a property list, found other bytes", hint: otherBytes)
  }

  static var notBinaryPropertyList: Diagnostic {
    Diagnostic(.archiveUnreadable, "expected a binary property list, found other bytes", hint: otherBytes)
  }

  static func damagedPropertyList(_ reason: String) -> Diagnostic {
    Diagnostic(.archiveUnreadable, "the binary property list is damaged: \(reason)", hint: otherBytes)
  }

  static func damagedXML(_ reason: String) -> Diagnostic {
    Diagnostic(.archiveUnreadable, "the XML property list is damaged: \(reason)", hint: otherBytes)
  }

  static func notKeyedArchive(_ reason: String) -> Diagnostic {
    Diagnostic(.archiveUnreadable, "the property list is no keyed archive: \(reason)", hint: otherBytes)
  }

  static func archivedClass(expected: String, found: String?) -> Diagnostic {
    Diagnostic(
      .archiveContent, "expected an archive of \(expected), found \(found.map { "one of \($0)" } ?? "a plain value")",
      hint: otherBytes)
  }

  static func archivedColour(_ reason: String) -> Diagnostic {
    Diagnostic(.archiveContent, "the archived colour cannot be read: \(reason)", hint: otherBytes)
  }

  static func archivedValue(_ reason: String) -> Diagnostic {
    Diagnostic(.archiveContent, "the archived value cannot be read: \(reason)", hint: otherBytes)
  }
}
