import Diagnostics
import Foundation
import Migration
import ObjectGraph
import ObjectModel
import Predicates
import TestSupport
import Testing

@testable import Stack

/// `NSMigrationManager` as a program calls it: from one store to another, by a mapping model that is read, inferred or made.
struct MigrationManagerTests {
  private static let old = """
    <model><entity name="Team"><attribute name="name" optional="YES" attributeType="String"/>
    <relationship name="members" optional="YES" toMany="YES" destinationEntity="Member" inverseName="team" inverseEntity="Team"/>
    </entity><entity name="Member"><attribute name="name" optional="YES" attributeType="String"/>
    <attribute name="rank" optional="YES" attributeType="Integer 16"/>
    <relationship name="team" optional="YES" maxCount="1" destinationEntity="Team" inverseName="members" inverseEntity="Team"/>
    </entity></model>
    """
  /// Renamed, made required with a default, of another type, and added.
  private static let new = """
    <model><entity name="Team"><attribute name="title" optional="YES" attributeType="String" elementID="name"/>
    <relationship name="people" optional="YES" toMany="YES" destinationEntity="Person" inverseName="team" inverseEntity="Team" \
    elementID="members"/>
    </entity><entity name="Person" elementID="Member"><attribute name="name" optional="YES" attributeType="String"/>
    <attribute name="rank" attributeType="Integer 64" defaultValueString="7"/>
    <attribute name="note" optional="YES" attributeType="String"/>
    <relationship name="team" optional="YES" maxCount="1" destinationEntity="Team" inverseName="people" inverseEntity="Team"/>
    </entity></model>
    """

  private let folder: TemporaryFolder
  private let source: NSManagedObjectModel
  private let destination: NSManagedObjectModel
  private var from: URL { folder.url.appendingPathComponent("old.sqlite") }
  private var to: URL { folder.url.appendingPathComponent("new.sqlite") }

  /// A store with two teams and three members, one of them without a rank.
  init() throws {
    folder = try TemporaryFolder()
    let package = folder.url.appendingPathComponent("M.xcdatamodeld")
    for (text, name) in [(Self.old, "V1"), (Self.new, "V2")] {
      try folder.write(text, to: "M.xcdatamodeld/\(name).xcdatamodel/contents")
    }
    source = try NSManagedObjectModel(contentsOf: package, version: "V1")
    destination = try NSManagedObjectModel(contentsOf: package, version: "V2")
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: source)
    let store = try coordinator.addPersistentStore(type: .sqlite, at: from)
    coordinator.setMetadata(coordinator.metadata(for: store).merging(["app": "own"]) { $1 }, for: store)
    let context = NSManagedObjectContext(coordinator: coordinator)
    for (team, members) in [("red", ["Ada", "Bea"]), ("blue", ["Cy"])] {
      let object = NSEntityDescription.insertNewObject(forEntityName: "Team", into: context)
      object.setValue(team, forKey: "name")
      for (rank, name) in members.enumerated() {
        let member = NSEntityDescription.insertNewObject(forEntityName: "Member", into: context)
        member.setValue(name, forKey: "name")
        if rank > 0 { member.setValue(rank, forKey: "rank") }
        member.setValue(object, forKey: "team")
      }
    }
    try context.save()
  }

  private func people() throws -> [String] {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: destination)
    let store = try coordinator.addPersistentStore(type: .sqlite, at: to)
    #expect(coordinator.metadata(for: store)["app"] as? String == "own")
    let context = NSManagedObjectContext(coordinator: coordinator)
    return try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Person")).map { person in
      ["name", "rank", "note", "team.title"].map { "\(person.value(forKeyPath: $0) ?? "-")" }.joined(separator: " ")
    }.sorted()
  }

  private func leftovers() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.url.path).filter {
      $0.hasPrefix(".") || $0.hasSuffix("lock")
    }
  }

  // MARK: Tests

  /// A mapping that is inferred says the same where objects are made one by one.
  @Test(arguments: [true, false]) func inferred(olderLabels: Bool) throws {
    let before = try Data(contentsOf: from)
    let manager = NSMigrationManager(sourceModel: source, destinationModel: destination)
    let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: source, destinationModel: destination)
    if olderLabels {
      try manager.migrateStore(
        from: from, sourceType: NSSQLiteStoreType, options: nil, with: nil, toDestinationURL: to,
        destinationType: NSSQLiteStoreType, destinationOptions: nil)
    } else {
      try manager.migrateStore(from: from, type: .sqlite, mapping: mapping, to: to, type: .sqlite)
    }
    #expect(try people() == ["Ada 7 - red", "Bea 1 - red", "Cy 7 - blue"])
    #expect(try Data(contentsOf: from) == before)
    #expect(try leftovers() == [])
    #expect(manager.migrationProgress == 0)
  }

  /// An inferred mapping that a program changes: another expression, and a policy.
  @Test func changed() throws {
    final class Members: NSEntityMigrationPolicy {
      override func createDestinationInstances(
        forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
      ) throws {
        #expect(manager.currentEntityMapping === mapping)
        guard sInstance.value(forKey: "name") as? String != "Bea" else { return }
        try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
      }
    }
    Members.register()
    let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: source, destinationModel: destination)
    let people = try #require(mapping.entityMappingsByName["IEM_Transform_Person"])
    people.entityMigrationPolicyClassName = "Members"
    people.attributeMappings?.first { $0.name == "note" }?.valueExpression = try .init(format: "$source.team.name")
    try NSMigrationManager(sourceModel: source, destinationModel: destination)
      .migrateStore(from: from, type: .sqlite, mapping: mapping, to: to, type: .sqlite)
    #expect(try self.people() == ["Ada 7 red red", "Cy 7 blue blue"])
  }

  /// Several mapping models, one after the other, fill one store.
  @Test func passes() throws {
    let manager = NSMigrationManager(sourceModel: source, destinationModel: destination)
    for name in ["IEM_Transform_Team", "IEM_Transform_Person"] {
      let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: source, destinationModel: destination)
      mapping.entityMappings.removeAll { $0.name != name }
      try manager.migrateStore(from: from, type: .sqlite, mapping: mapping, to: to, type: .sqlite)
    }
    #expect(try people() == ["Ada 7 - -", "Bea 1 - -", "Cy 7 - -"])
    #expect(try leftovers() == [])
  }

  @Test func cancelled() throws {
    struct Stopped: Error {}
    let manager = NSMigrationManager(sourceModel: source, destinationModel: destination)
    manager.cancelMigrationWithError(Stopped())
    let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: source, destinationModel: destination)
    #expect(throws: Stopped.self) {
      try manager.migrateStore(from: from, type: .sqlite, mapping: mapping, to: to, type: .sqlite)
    }
    #expect(!FileManager.default.fileExists(atPath: to.path))
    #expect(try leftovers() == [])
    manager.reset()
    try manager.migrateStore(from: from, type: .sqlite, mapping: mapping, to: to, type: .sqlite)
    #expect(try people().count == 3)
  }

  static let refused: [Case<String, String>] = [
    Case("itself", "same", "cannot be filled out of itself"),
    Case("in memory", "memory", "a store of the type InMemory has no file"),
    Case("another model", "model", "is of another version of the model"),
    Case("an option", "option", "x is no option of a store"),
    Case(
      "an entity that is not there", "entity",
      "IEM_Transform_Team is of the entity Group, which its model does not have"),
    Case("another version", "hash", "IEM_Transform_Team is for another version of the entity Team"),
  ]

  @Test(arguments: refused) func refuses(_ test: Case<String, String>) throws {
    let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: source, destinationModel: destination)
    let team = try #require(mapping.entityMappingsByName["IEM_Transform_Team"])
    if test.input == "entity" { team.destinationEntityName = "Group" }
    if test.input == "hash" { team.sourceEntityVersionHash = Data([1]) }
    let before = try Data(contentsOf: from)
    let manager = NSMigrationManager(
      sourceModel: test.input == "model" ? destination : source, destinationModel: destination)
    let error = #expect(throws: Diagnostic.self) {
      try manager.migrateStore(
        from: from, type: test.input == "memory" ? .inMemory : .sqlite,
        options: test.input == "option" ? ["x": 1] : nil,
        mapping: mapping, to: test.input == "same" ? from : to, type: .sqlite)
    }
    #expect(error?.message.contains(test.expected) == true, "\(error?.message ?? "")")
    #expect(try Data(contentsOf: from) == before)
    #expect(!FileManager.default.fileExists(atPath: to.path))
    #expect(try leftovers() == [])
  }

  /// A mapping model is found among resources by the versions that it is for, and read by its place.
  @Test func found() throws {
    func object(_ id: String, _ type: String, _ attributes: [String: String], _ relationships: [String: String])
      -> String
    {
      let keys = attributes.sorted { $0.key < $1.key }.map {
        "<attribute name=\"\($0)\" type=\"string\">\($1)</attribute>"
      }
      let links = relationships.sorted { $0.key < $1.key }.map {
        "<relationship name=\"\($0)\" type=\"0/0\" destination=\"X\" idrefs=\"\($1)\"></relationship>"
      }
      return "<object type=\"\(type)\" id=\"\(id)\">\(keys.joined())\(links.joined())</object>"
    }
    try folder.write(
      "<database><databaseInfo/>"
        + object(
          "z1", "XDDEVMAPPINGMODEL",
          [
            "sourcemodelpath": "A/M.xcdatamodeld/V1.xcdatamodel",
            "destinationmodelpath": "A/M.xcdatamodeld/V2.xcdatamodel",
          ],
          ["entitymappings": "z2"])
        + object(
          "z2", "XDDEVENTITYMAPPING", ["mappingnumber": "1", "sourcename": "Member", "destinationname": "Person"],
          ["attributemappings": "z3"]) + object("z3", "XDDEVATTRIBUTEMAPPING", ["name": "name"], [:])
        + "</database>", to: "V1toV2.xcmappingmodel/xcmapping.xml")
    let bundle = try #require(Bundle(url: folder.url))
    let found = try #require(NSMappingModel(from: [bundle], forSourceModel: source, destinationModel: destination))
    #expect(found.entityMappings.map(\.name) == ["MemberToPerson"])
    #expect(NSMappingModel(from: [bundle], forSourceModel: destination, destinationModel: source) == nil)
    #expect(NSMappingModel(from: nil, forSourceModel: source, destinationModel: destination) == nil)
    let url = folder.url.appendingPathComponent("V1toV2.xcmappingmodel")
    let read = try NSMappingModel(contentsOf: url, forSourceModel: source, destinationModel: destination)
    try NSMigrationManager(sourceModel: source, destinationModel: destination)
      .migrateStore(from: from, type: .sqlite, mapping: read, to: to, type: .sqlite)
    #expect(try people() == ["Ada 7 - -", "Bea 7 - -", "Cy 7 - -"])
    #expect(throws: Diagnostic.self) {
      try NSMappingModel(contentsOf: url, forSourceModel: destination, destinationModel: source)
    }
  }
}
