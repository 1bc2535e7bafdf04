package import Diagnostics

extension Diagnostic.Code {
  package static let inputMissing = Diagnostic.Code("input.missing", .input)
  package static let inputFolder = Diagnostic.Code("input.folder", .input)
  package static let inputUnreadable = Diagnostic.Code("input.unreadable", .input)
  package static let inputRead = Diagnostic.Code("input.read", .input)
  package static let inputChanged = Diagnostic.Code("input.changed", .input)
  package static let inputEmpty = Diagnostic.Code("input.empty", .input)
  package static let inputStopped = Diagnostic.Code("input.stopped", .input)
  package static let inputEncoding = Diagnostic.Code("input.encoding", .input)
  package static let inputGzip = Diagnostic.Code("input.gzip", .input)
}

extension Diagnostic {
  /// An input of 0 bytes, for the readers that refuse one.
  package static func inputEmpty(_ file: String) -> Diagnostic {
    Diagnostic(
      .inputEmpty, "the input is empty: expected at least one record or a header, found 0 bytes",
      hint: "Check what writes the file, or set `allowEmpty` if that may happen.", at: SourcePosition(file: file))
  }

  // MARK: Files

  static func inputOpening(_ file: String, _ error: SystemError) -> Diagnostic {
    if error.isMissing {
      return Diagnostic(
        .inputMissing, "there is no such file",
        hint:
          "Check the name; a relative path starts at the current folder, one in a pipeline file at the folder of that file.",
        at: SourcePosition(file: file))
    }
    if error.isDenied {
      return Diagnostic(
        .inputUnreadable, "the file may not be read: \(error)", hint: "Allow reading it, or run as another user.",
        at: SourcePosition(file: file))
    }
    return Diagnostic(
      .inputRead, "the file cannot be opened: \(error)",
      hint: "Check that it is a file, and its disk.", at: SourcePosition(file: file))
  }

  package static func inputFolder(_ file: String) -> Diagnostic {
    Diagnostic(
      .inputFolder, "expected a file, found a folder", hint: "Name the files in it.", at: SourcePosition(file: file))
  }

  static func inputReading(_ file: String, _ error: SystemError) -> Diagnostic {
    error.isFolder
      ? .inputFolder(file)
      : Diagnostic(
        .inputRead, "reading failed: \(error)", hint: "Check the disk, then start again.",
        at: SourcePosition(file: file))
  }

  static func inputStopped(_ file: String) -> Diagnostic {
    Diagnostic(
      .inputStopped, "stopped while waiting for input",
      hint: "Run the same command again.", at: SourcePosition(file: file))
  }

  static func inputChanged(_ file: String, sizeAtStart: Int, sizeNow: Int) -> Diagnostic {
    let sizes = sizeAtStart == sizeNow ? "still \(sizeNow) bytes" : "from \(sizeAtStart) to \(sizeNow) bytes"
    return Diagnostic(
      .inputChanged, "the file was changed while it was read (\(sizes))",
      hint: "Import it when its writer is done: write to another name and rename the file when it is complete.",
      at: SourcePosition(file: file))
  }

  static func inputTooShort(_ file: String, offset: Int, size: Int?) -> Diagnostic {
    let found = size.map { "the file has \($0)" } ?? "the input ends before"
    return Diagnostic(
      .inputChanged, "cannot go on at byte \(offset): \(found)",
      hint: "It is not the file that the earlier run read: start again from its beginning.",
      at: SourcePosition(file: file))
  }

  // MARK: Encodings

  static func inputEncoding(_ file: String, _ encoding: TextEncoding, _ trouble: EncodingTrouble) -> Diagnostic {
    Diagnostic(
      .inputEncoding, "byte \(trouble.offset) is not \(encoding.rawValue): \(trouble.reason)",
      hint: "Set `encoding` to what the file is written in (\(TextEncoding.names)), or mend the file.",
      at: SourcePosition(file: file))
  }

  static func inputMark(_ file: String, found: String, encoding: TextEncoding) -> Diagnostic {
    Diagnostic(
      .inputEncoding, "expected \(encoding.rawValue), found the byte order mark of \(found)",
      hint: "Leave `encoding` out: the mark tells it.", at: SourcePosition(file: file))
  }

  static func inputUTF32(_ file: String) -> Diagnostic {
    Diagnostic(
      .inputEncoding, "found the byte order mark of utf-32, which is not supported",
      hint: "Convert the file, e.g. with `iconv -f utf-32 -t utf-8`.", at: SourcePosition(file: file))
  }

  static func inputMarkMissing(_ file: String) -> Diagnostic {
    Diagnostic(
      .inputEncoding, "expected a byte order mark, found none: it may be utf-16le or utf-16be",
      hint: "Set `encoding` to \"utf-16le\" (usual on Windows) or \"utf-16be\".", at: SourcePosition(file: file))
  }

  static func inputLooksLike(_ file: String, _ encoding: TextEncoding) -> Diagnostic {
    Diagnostic(
      .inputEncoding, "every other byte at the beginning is 0: this looks like \(encoding.rawValue)",
      hint: "Set `encoding` to \"\(encoding.rawValue)\", or to \"utf-8\" if it is meant so.",
      at: SourcePosition(file: file))
  }

  // MARK: gzip

  static func inputBehindGzip(_ file: String) -> Diagnostic {
    Diagnostic(
      .inputGzip, "behind the end of the gzip data are bytes that are none",
      hint: "`gzip -t` calls them trailing garbage. Fetch or make the file again, or cut them off.",
      at: SourcePosition(file: file))
  }

  static func inputGzip(_ file: String, _ trouble: String) -> Diagnostic {
    Diagnostic(
      .inputGzip, "the gzip data is \(trouble)", hint: "Check it with `gzip -t`, and fetch or make it again.",
      at: SourcePosition(file: file))
  }
}
