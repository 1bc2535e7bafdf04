import Foundation
import TestSupport
import Testing

@testable import Gantry

/// Damaged stores that an import would write into: refused with code 6, or sound to SQLite before and after.
struct DamagedStoreTests {
  /// A store with an index of a constraint and rows on several pages.
  private static let store: Result<Data, any Error> = Result {
    let folder = try ItemFolder()
    try folder.csv(1...3000)
    try folder.import("items.csv").expectDone()
    return try Data(contentsOf: URL(fileURLWithPath: folder.path("items.sqlite")))
  }

  @Test(arguments: 1...60) func isRefusedOrSound(_ seed: UInt64) throws {
    var numbers = SeededGenerator(seed: seed)
    var bytes = try Self.store.get()
    switch seed % 3 {
    case 0: bytes = bytes.prefix(.random(in: 1..<bytes.count, using: &numbers))
    case 1: Self.change(20, &bytes, below: bytes.count, &numbers)
    default: Self.change(20, &bytes, below: 8192, &numbers)
    }
    let folder = try ItemFolder()
    try folder.write(bytes, to: "items.sqlite")
    try folder.csv(2900...3100)
    // By a key with an index, and by one without.
    for key in ["code", "name"] {
      let talk = try Talk.in(
        folder, ["import", "items.csv", "--key", key, "--on-conflict", "update", "--skip-limit", "none"])
      switch talk.status {
      case .done, .rejects:
        #expect(try folder.rows("PRAGMA integrity_check") == ["ok"], "\(talk.errors)")
        #expect(!talk.errors.contains("gantry_"), "\(talk.errors)")
      default: #expect(talk.status == .store, "\(talk.status) \(talk.errors)")
      }
    }
  }

  private static func change(_ count: Int, _ bytes: inout Data, below end: Int, _ numbers: inout SeededGenerator) {
    for _ in 0..<count { bytes[Int.random(in: 0..<end, using: &numbers)] = .random(in: 0...255, using: &numbers) }
  }

  /// What SQLite finds is told, and not a byte is written.
  @Test func message() throws {
    let folder = try ItemFolder()
    var bytes = try Self.store.get()
    bytes.replaceSubrange(bytes.count - 4096..<bytes.count, with: Data(count: 4096))
    try folder.write(bytes, to: "items.sqlite")
    try folder.csv(1...3)
    let run = try folder.import("items.csv")
    #expect(run.status == 6 && run.errors.contains("[store.damaged]"), "\(run.errors)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: folder.path("items.sqlite"))) == bytes)
    let template = try folder.run([
      "import", "items.csv", "--template", "items.sqlite", "--append", "--model", "Item.xcdatamodel", "--entity",
      "Item",
      "--store", "new.sqlite",
    ])
    #expect(template.status == 6 && template.errors.contains("[store.damaged]"), "\(template.errors)")
    #expect(try folder.leftovers() == [])
  }
}

extension Talk {
  /// Runs the tool in this process, which is much faster, on the items of a folder.
  fileprivate static func `in`(_ folder: ItemFolder, _ words: [String]) throws -> Talk {
    let paths = ["items.csv": folder.path("items.csv")]
    return Talk(
      words.map { paths[$0] ?? $0 } + [
        "--model", folder.path("Item.xcdatamodel"), "--entity", "Item", "--store", folder.path("items.sqlite"),
      ])
  }
}
