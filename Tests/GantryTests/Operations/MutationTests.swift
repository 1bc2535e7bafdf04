import Foundation
import SQLiteDriver
import TestSupport
import Testing

@testable import Gantry

/// Damaged stores and models: a message and an exit code, and not a byte written. `Scripts/mutate` does the same a thousand times.
@Suite(.enabled(if: Shared.isThere, Shared.comment), .timeLimit(.minutes(2))) struct MutationTests {
  /// Small ones of the corpus, each with what is special.
  static let stores = [
    "objcio__core-data__MigrationsTests_Moody_5.moody__2a089d49",
    "sergd2005__ResourcesManager__default.store__db54ed53",
    "alemar11__CoreDataPlus__Fixtures_SampleModel3_V1.sqlite__9a3010d7",
    "alemar11__CoreDataPlus__Fixtures__SampleModel2V2.sqlite__67eb4191",
  ]
  static let models = ["Sunic__DigitalOrder/build/Debug-iphonesimulator/Hotel.app/Hotel.mom"]

  @Test(arguments: 1...60) func damagedStore(_ seed: UInt64) throws {
    var numbers = SeededGenerator(seed: seed)
    let folder = try TemporaryFolder()
    let name = Self.stores[Int.random(in: 0..<Self.stores.count, using: &numbers)]
    let bytes = try Data(contentsOf: Shared.url("corpus/stores/\(name)"))
    let store = try folder.write(bytes, to: "s.sqlite")
    if seed % 3 == 0 {
      try Self.damagePropertyList(store, &numbers)
    } else {
      try folder.write(Self.damage(bytes, &numbers), to: "s.sqlite")
    }
    let input = try folder.write("nothing\nx\n", to: "in.csv")
    try Self.run(["check", store], in: folder)
    try Self.run(["model", "hash", store], in: folder)
    try Self.run(
      ["import", input, "--model", store, "--store", store, "--entity", "Country", "--ignore", "nothing"], in: folder)
  }

  @Test(arguments: 1...40) func damagedModel(_ seed: UInt64) throws {
    var numbers = SeededGenerator(seed: seed)
    let folder = try TemporaryFolder()
    let bytes = try Data(contentsOf: Shared.url("corpus/models/\(Self.models[0])"))
    let list = seed % 2 == 0
    let model = try folder.write(
      list ? Self.otherTypes(bytes, &numbers) : Self.damage(bytes, &numbers), to: "m.mom")
    try Self.run(["model", "hash", model], in: folder)
    try Self.run(["model", "ddl", model], in: folder)
  }

  private static func run(_ words: [String], in folder: TemporaryFolder) throws {
    let before = try contents(folder)
    let talk = Talk(words)
    #expect(talk.status == .done || !(talk.output + talk.errors).isEmpty, "\(words)")
    // Not every damage can be told; an import that came to its end has written.
    guard words[0] != "import" || ![.done, .rejects].contains(talk.status) else { return }
    let after = try contents(folder).filter { !$0.key.hasSuffix(".lock") }
    #expect(before == after, "\(words) \(talk.errors)")
  }

  private static func contents(_ folder: TemporaryFolder) throws -> [String: Data] {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    return try Dictionary(
      uniqueKeysWithValues: names.map { ($0, try Data(contentsOf: folder.url.appendingPathComponent($0))) })
  }

  // MARK: Damage

  /// Bytes of which some are others, or some are missing.
  private static func damage(_ bytes: Data, _ numbers: inout SeededGenerator) -> Data {
    var bytes = bytes
    switch Int.random(in: 0..<4, using: &numbers) {
    case 0: return bytes.prefix(Int.random(in: 0..<bytes.count, using: &numbers))
    case 1:
      // Where headers and schemas are.
      for _ in 0..<4 {
        bytes[Int.random(in: 0..<min(4096, bytes.count), using: &numbers)] = .random(in: 0...255, using: &numbers)
      }
    case 2:
      let start = Int.random(in: 0..<bytes.count, using: &numbers)
      let end = min(start + 512, bytes.count)
      bytes.replaceSubrange(start..<end, with: Data(count: end - start))
    default:
      for _ in 0..<16 {
        bytes[Int.random(in: 0..<bytes.count, using: &numbers)] = .random(in: 0...255, using: &numbers)
      }
    }
    return bytes
  }

  private static func damagePropertyList(_ store: String, _ numbers: inout SeededGenerator) throws {
    let connection = try Connection(store, .readWrite)
    let select = try connection.prepare("SELECT Z_PLIST FROM Z_METADATA")
    guard try select.step() else { return }
    let list = Data(select.blobBytes(0))
    select.reset()
    let update = try connection.prepare("UPDATE Z_METADATA SET Z_PLIST = ?")
    update.bind(1, blob: Array(try otherTypes(list, &numbers)))
    try update.run()
    connection.forgetStatements()
    _ = try connection.pragma("wal_checkpoint(TRUNCATE)")
  }

  /// A property list with values of another type at a place or two.
  private static func otherTypes(_ data: Data, _ numbers: inout SeededGenerator) throws -> Data {
    // Of a keyed archive, which has values that Foundation reads and does not write, the bytes are damaged instead.
    let list = try PropertyListSerialization.propertyList(from: data, format: nil)
    guard var tree = list as? [String: Any], !data.contains(Data("$archiver".utf8)) else {
      return damage(data, &numbers)
    }
    let others: [Any] = [1, "x", Data(), [String](), [String: Int](), Date(timeIntervalSinceReferenceDate: 0), true]
    for _ in 0..<2 {
      guard let key = tree.keys.sorted().randomElement(using: &numbers) else { break }
      tree[key] = others.randomElement(using: &numbers)
    }
    return try PropertyListSerialization.data(fromPropertyList: tree, format: .binary, options: 0)
  }
}

extension Data {
  fileprivate func contains(_ other: Data) -> Bool { range(of: other) != nil }
}
