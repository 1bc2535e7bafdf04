import Diagnostics
import Foundation
import TestSupport
import Testing

@testable import Bytes

@Suite struct FileSystemTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  func text(_ name: String) -> String? { try? String(contentsOfFile: folder.path(name), encoding: .utf8) }

  @Test func rename() throws {
    try FileSystem.rename(from: folder.write("new", to: "a"), to: folder.path("b"))
    #expect(text("a") == nil)
    #expect(text("b") == "new")
  }

  @Test func renameRefusesToReplace() throws {
    let (a, b) = (try folder.write("new", to: "a"), try folder.write("old", to: "b"))
    #expect(
      trouble { try FileSystem.rename(from: a, to: b) } == """
        \(a) cannot be renamed to \(b): it exists already [environment.exists]
          Remove it first, or name another.
        """)
    #expect(text("a") == "new")
    #expect(text("b") == "old")
    try FileSystem.rename(from: a, to: b, replacing: true)
    #expect(text("a") == nil)
    #expect(text("b") == "new")
  }

  @Test func renameIntoAMissingFolder() throws {
    let a = try folder.write("new", to: "a")
    #expect(trouble { try FileSystem.rename(from: a, to: folder.path("none/b")) }.contains("[environment.folder]"))
    #expect(text("a") == "new")
  }

  @Test(.enabled(if: TemporaryFolder.otherFileSystem != nil, TemporaryFolder.otherFileSystemComment))
  func copiesToAnotherFileSystem() throws {
    let other = try TemporaryFolder(in: #require(TemporaryFolder.otherFileSystem))
    let a = try folder.write("all of it", to: "a")
    // What a killed run has left.
    try other.write("all of it, and more of what was there", to: ".b.copying")
    try FileSystem.linkOrCopy(from: a, to: other.path("b"))
    #expect(try String(contentsOfFile: other.path("b"), encoding: .utf8) == "all of it")
    #expect(try FileManager.default.contentsOfDirectory(atPath: other.url.path) == ["b"])
    // A run that was killed behind the copy.
    try FileSystem.linkOrCopy(from: a, to: other.path("b"))
    try other.write("other bit", to: "b")
    #expect(trouble { try FileSystem.linkOrCopy(from: a, to: other.path("b")) }.contains("[environment.exists]"))
    #expect(try String(contentsOfFile: other.path("b"), encoding: .utf8) == "other bit")
    #expect(try FileManager.default.contentsOfDirectory(atPath: other.url.path) == ["b"])
  }

  @Test func removeAndKind() throws {
    let a = try folder.write("", to: "a")
    #expect(FileSystem.kind(of: a) == .file)
    #expect(FileSystem.kind(of: folder.url.path) == .folder)
    #expect(FileSystem.kind(of: "/dev/null") == .other)
    #expect(try FileSystem.remove(a))
    #expect(FileSystem.kind(of: a) == nil)
    #expect(!FileSystem.exists(a))
    #expect(try !FileSystem.remove(a))
    #expect(trouble { try FileSystem.remove(folder.url.path) }.contains("cannot be removed"))
  }

  @Test func makeFolder() throws {
    try FileSystem.makeFolder(folder.path("x/y/z"))
    try FileSystem.makeFolder(folder.path("x/y/z"))
    #expect(FileSystem.kind(of: folder.path("x/y/z")) == .folder)
    try folder.write("", to: "file")
    #expect(trouble { try FileSystem.makeFolder(folder.path("file")) }.contains("[environment.exists]"))
    #expect(trouble { try FileSystem.makeFolder(folder.path("file/x")) }.contains("[environment."))
  }

  @Test func writableFolder() throws {
    try FileSystem.checkFolderIsWritable(of: folder.path("new.sqlite"))
    #expect(
      trouble { try FileSystem.checkFolderIsWritable(of: folder.path("none/new.sqlite")) }.contains(
        "there is no folder \(folder.path("none")) [environment.folder]"))
    try folder.write("", to: "file")
    #expect(
      trouble { try FileSystem.checkFolderIsWritable(of: folder.path("file/new.sqlite")) }
        == """
        expected a folder, found a file: \(folder.path("file")) [environment.folder]
          Name another folder.
        """)
    if getuid() != 0 {
      chmod(folder.url.path, 0o500)
      defer { chmod(folder.url.path, 0o700) }
      #expect(
        trouble { try FileSystem.checkFolderIsWritable(of: folder.path("new")) }.contains("[environment.permission]"))
    }
  }

  @Test func sync() throws {
    try FileSystem.sync(folder.write("x", to: "a"))
    try FileSystem.syncFolder(of: folder.path("a"))
    #expect(trouble { try FileSystem.sync(folder.path("none")) }.contains("cannot be brought to the disk"))
  }

  static let errors: [Case<Int32, String>] = [
    Case("full", ENOSPC, "x: No space left on device [environment.no-space]\n  Free some space, then start again."),
    Case("quota", EDQUOT, "x: Disk quota exceeded [environment.no-space]\n  Free some space, then start again."),
    Case(
      "read only", EROFS,
      "x: Read-only file system [environment.permission]\n  Allow writing in /tmp, or run as another user."),
    Case("else", EIO, "x: Input/output error [environment.file]"),
  ]

  @Test(arguments: errors) func message(_ c: Case<Int32, String>) {
    let diagnostic = Diagnostic.environment("x", SystemError(code: c.input), path: "/tmp/x")
    #expect(diagnostic.text(like: c.expected) == c.expected)
    #expect(diagnostic.code.fate == .environment)
  }

  static let paths: [Case<String, [String]>] = [
    Case("bare", "a", [".", "a"]), Case("relative", "a/b", ["a", "b"]), Case("absolute", "/a/b.c", ["/a", "b.c"]),
    Case("top", "/a", ["/", "a"]), Case("root", "/", ["/", ""]), Case("slashes", "/a//b//", ["/a", "b"]),
    Case("none", "", [".", ""]),
  ]

  @Test(arguments: paths) func parts(_ c: Case<String, [String]>) {
    #expect([FileSystem.folder(of: c.input), FileSystem.name(of: c.input)] == c.expected)
  }

  @Test func resolved() throws {
    let real = FileSystem.resolved(folder.url.path)
    #expect(FileSystem.resolved(folder.path("./new")) == real + "/new")
    #expect(FileSystem.resolved(folder.path("none/new")) == folder.path("none/new"))
    #expect(FileSystem.resolved("/new") == "/new")
  }
}

@Suite struct FileWriterTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func appendsAndTakesBack() throws {
    let path = folder.path("rejects.csv")
    do {
      let writer = try FileWriter(path)
      try writer.write("a,b\n")
      try writer.write("1,2\n")
      #expect(writer.offset == 8)
      try writer.truncate(to: 4)
      #expect(writer.offset == 4)
      try writer.write("3\n")
      try writer.sync()
    }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "a,b\n3\n")
    let writer = try FileWriter(path, at: .end)
    #expect(writer.offset == 6)
    try writer.write("4\n")
    try writer.flush()
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "a,b\n3\n4\n")
    try FileWriter(path).flush()
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "")
  }

  @Test func largerThanTheBuffer() throws {
    let path = folder.path("large")
    let writer = try FileWriter(path)
    let text = String(repeating: "0123456789", count: 700)
    for _ in 0..<30 { try writer.write(text) }
    try Array(repeating: UInt8(ascii: "x"), count: 200_000).withUnsafeBytes { try writer.write($0) }
    try writer.flush()
    let expected = String(repeating: text, count: 30) + String(repeating: "x", count: 200_000)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == expected)
    #expect(writer.offset == expected.utf8.count)
  }

  @Test func noFolder() {
    #expect(trouble { _ = try FileWriter(folder.path("none/r.csv")) }.contains("[environment.folder]"))
  }

  @Test(.enabled(if: FileSystem.exists("/dev/full"), "the system has no /dev/full")) func diskFull() {
    #expect(
      trouble {
        let writer = try FileWriter("/dev/full", at: .end)
        try writer.write("x")
        try writer.flush()
      }.hasPrefix("/dev/full cannot be written: No space left on device [environment.no-space]"))
  }
}
