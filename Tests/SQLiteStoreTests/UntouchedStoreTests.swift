import Diagnostics
import Foundation
import ObjectGraph
import SQLiteDriver
import Synchronization
import TestSupport
import Testing
import Values

@testable import SQLiteStore

/// A store is read as it is, and nothing of the reading stays; if other programs write it meanwhile, what is read is of one
/// moment, or the reading ends with an error.
struct UntouchedStoreTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  @Test(arguments: ["plain.sqlite", "100%25 #1?.sqlite", "ü & ö.sqlite"]) func withoutALog(_ name: String) throws {
    let path = folder.path(name)
    try Connection(path, .create).execute("CREATE TABLE t (a); INSERT INTO t VALUES (1)")
    let before = try SharedModelCacheTests.contents(of: folder.url)
    let store = try UntouchedStore(path)
    #expect(try store.connection.prepare("SELECT a FROM t").firstInteger() == 1)
    #expect(store.connection.isReadOnly)
    #expect(try SharedModelCacheTests.contents(of: folder.url) == before)
  }

  /// What is only in the log is read, and the log stays as it is.
  @Test func withALog() throws {
    let path = folder.path("a.sqlite")
    let writer = try Connection(path, .create)
    try writer.setPragma("journal_mode", "WAL")
    try writer.execute("CREATE TABLE t (a); INSERT INTO t VALUES (1)")
    let store = folder.path("moved/a.sqlite")
    for suffix in ["", "-wal"] {
      try folder.write(Data(contentsOf: URL(fileURLWithPath: path + suffix)), to: "moved/a.sqlite\(suffix)")
    }
    let place = folder.url.appendingPathComponent("moved")
    let before = try SharedModelCacheTests.contents(of: place)
    do {
      let untouched = try UntouchedStore(store)
      #expect(try untouched.connection.prepare("SELECT a FROM t").firstInteger() == 1)
      #expect(untouched.connection.path == store)
      // The copy has no name: whoever is killed leaves none.
      let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap {
        try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
      }
      #expect(open.contains { $0.contains("/gantry-") && $0.hasSuffix("/store (deleted)") }, "\(open)")
    }
    #expect(try SharedModelCacheTests.contents(of: place) == before)
    #expect(before.count == 2)
  }

  private func ground(journal: String) throws -> TestStore {
    let ground = try TestStore(
      "<entity name=\"E\"><attribute name=\"a\" optional=\"YES\" attributeType=\"Integer 64\"/></entity>")
    for _ in 0..<2 { try ground.insert("E", ["a": .integer(0)]) }
    try ground.store.finish()
    try ground.outside("PRAGMA journal_mode = \(journal)")
    return ground
  }

  /// Without a log beside it a store that keeps one is read without locks: that somebody wrote it is found out at the end.
  @Test func writtenMeanwhile() throws {
    let ground = try ground(journal: "WAL")
    try ground.reopen(readOnly: true)
    let path = ground.url.path
    #expect {
      try ground.store.reading {
        _ = try ground.rows("SELECT ZA FROM ZE")
        try ground.outside("UPDATE ZE SET ZA = 1; PRAGMA wal_checkpoint(TRUNCATE)")
      }
    } throws: { error in
      "\(error)" == """
        \(path) was written by another program while it was read: what was read is of several moments [store.busy]
          Start again, or close that program first.
        """
    }
    // Trouble of the body is that trouble only if nobody wrote.
    try ground.reopen(readOnly: true)
    #expect(throws: CocoaError.self) { try ground.store.reading { throw CocoaError(.featureUnsupported) } }
    #expect(try ground.store.reading { try ground.rows("SELECT ZA FROM ZE") } == ["1", "1"])
  }

  /// A log that is written all the time: each look sees one moment.
  @Test func writtenAllTheTime() throws {
    let ground = try ground(journal: "WAL")
    let writer = try Connection(ground.url.path, .readWrite)
    try writer.execute("UPDATE ZE SET ZA = ZA + 1")
    let path = ground.url.path
    let model = ground.store.model
    let program = Program()
    Thread.detachNewThread { program.write(path) }
    defer { program.isDone.store(true, ordering: .relaxed) }
    for _ in 0..<10 {
      let store = try SQLitePersistentStore.open(at: ground.url, model: model, readOnly: true)
      let values = try store.reading {
        var values: [Int64] = []
        try store.connection.prepare("SELECT ZA FROM ZE").forEachRow { values.append($0.integer(0)) }
        return values
      }
      #expect(values.count == 2 && values[0] == values[1] && values[0] > 0)
    }
    try withExtendedLifetime(writer) { try writer.execute("PRAGMA wal_checkpoint") }
  }

  /// A program that writes without end.
  private final class Program: Sendable {
    let isDone = Atomic(false)

    func write(_ path: String) {
      guard let writer = try? Connection(path, .readWrite) else { return }
      while !isDone.load(ordering: .relaxed) { try? writer.execute("UPDATE ZE SET ZA = ZA + 1") }
    }
  }
}
