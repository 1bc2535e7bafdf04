import Bytes
import Diagnostics
import Foundation
import Migration
import ObjectGraph
import ObjectModel
import TestSupport
import Testing

@testable import Stack

/// Migrations by stages: the way through them, their handlers, and a store that stays until the last is complete.
struct StagedMigrationTests {
  // MARK: The ground

  /// V1 to V2, V2 to V3 and V3 to V4 can be inferred, V2 to V4 as well; V1 to V3 and V1 to V4 cannot: `a` is a text, then gone, then
  /// a number.
  private static let versions = [
    "V1": attribute("a", "String") + attribute("name", "String"),
    "V2": attribute("name", "String"),
    "V3": attribute("a", "Integer 16") + attribute("name", "String"),
    "V4": attribute("a", "Integer 16") + attribute("name", "String") + attribute("more", "Double"),
  ]

  private static func attribute(_ name: String, _ type: String, _ more: String = "optional=\"YES\"") -> String {
    "<attribute name=\"\(name)\" attributeType=\"\(type)\" \(more)/>"
  }

  private struct Ground {
    let folder: TemporaryFolder
    let store: URL

    /// A folder with a model of some versions, and a store of one of them with a note.
    init(_ versions: [String: String], store version: String) throws {
      folder = try TemporaryFolder()
      for (name, attributes) in versions {
        try folder.write(
          "<model><entity name=\"Note\">\(attributes)</entity></model>",
          to: "M.xcdatamodeld/\(name).xcdatamodel/contents")
      }
      store = folder.url.appendingPathComponent("s.sqlite")
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try model(version))
      try coordinator.addPersistentStore(type: .sqlite, at: store)
      let context = NSManagedObjectContext(coordinator: coordinator)
      let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
      note.setValue("Ada", forKey: "name")
      try context.save()
    }

    func model(_ version: String) throws -> NSManagedObjectModel {
      let model = try NSManagedObjectModel(
        contentsOf: folder.url.appendingPathComponent("M.xcdatamodeld"), version: version)
      return model
    }

    func checksum(_ version: String) throws -> String { try model(version).versionChecksum }

    func reference(_ version: String) throws -> NSManagedObjectModelReference {
      let model = try model(version)
      return NSManagedObjectModelReference(model: model, versionChecksum: model.versionChecksum)
    }

    func lightweight(_ versions: String...) throws -> NSMigrationStage {
      NSLightweightMigrationStage(try versions.map(checksum))
    }

    func custom(_ from: String, _ to: String) throws -> NSCustomMigrationStage {
      let stage = NSCustomMigrationStage(migratingFrom: try reference(from), to: try reference(to))
      stage.label = "\(from) to \(to)"
      return stage
    }

    /// Opens the store by its stages, as a version.
    @discardableResult
    func open(_ version: String, _ stages: [NSMigrationStage]) throws -> NSManagedObjectContext {
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try model(version))
      try coordinator.addPersistentStore(
        type: .sqlite, at: store,
        options: [
          NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
          NSPersistentStoreStagedMigrationManagerOptionKey: NSStagedMigrationManager(stages),
        ])
      return NSManagedObjectContext(coordinator: coordinator)
    }

    func notes(_ context: NSManagedObjectContext) throws -> [NSManagedObject] {
      try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note"))
    }
  }

  // MARK: The way

  /// Stages as people have tried them on Apple's framework: `12` is a custom stage from V1 to V2, `[3,4]` a lightweight one.
  ///
  /// What Apple's refuses since it does not step through lightweight stages goes through here.
  static let ways: [Case<[String], String>] = [
    Case("lightweight alone, V1 to V3", ["V3", "[1,2,3]"], "done"),
    Case("one lightweight stage for each", ["V3", "[1]", "[2]", "[3]"], "done"),
    Case("custom, then lightweight", ["V3", "12", "[3]"], "done"),
    Case("lightweight, then custom", ["V3", "[1]", "23"], "done"),
    Case("custom stages", ["V3", "12", "23"], "done"),
    Case("custom, then two lightweight versions", ["V4", "12", "[3,4]"], "done"),
    Case("custom between lightweight", ["V4", "[1]", "23", "[4]"], "done"),
    Case("a lightweight stage around a custom one", ["V4", "[1,4]", "23"], "done"),
    Case("two lightweight stages", ["V4", "[1,2]", "[3,4]"], "done"),
    Case("the destination is named nowhere", ["V4", "12"], "done"),
    Case(
      "a custom stage that comes before", ["V4", "23", "[1,4]"],
      "no mapping can be inferred: Note.a: type String -> Integer 16"),
    Case("backwards", ["V4", "[3,4]", "12"], "the stages lead from V4 to V1"),
    Case("a version in two stages", ["V3", "[1,2]", "[3]", "12"], "the version V1 is in several stages"),
    Case("a store of no stage", ["V4", "23", "[4]"], "the store is of the version V1, which is in no stage"),
    Case("a stage of one version", ["V3", "11", "23"], "a custom stage leads from the version V1 to itself"),
  ]

  @Test(arguments: ways)
  func leads(_ test: Case<[String], String>) throws {
    let ground = try Ground(Self.versions, store: "V1")
    let before = try Data(contentsOf: ground.store)
    let stages = try test.input.dropFirst().map { word -> NSMigrationStage in
      let numbers = word.filter(\.isNumber).map { "V\($0)" }
      if word.hasPrefix("[") { return NSLightweightMigrationStage(try numbers.map(ground.checksum)) }
      return try ground.custom(numbers[0], numbers[1])
    }
    do {
      let context = try ground.open(test.input[0], stages)
      #expect(test.expected == "done")
      #expect(try ground.notes(context).map { $0.value(forKey: "name") as? String } == ["Ada"])
    } catch let error as Diagnostic {
      #expect(error.message.contains(test.expected), "\(error.message)")
      #expect(try Data(contentsOf: ground.store) == before)
    }
    let files = try FileManager.default.contentsOfDirectory(atPath: ground.folder.url.path).sorted()
    #expect(files == ["M.xcdatamodeld", "s.sqlite"])
  }

  // MARK: Handlers

  private static let steps = [
    "V1": attribute("name", "String")
      + attribute("photo", "Binary", "optional=\"YES\" allowsExternalBinaryDataStorage=\"YES\""),
    "V2": attribute("name", "String", "")
      + attribute("photo", "Binary", "optional=\"YES\" allowsExternalBinaryDataStorage=\"YES\"")
      + attribute("length", "Integer 32"),
    "V3": attribute("title", "String", "elementID=\"name\"")
      + attribute("photo", "Binary", "optional=\"YES\" allowsExternalBinaryDataStorage=\"YES\"")
      + attribute("length", "Integer 32"),
  ]

  private static func photo(_ byte: UInt8) -> Data { Data(repeating: byte, count: 200_000) }

  /// A store of three notes: one without a name, which becomes required; all have photos in files of their own.
  private static func handled() throws -> Ground {
    let ground = try Ground(steps, store: "V1")
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try ground.model("V1"))
    try coordinator.addPersistentStore(type: .sqlite, at: ground.store)
    let context = NSManagedObjectContext(coordinator: coordinator)
    try ground.notes(context)[0].setValue(photo(1), forKey: "photo")
    for byte in 2...3 as ClosedRange<UInt8> {
      let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
      note.setValue(photo(byte), forKey: "photo")
      if byte == 2 { note.setValue("Bea", forKey: "name") }
    }
    try context.save()
    return ground
  }

  /// Names that are missing are filled in before the name becomes required, and lengths when there is a place for them; a photo is
  /// replaced and another removed on the way.
  private static func stages(_ ground: Ground, failing: Bool = false) throws -> [NSMigrationStage] {
    let stage = try ground.custom("V1", "V2")
    stage.willMigrateHandler = { manager, stage in
      let container = try #require(manager.container)
      #expect(container.managedObjectModel.versionChecksum == stage.currentModel.versionChecksum)
      let context = container.newBackgroundContext()
      for note in try ground.notes(context) where note.value(forKey: "name") == nil {
        note.setValue("nobody", forKey: "name")
        note.setValue(photo(9), forKey: "photo")
      }
      try context.save()
    }
    stage.didMigrateHandler = { manager, _ in
      let context = try #require(manager.container).viewContext
      for note in try ground.notes(context) {
        let name = try #require(note.value(forKey: "name") as? String)
        note.setValue(name.count, forKey: "length")
        if name == "Bea" { note.setValue(nil, forKey: "photo") }
      }
      try context.save()
    }
    let last = try ground.custom("V2", "V3")
    struct Failure: Error {}
    if failing { last.didMigrateHandler = { _, _ in throw Failure() } }
    return [stage, last]
  }

  private static func files(_ ground: Ground) throws -> [String: Data] {
    let names = FileManager.default.enumerator(atPath: ground.folder.url.path)?.compactMap { $0 as? String } ?? []
    let pairs = names.filter { !$0.hasPrefix("M.") }.map { name in
      (name, (try? Data(contentsOf: ground.folder.url.appendingPathComponent(name))) ?? Data())
    }
    return Dictionary(uniqueKeysWithValues: pairs)
  }

  @Test func handlersChangeTheRows() throws {
    let ground = try Self.handled()
    let context = try ground.open("V3", Self.stages(ground))
    let notes = try ground.notes(context).sorted {
      ($0.value(forKey: "title") as? String ?? "") < ($1.value(forKey: "title") as? String ?? "")
    }
    #expect(notes.map { $0.value(forKey: "title") as? String } == ["Ada", "Bea", "nobody"])
    #expect(notes.map { ($0.value(forKey: "length") as? NSNumber)?.intValue } == [3, 3, 6])
    #expect(notes.map { $0.value(forKey: "photo") as? Data } == [Self.photo(1), nil, Self.photo(9)])
    let files = try Self.files(ground).keys.sorted()
    #expect(files.filter { $0.hasPrefix(".s_SUPPORT/_EXTERNAL_DATA/") }.count == 2, "\(files)")
    #expect(!files.contains { $0.contains("migrating") || $0.hasPrefix("..") })
  }

  /// Whatever handlers have saved, the store and its files stay until the last stage is complete.
  @Test func failingHandlerLeavesTheStore() throws {
    let ground = try Self.handled()
    let before = try Self.files(ground)
    let error = #expect(throws: Diagnostic.self) { try ground.open("V3", Self.stages(ground, failing: true)) }
    #expect(error?.message.hasPrefix("a handler of the stage V2 to V3 failed: Failure") == true)
    #expect(try Self.files(ground) == before)
    #expect(throws: Diagnostic.self) { try ground.open("V3", [ground.lightweight("V1", "V2", "V3")]) }
    #expect(try Self.files(ground) == before)
  }

  @Test func containerTakesTheOption() throws {
    let ground = try Self.handled()
    let container = NSPersistentContainer(name: "M", managedObjectModel: try ground.model("V3"))
    let description = NSPersistentStoreDescription(url: ground.store)
    let manager = NSStagedMigrationManager(try Self.stages(ground))
    description.setOption(manager, forKey: NSPersistentStoreStagedMigrationManagerOptionKey)
    #expect(
      description.options[NSPersistentStoreStagedMigrationManagerOptionKey] as? NSStagedMigrationManager === manager)
    container.persistentStoreDescriptions = [description]
    var errors: [String] = []
    container.loadPersistentStores { if let error = $1 { errors.append("\(error)") } }
    #expect(errors == [])
    #expect(try ground.notes(container.viewContext).count == 3)
    #expect(manager.container == nil && manager.stages.count == 2)
  }

  // MARK: References and options

  @Test func referencesResolve() throws {
    let ground = try Ground(Self.versions, store: "V1")
    let package = ground.folder.url.appendingPathComponent("M.xcdatamodeld")
    let bundle = try #require(Bundle(url: ground.folder.url))
    let (model, checksum) = (try ground.model("V2"), try ground.checksum("V2"))
    let references = [
      NSManagedObjectModelReference(model: model, versionChecksum: checksum),
      NSManagedObjectModelReference(fileURL: package, versionChecksum: checksum),
      NSManagedObjectModelReference(
        fileURL: package.appendingPathComponent("V2.xcdatamodel"), versionChecksum: checksum),
      NSManagedObjectModelReference(name: "V2", in: bundle, versionChecksum: checksum),
      NSManagedObjectModelReference(name: "M", in: bundle, versionChecksum: checksum),
      NSManagedObjectModelReference(
        entityVersionHashes: model.entityVersionHashesByName, in: bundle, versionChecksum: checksum),
    ]
    for reference in references { #expect(try reference.resolvedModel.versionChecksum == checksum) }
    let wrong = [
      NSManagedObjectModelReference(model: model, versionChecksum: "other"),
      NSManagedObjectModelReference(name: "V3", in: bundle, versionChecksum: checksum),
      NSManagedObjectModelReference(name: "nobody", in: bundle, versionChecksum: checksum),
    ]
    for reference in wrong {
      let error = #expect(throws: Diagnostic.self) { try reference.resolvedModel }
      #expect(error?.message.contains("no model of the checksum") == true)
    }
  }

  @Test func optionsAreChecked() throws {
    let ground = try Ground(Self.versions, store: "V1")
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try ground.model("V1"))
    for (option, text) in [
      ([NSPersistentStoreStagedMigrationManagerOptionKey: 1] as [String: Any], "is of another type"),
      ([NSReadOnlyPersistentStoreOption: "yes"], "is of another type"), (["other": 1], "other is no option of a store"),
    ] {
      let error = #expect(throws: Diagnostic.self) {
        try coordinator.addPersistentStore(type: .sqlite, at: ground.store, options: option)
      }
      #expect(error?.message.contains(text) == true, "\(String(describing: error))")
    }
  }
}
