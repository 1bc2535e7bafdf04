import Diagnostics
import Foundation
import ObjectGraph
import ObjectModel
import TestSupport
import Testing

@testable import Stack

struct ManagedObjectStorageTests {
  @Test func makesAndOpens() throws {
    let folder = try TemporaryFolder()
    try Fixtures.write(Fixtures.contents(), as: "Contacts", in: folder)
    let url = folder.url.appendingPathComponent("contacts.sqlite")
    let first = try ManagedObjectStorage(fileURL: url, modelName: "Contacts")
    let contact = NSEntityDescription.insertNewObject(forEntityName: "Contact", into: first.viewContext)
    contact.setValue("Ada", forKey: "name")
    try first.viewContext.save()

    let second = try ManagedObjectStorage(fileURL: url, modelName: "Contacts")
    #expect(second.managedObjectModel !== first.managedObjectModel)
    #expect(second.movedAside == nil)
    let uri = contact.objectID.uriRepresentation()
    let id = try #require(second.persistentStoreCoordinator.managedObjectID(forURIRepresentation: uri))
    let read = try second.newBackgroundContext().existingObject(with: id)
    #expect(read.value(forKey: "name") as? String == "Ada")
  }

  /// The store's own folder comes first, then the others in their order.
  @Test func whereModelsAre() throws {
    let folder = try TemporaryFolder()
    let folders = ["a", "b"].map { folder.url.appendingPathComponent($0) }
    func entity() throws -> String? {
      let url = folder.url.appendingPathComponent("\(UUID().uuidString).sqlite")
      return try ManagedObjectStorage(fileURL: url, modelName: "M", folders: folders).managedObjectModel.entities.first?
        .name
    }
    do {
      _ = try entity()
      Issue.record("there is no model yet")
    } catch let error as Diagnostic {
      #expect(
        error.message.hasPrefix(
          "there is no model M (.momd, .mom, .xcdatamodeld) in \(folder.url.path), \(folders[0].path), \(folders[1].path), "
        ))
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
    for (path, name) in [("b/", "B"), ("a/", "A"), ("", "Own")] {
      try Fixtures.write(Fixtures.contents(entity: name), as: "M", in: folder, at: path)
      #expect(try entity() == name)
    }
  }

  /// A compiled model goes before its source.
  @Test(.enabled(if: Shared.isThere, Shared.comment))
  func compiledModelsFirst() throws {
    let folder = try TemporaryFolder()
    try Fixtures.write(Fixtures.contents(), as: "M", in: folder)
    let models = try Shared.url("corpus/models")
    let files = FileManager.default.enumerator(at: models, includingPropertiesForKeys: nil)
    let compiled = files?.lazy.compactMap { $0 as? URL }.first { $0.pathExtension == "mom" }
    try FileManager.default.copyItem(
      at: try #require(compiled, "the corpus has compiled models"), to: folder.url.appendingPathComponent("M.mom"))
    let model = try ModelFinder.model("M", in: [folder.url])
    #expect(model.entitiesByName["Contact"] == nil && !model.entities.isEmpty)
  }

  /// Stores that cannot be opened: as damaged, as of another model.
  static let unopened: [Case<String, String>] = [
    Case("damaged", "damaged", "store.not-sqlite"),
    Case("of another model", "other", "migration.source-unknown"),
  ]

  @Test(arguments: unopened)
  func reportsAndTouchesNothing(_ c: Case<String, String>) throws {
    let folder = try unopenedStore(c.input)
    let before = try Fixtures.files(of: folder.url)
    do {
      _ = try ManagedObjectStorage(fileURL: folder.url.appendingPathComponent("s.sqlite"), modelName: "M")
      Issue.record("the store is \(c.name)")
    } catch { #expect(error.code.name == c.expected) }
    #expect(try Fixtures.files(of: folder.url) == before)
  }

  @Test(arguments: unopened)
  func movesAside(_ c: Case<String, String>) throws {
    let folder = try unopenedStore(c.input)
    try folder.write("x", to: ".s_SUPPORT/_EXTERNAL_DATA/x")
    let url = folder.url.appendingPathComponent("s.sqlite")
    let old = try Data(contentsOf: url)
    for name in ["s.old.sqlite", "s.old-2.sqlite"] {
      let storage = try ManagedObjectStorage(fileURL: url, modelName: "M", recreate: true)
      #expect(storage.movedAside?.lastPathComponent == name)
      #expect(try Data(contentsOf: folder.url.appendingPathComponent(name)) == old)
      #expect(try ManagedObjectStorage(fileURL: url, modelName: "M", recreate: true).movedAside == nil)
      try old.write(to: url)
    }
    #expect(FileManager.default.fileExists(atPath: folder.path(".s.old_SUPPORT/_EXTERNAL_DATA/x")))
  }

  /// Classes are registered before the first object is made.
  @Test func prepares() throws {
    let folder = try TemporaryFolder()
    let contents = Fixtures.contents().replacing(
      "name=\"Contact\"", with: "name=\"Contact\" representedClassName=\"Contact\"")
    try Fixtures.write(contents, as: "M", in: folder)
    let storage = try ManagedObjectStorage(
      fileURL: folder.url.appendingPathComponent("s.sqlite"), modelName: "M", prepare: { $0.register(Contact.self) })
    #expect(NSEntityDescription.insertNewObject(forEntityName: "Contact", into: storage.viewContext) is Contact)
  }

  /// A folder with a model and a store that is not of it.
  private func unopenedStore(_ kind: String) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let url = folder.url.appendingPathComponent("s.sqlite")
    if kind == "damaged" {
      try folder.write("not a database, but long enough to be taken for one by its size", to: "s.sqlite")
    } else {
      try Fixtures.write(Fixtures.contents(attribute: "nome"), as: "Other", in: folder)
      _ = try ManagedObjectStorage(fileURL: url, modelName: "Other")
    }
    try Fixtures.write(Fixtures.contents(), as: "M", in: folder)
    return folder
  }
}

private final class Contact: NSManagedObject {}
