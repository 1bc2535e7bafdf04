import Diagnostics
import Foundation
import TestSupport
import Testing

@testable import Bytes

@Suite struct FileSourceTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test(arguments: sizes) func bytes(size: Int) throws {
    let path = try folder.write("Ada\nGrace\n", to: "t.txt")
    let source = try FileSource(path)
    #expect(source.progress == (0, 10))
    #expect(try readAll(source, bufferSize: size) == Array("Ada\nGrace\n".utf8))
    #expect(source.progress == (10, 10))
    #expect(source.identity == FileIdentity(path: path))
  }

  @Test func seek() throws {
    let source = try FileSource(folder.write("Ada\nGrace\n", to: "t.txt"))
    #expect(try source.seek(to: 4))
    #expect(try readAll(source) == Array("Grace\n".utf8))
    #expect(try source.seek(to: 10))
    #expect(try readAll(source) == [])
    #expect(
      trouble { _ = try source.seek(to: 11) }.contains("cannot go on at byte 11: the file has 10 [input.changed]"))
  }

  @Test func textIsFoundAtOnceBehindAMark() throws {
    let path = try folder.write("\u{FEFF}Ada\nGrace\n", to: "t.txt")
    let text = try TextSource(FileSource(path))
    try text.skip(to: 7)
    #expect(try readAll(text) == Array("Grace\n".utf8))
    #expect(text.progress == (13, 13))
  }

  // MARK: Refused

  @Test func missing() {
    #expect(
      trouble { _ = try FileSource("no/such.csv") } == """
        no/such.csv: there is no such file [input.missing]
          Check the name; a relative path starts at the current folder, one in a pipeline file at the folder of that file.
        """)
  }

  @Test func isFolder() {
    let path = folder.url.path
    #expect(
      trouble { _ = try FileSource(path) } == """
        \(path): expected a file, found a folder [input.folder]
          Name the files in it.
        """)
  }

  @Test(.enabled(if: getuid() != 0, "root may read everything")) func denied() throws {
    let path = try folder.write("x", to: "t.txt")
    chmod(path, 0)
    #expect(
      trouble { _ = try FileSource(path) } == """
        \(path): the file may not be read: Permission denied [input.unreadable]
          Allow reading it, or run as another user.
        """)
  }

  @Test func messagesOfTheSystem() {
    #expect(
      "\(Diagnostic.inputOpening("t", SystemError(code: EACCES)))".hasPrefix(
        "t: the file may not be read: Permission denied [input.unreadable]"))
    #expect(
      Diagnostic.inputReading("t", SystemError(code: EIO)).line == "t: reading failed: Input/output error [input.read]")
    #expect("\(Diagnostic.inputReading("t", SystemError(code: EISDIR)))".contains("[input.folder]"))
  }

  @Test func fates() {
    for code in [
      .inputMissing, .inputFolder, .inputUnreadable, .inputRead, .inputChanged, .inputEmpty, .inputStopped,
      .inputEncoding,
      .inputGzip,
    ] as [Diagnostic.Code] {
      #expect(code.fate == .input)
      #expect(code.name.hasPrefix("input."))
    }
  }

  // MARK: Empty

  @Test func empty() throws {
    let source = try FileSource(folder.write("", to: "empty.csv"))
    #expect(try TextSource(source).isEmpty)
    #expect(
      "\(Diagnostic.inputEmpty("empty.csv"))" == """
        empty.csv: the input is empty: expected at least one record or a header, found 0 bytes [input.empty]
          Check what writes the file, or set `allowEmpty` if that may happen.
        """)
    #expect(try TextSource(FileSource("/dev/null")).isEmpty)
  }

  // MARK: Changed while read

  enum Change: CaseIterable { case grows, shrinks, isRewritten }

  @Test(arguments: Change.allCases) func changed(_ change: Change) throws {
    let path = try folder.write("0123456789", to: "t.txt")
    let source = try FileSource(path)
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 4, alignment: 1)
    defer { buffer.deallocate() }
    _ = try source.read(into: buffer)
    let file = try #require(FileHandle(forUpdatingAtPath: path))
    let sizes: String
    switch change {
    case .grows:
      try file.seekToEnd()
      try file.write(contentsOf: Data("more".utf8))
      sizes = "from 10 to 14 bytes"
    case .shrinks:
      try file.truncate(atOffset: 6)
      sizes = "from 10 to 6 bytes"
    case .isRewritten:
      try file.write(contentsOf: Data("abcd".utf8))
      // A clock's tick must not decide.
      try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: path)
      sizes = "still 10 bytes"
    }
    #expect(
      trouble { _ = try readAll(source) } == """
        \(path): the file was changed while it was read (\(sizes)) [input.changed]
          Import it when its writer is done: write to another name and rename the file when it is complete.
        """)
  }

  /// A file that another takes the place of is read to its own end.
  @Test func replaced() throws {
    let path = try folder.write("old", to: "t.txt")
    let source = try FileSource(path)
    let before = FileIdentity(path: path)
    try FileSystem.rename(from: folder.write("new!", to: "u.txt"), to: path, replacing: true)
    #expect(try readAll(source) == Array("old".utf8))
    #expect(FileIdentity(path: path) != before)
  }

  @Test func identityIsCodable() throws {
    let identity = try #require(FileIdentity(path: folder.write("x", to: "t.txt")))
    let encoder = PropertyListEncoder()
    #expect(try PropertyListDecoder().decode(FileIdentity.self, from: encoder.encode(identity)) == identity)
    #expect(FileIdentity(path: folder.url.path) == nil)
  }

  // MARK: Pipes

  @Test func pipe() throws {
    let path = folder.path("pipe")
    try #require(mkfifo(path, 0o600) == 0)
    let writer = Thread {
      try? FileHandle(forWritingTo: URL(fileURLWithPath: path)).write(contentsOf: Data("a,b\n".utf8))
    }
    writer.start()
    let source = try FileSource(path)
    #expect(source.identity == nil)
    #expect(try source.seek(to: 0) == false)
    let text = try TextSource(source)
    try text.skip(to: 2)
    #expect(try readAll(text) == Array("b\n".utf8))
    #expect(source.progress == (4, nil))
  }
}
