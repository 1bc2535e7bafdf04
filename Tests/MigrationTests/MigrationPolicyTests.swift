import Diagnostics
import Foundation
import ObjectGraph
import ObjectModel
import Predicates
import SQLiteDriver
import SQLiteStore
import TestSupport
import Testing

@testable import Migration

/// Policies of one's own, in every pass, and what value expressions call.
@Suite(.serialized)
struct MigrationPolicyTests {
  private static let old = """
    <model><entity name="Note"><attribute name="text" optional="YES" attributeType="String"/>
    <attribute name="image" optional="YES" attributeType="Binary"/>
    <relationship name="parent" optional="YES" maxCount="1" destinationEntity="Note" inverseName="parts" inverseEntity="Note"/>
    <relationship name="parts" optional="YES" toMany="YES" destinationEntity="Note" inverseName="parent" inverseEntity="Note"/>
    </entity></model>
    """
  private static let new = """
    <model><entity name="Note"><attribute name="text" optional="YES" attributeType="String"/>
    <attribute name="length" optional="YES" attributeType="Integer 32"/>
    <relationship name="attachments" optional="YES" toMany="YES" destinationEntity="Attachment" inverseName="note" \
    inverseEntity="Attachment"/>
    <relationship name="parent" optional="YES" maxCount="1" destinationEntity="Note" inverseName="parts" inverseEntity="Note"/>
    <relationship name="parts" optional="YES" toMany="YES" destinationEntity="Note" inverseName="parent" inverseEntity="Note"/>
    </entity><entity name="Attachment"><attribute name="image" attributeType="Binary"/>
    <relationship name="note" maxCount="1" destinationEntity="Note" inverseName="attachments" inverseEntity="Note"/>
    </entity></model>
    """

  /// What a policy was called for, in order.
  final class Calls: @unchecked Sendable {
    static let shared = Calls()
    var names: [String] = []
  }

  final class NotePolicy: NSEntityMigrationPolicy {
    override var functions: [String: ([Any?]) throws -> Any?] {
      ["lengthOf:": { arguments in (arguments.first as? String)?.count }]
    }
    override func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws {
      Calls.shared.names.append("begin")
      manager.userInfo = ["sum": 0]
    }
    override func createDestinationInstances(
      forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
      try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
      let made = manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [sInstance])
      let sum = manager.userInfo?["sum"] as? Int ?? 0
      manager.userInfo?["sum"] = sum + made.count
    }
    override func endInstanceCreation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {
      Calls.shared.names.append("created \(manager.userInfo?["sum"] ?? "")")
    }
    override func endRelationshipCreation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {
      Calls.shared.names.append("related")
    }
    override func performCustomValidation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {
      Calls.shared.names.append("validated")
    }
    override func end(_ mapping: NSEntityMapping, manager: NSMigrationManager) throws {
      Calls.shared.names.append("end")
    }
  }

  /// Fails in the pass that its mapping names.
  final class FailingPolicy: NSEntityMigrationPolicy {
    struct Failure: Error, CustomStringConvertible { var description: String { "no more" } }
    private func pass(_ name: String, _ mapping: NSEntityMapping) throws {
      if mapping.userInfo?["fails"] as? String == name { throw Failure() }
    }
    override var functions: [String: ([Any?]) throws -> Any?] { ["fail:": { _ in throw Failure() }] }
    override func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws {
      try pass("begin", mapping)
    }
    override func createDestinationInstances(
      forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
      try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
      try pass("create", mapping)
    }
    override func endInstanceCreation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {
      try pass("created", mapping)
    }
    override func createRelationships(
      forDestination dInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
      try pass("relate", mapping)
    }
    override func endRelationshipCreation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {
      try pass("related", mapping)
    }
    override func performCustomValidation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {
      try pass("validate", mapping)
    }
    override func end(_ mapping: NSEntityMapping, manager: NSMigrationManager) throws {
      try pass("end", mapping)
    }
  }

  private static func mapping(_ name: String, _ destination: String, policy: String? = nil) -> NSEntityMapping {
    let mapping = NSEntityMapping()
    mapping.name = name
    (mapping.sourceEntityName, mapping.destinationEntityName) = ("Note", destination)
    mapping.entityMigrationPolicyClassName = policy
    return mapping
  }

  private static func property(_ name: String, _ expression: String) throws -> NSPropertyMapping {
    let property = NSPropertyMapping()
    property.name = name
    property.valueExpression = try ExpressionTree(format: expression)
    return property
  }

  private static func model(policy: String?) throws -> NSMappingModel {
    let notes = mapping("NoteToNote", "Note", policy: policy)
    notes.attributeMappings = [
      try property("text", "$source.text"),
      try property("length", policy == "NotePolicy" ? "FUNCTION($entityPolicy, 'lengthOf:', $source.text)" : "1 + 1"),
    ]
    notes.relationshipMappings = [
      try property(
        "parent",
        "FUNCTION($manager, 'destinationInstancesForEntityMappingNamed:sourceInstances:', 'NoteToNote', $source.parent)"
      )
    ]
    let attachments = mapping("NoteToAttachment", "Attachment")
    attachments.sourcePredicateFormat = "image != nil"
    attachments.attributeMappings = [try property("image", "$source.image")]
    attachments.relationshipMappings = [
      try property(
        "note",
        "FUNCTION($manager, 'destinationInstancesForEntityMappingNamed:sourceInstances:', 'NoteToNote', $source)")
    ]
    let model = NSMappingModel()
    model.entityMappings = [notes, attachments]
    return model
  }

  private static func migrate(
    _ model: NSMappingModel, rows count: Int, in folder: TemporaryFolder,
    prepare: (NSMigrationManager, _ store: URL) throws -> Void = { _, _ in }
  ) throws -> URL {
    func read(_ text: String, _ name: String) throws -> NSManagedObjectModel {
      try NSManagedObjectModel(
        contentsOf: URL(fileURLWithPath: folder.write(text, to: "\(name).xcdatamodel/contents")))
    }
    let (source, destination) = (try read(old, "V1"), try read(new, "V2"))
    let store = folder.url.appendingPathComponent("s.sqlite")
    let empty = try SQLitePersistentStore.create(at: store, model: source)
    empty.metadata["app"] = "own"
    try empty.save(StoreChanges())
    let connection = try Connection(store.path, .readWrite)
    try connection.execute(
      """
      WITH RECURSIVE n(k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM n WHERE k < \(count))
      INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT, ZIMAGE, ZPARENT)
      SELECT k * 2, 1, 1, 'note ' || k, CASE WHEN k % 3 = 0 THEN CAST('i' || k AS BLOB) END,
        CASE WHEN k > 1 THEN (k / 2) * 2 END FROM n;
      UPDATE Z_PRIMARYKEY SET Z_MAX = \(count * 2)
      """)
    let manager = NSMigrationManager(sourceModel: source, destinationModel: destination)
    try prepare(manager, store)
    let migrator = try SQLiteStoreMigrator(of: store)
    try migrator.begin()
    defer { migrator.end() }
    try manager.run(model, in: migrator.beginObjects(source, destination)) { _ in }
    #expect(manager.migrationProgress == 0)
    manager.reset()
    try migrator.finishObjects()
    #expect(try migrator.check(source, destination).newFindings == [])
    try migrator.exchange(backup: nil)
    return store
  }

  private static func value(_ sql: String, _ store: URL) throws -> String {
    let select = try Connection(store.path, .readOnly).prepare(sql)
    return try select.step() ? (0..<select.columnCount).map { select.text($0) ?? "NULL" }.joined(separator: "|") : ""
  }

  /// More objects than one batch has: links lead over batches, and a second mapping finds what the first made.
  @Test func passes() throws {
    NotePolicy.register()
    Calls.shared.names = []
    let folder = try TemporaryFolder()
    let store = try Self.migrate(
      Self.model(policy: "App.NotePolicy".split(separator: ".").last.map(String.init)), rows: 1200, in: folder)
    #expect(try SQLitePersistentStore.metadata(at: store)["app"] as? String == "own")
    #expect(Calls.shared.names == ["begin", "created 1200", "related", "validated", "end"])
    #expect(try Self.value("SELECT COUNT(*), SUM(ZLENGTH), COUNT(ZPARENT) FROM ZNOTE", store) == "1200|9693|1199")
    #expect(try Self.value("SELECT COUNT(*), COUNT(ZNOTE) FROM ZATTACHMENT", store) == "400|400")
    #expect(
      try Self.value(
        "SELECT COUNT(*) FROM ZATTACHMENT a JOIN ZNOTE n ON n.Z_PK = a.ZNOTE "
          + "WHERE 'i' || substr(n.ZTEXT, 6) = CAST(a.ZIMAGE AS TEXT)", store) == "400")
    #expect(
      try Self.value(
        "SELECT COUNT(*) FROM ZNOTE n JOIN ZNOTE p ON p.Z_PK = n.ZPARENT "
          + "WHERE substr(n.ZTEXT, 6) / 2 = CAST(substr(p.ZTEXT, 6) AS INTEGER)", store) == "1199")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted().last == "s.sqlite")
  }

  @Test func defaultPolicy() throws {
    let folder = try TemporaryFolder()
    let store = try Self.migrate(Self.model(policy: nil), rows: 3, in: folder)
    #expect(try Self.value("SELECT COUNT(*), SUM(ZLENGTH) FROM ZNOTE", store) == "3|6")
  }

  /// The old store stays byte by byte, whichever pass fails.
  @Test(arguments: ["begin", "create", "created", "relate", "related", "validate", "end", "function", "cancelled"])
  func failing(_ pass: String) throws {
    FailingPolicy.register()
    let model = try Self.model(policy: "FailingPolicy")
    model.entityMappings[0].userInfo = ["fails": pass]
    if pass == "function" {
      model.entityMappings[0].attributeMappings?[1] = try Self.property(
        "length", "FUNCTION($entityPolicy, 'fail:', $source.text)")
    }
    let folder = try TemporaryFolder()
    var before: Data?
    let error = #expect(throws: (any Error).self) {
      _ = try Self.migrate(model, rows: 3, in: folder) { manager, store in
        before = try Data(contentsOf: store)
        if pass == "cancelled" { manager.cancelMigrationWithError(FailingPolicy.Failure()) }
      }
    }
    let message = (error as? Diagnostic)?.message ?? "\(error as Any)"
    let expected =
      pass == "cancelled" ? "no more" : "the policy FailingPolicy of the mapping NoteToNote failed: no more"
    #expect(message.contains(expected), "\(message)")
    #expect(try Data(contentsOf: folder.url.appendingPathComponent("s.sqlite")) == before)
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).filter { $0.hasPrefix(".") }
    #expect(left == [])
  }

  @Test func unregistered() throws {
    let error = #expect(throws: Diagnostic.self) {
      _ = try Self.migrate(Self.model(policy: "NobodysPolicy"), rows: 3, in: TemporaryFolder())
    }
    #expect(
      error?.message == "the mapping NoteToNote wants the policy NobodysPolicy, which no program has registered")
  }

  static let expressions: [Case<String, String>] = [
    Case(
      "another function of the manager", "FUNCTION($manager, 'fetch:', $source)",
      "nothing answers FUNCTION(…, \"fetch:\")"),
    Case(
      "a function that a policy has not", "FUNCTION($entityPolicy, 'f:', $source.text)",
      "the policy NSEntityMigrationPolicy has no function f:"),
    Case("a value of another type", "'many'", "NoteToNote, length"),
    Case("an unknown key", "$source.colour", "NoteToNote, length"),
  ]

  @Test(arguments: expressions)
  func refusedExpressions(_ test: Case<String, String>) throws {
    let model = try Self.model(policy: nil)
    model.entityMappings[0].attributeMappings?[1] = try Self.property("length", test.input)
    let error = #expect(throws: Diagnostic.self) {
      _ = try Self.migrate(model, rows: 1, in: TemporaryFolder())
    }
    #expect(error?.message.contains(test.expected) == true, "\(error?.message ?? "")")
  }
}
