import Bytes
import Foundation
import SQLiteDriver
import SQLiteStore
import TestSupport

/// A folder with a model of items (`Item.xcdatamodel`), in which the tool is run.
final class ItemFolder {
  let folder: TemporaryFolder
  var url: URL { folder.url }

  /// What the tool must be told beside the input.
  static let options = ["--model", "Item.xcdatamodel", "--entity", "Item", "--store", "items.sqlite"]

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(Self.model(nameIsOptional: false), to: "Item.xcdatamodel/contents")
  }

  /// A model of items: `code` (unique), `name`, `count`, and a parent with its parts.
  static func model(nameIsOptional: Bool) -> String {
    """
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
      <entity name="Item" syncable="YES">
        <attribute name="code" attributeType="Integer 64"/>
        <attribute name="count" optional="YES" attributeType="Integer 16"/>
        <attribute name="name" attributeType="String"\(nameIsOptional ? " optional=\"YES\"" : "")/>
        <relationship name="parent" optional="YES" maxCount="1" destinationEntity="Item" inverseName="parts" \
    inverseEntity="Item"/>
        <relationship name="parts" optional="YES" toMany="YES" ordered="YES" destinationEntity="Item" \
    inverseName="parent" inverseEntity="Item"/>
        <uniquenessConstraints><uniquenessConstraint><constraint value="code"/></uniquenessConstraint></uniquenessConstraints>
      </entity>
    </model>
    """
  }

  // MARK: Inputs

  /// A CSV file of items; some of them are bad.
  @discardableResult func csv(_ codes: some Sequence<Int>, bad: Set<Int> = [], to name: String = "items.csv") throws
    -> String
  {
    try write(
      "code,name,count\n" + codes.map { "\($0),item \($0),\(bad.contains($0) ? "many" : "\($0 % 100)")\n" }.joined(),
      to: name)
  }

  /// An XML text of items.
  static func xml(_ codes: some Sequence<Int>) -> String {
    "<items>" + codes.map { "<item><code>\($0)</code><name>item \($0)</name></item>\n" }.joined() + "</items>\n"
  }

  @discardableResult func write(_ data: Data, to name: String) throws -> String { try folder.write(data, to: name) }

  @discardableResult func write(_ text: String, to name: String) throws -> String { try folder.write(text, to: name) }

  func path(_ name: String) -> String { folder.path(name) }

  // MARK: Runs

  /// Imports a file with more options.
  func `import`(_ words: String...) throws -> ToolRun {
    try ToolRun(["import"] + words + Self.options, in: url)
  }

  /// Runs any command.
  func run(_ words: [String]) throws -> ToolRun { try ToolRun(words, in: url) }

  /// Runs a script in which `$GANTRY` is the tool and `$OPTIONS` are the options of items, `$STORELESS` those but the store.
  func shell(_ script: String) throws -> ToolRun {
    try ToolRun(
      shell:
        "OPTIONS='\(Self.options.joined(separator: " "))' STORELESS='\(Self.options.dropLast(2).joined(separator: " "))'; \(script)",
      in: url)
  }

  /// Sets how the store keeps its transactions, as an app may have done.
  func setJournal(_ mode: String) throws {
    try Connection(path("items.sqlite"), .readWrite).setPragma("journal_mode", mode)
  }

  // MARK: What is there

  var hasStore: Bool { FileSystem.exists(path("items.sqlite")) }

  /// The store as text.
  func dump(_ store: String = "items.sqlite") throws -> String {
    try SQLitePersistentStore.dump(try Connection(path(store), .readOnly))
  }

  /// The values of a query, one row a line.
  func rows(_ query: String, of store: String = "items.sqlite") throws -> [String] {
    var rows: [String] = []
    let statement = try Connection(path(store), .readOnly).prepare(query)
    while try statement.step() {
      rows.append((0..<statement.columnCount).map { statement.text($0) ?? "NULL" }.joined(separator: " "))
    }
    return rows
  }

  /// The codes of all items, in the order of their keys.
  func codes(of store: String = "items.sqlite") throws -> [Int] {
    try rows("SELECT ZCODE FROM ZITEM ORDER BY Z_PK", of: store).compactMap(Int.init)
  }

  /// The text of a file.
  func text(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(fileURLWithPath: path(name))), as: UTF8.self)
  }

  /// What a run may not leave: locks, journals, stores that are not complete, copies of standard input.
  func leftovers() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: url.path).filter { name in
      name.hasPrefix(".") || [".lock", "-journal", "-wal", "-shm"].contains { name.hasSuffix($0) }
    }
  }
}
