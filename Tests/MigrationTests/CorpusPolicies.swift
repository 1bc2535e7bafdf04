import Foundation
import ObjectGraph
import ObjectModel

@testable import Migration

/// What the policies below were called for, in order, once for each that follows itself.
final class PolicyCalls: @unchecked Sendable {
  static let shared = PolicyCalls()
  private(set) var names: [String] = []

  func note(_ name: String) { if names.last != name { names.append(name) } }
  func clear() { names = [] }
}

// MARK: - Policies by the names that mapping models of public apps call, which do what each mapping needs

/// Creatures get what follows from their number of flippers.
final class Advanced_EvolutionDemo_V2_FromV1MigrationPolicy: NSEntityMigrationPolicy {
  struct Miscounted: Error {}

  override func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    PolicyCalls.shared.note("create")
    try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    let made = manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [sInstance])
    let flagella = sInstance.value(forKey: "numberOfFlagella") as? Int ?? 0
    for creature in made {
      creature.setValue(flagella > 5, forKey: "hasTail")
      creature.setValue(flagella % 2 == 1, forKey: "hasVertebrae")
    }
  }

  override func performCustomValidation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {
    PolicyCalls.shared.note("validate")
    let made = manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: nil)
    let sources = manager.sourceInstances(forEntityMappingName: mapping.name, destinationInstances: nil)
    guard made.count == sources.count, !made.isEmpty else { throw Miscounted() }
  }
}

/// Countries get continents, one for each code that they had.
final class Country5ToCountry6Policy: NSEntityMigrationPolicy {
  private var continents: [Int: NSManagedObject] = [:]

  override func endInstanceCreation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {
    PolicyCalls.shared.note("created")
    for country in manager.sourceInstances(forEntityMappingName: mapping.name, destinationInstances: nil) {
      guard let code = country.value(forKey: "isoContinent") as? Int, continents[code] == nil else { continue }
      let continent = NSEntityDescription.insertNewObject(
        forEntityName: "Continent", into: manager.destinationContext)
      continent.setValue(code, forKey: "numericISO3166Code")
      continents[code] = continent
    }
  }

  override func createRelationships(
    forDestination dInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    PolicyCalls.shared.note("relate")
    try super.createRelationships(forDestination: dInstance, in: mapping, manager: manager)
    let country = manager.sourceInstances(forEntityMappingName: mapping.name, destinationInstances: [dInstance]).first
    guard let code = country?.value(forKey: "isoContinent") as? Int else { return }
    dInstance.setValue(continents[code], forKey: "continent")
  }
}

/// Books get authors of their names, then files for their users: what it does says the mapping, as the app's own does.
final class MHWBookToBookPolicy: NSEntityMigrationPolicy {
  private func isToVersion3(_ mapping: NSEntityMapping) -> Bool { "\(mapping.userInfo?["modelVersion"] ?? "")" == "3" }

  override func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws {
    PolicyCalls.shared.note("begin")
    manager.userInfo = ["authors": [String: NSManagedObject]()]
  }

  /// Makes the book without the default, so that it associates it, too.
  override func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    PolicyCalls.shared.note("create")
    let context = manager.destinationContext
    let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
    book.setValue(sInstance.value(forKey: "title"), forKey: "title")
    manager.associate(sourceInstance: sInstance, withDestinationInstance: book, for: mapping)
    guard !isToVersion3(mapping) else { return }
    book.setValue(sInstance.value(forKey: "fileURL"), forKey: "fileURL")
    guard let name = sInstance.value(forKey: "authorName") as? String else { return }
    var authors = manager.userInfo?["authors"] as? [String: NSManagedObject] ?? [:]
    let author = authors[name] ?? NSEntityDescription.insertNewObject(forEntityName: "Author", into: context)
    author.setValue(name, forKey: "name")
    authors[name] = author
    manager.userInfo?["authors"] = authors
    book.setValue([author] as Set, forKey: "authors")
  }

  /// Files belong to a user each; users are made by another mapping, after the books.
  override func endRelationshipCreation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {
    PolicyCalls.shared.note("related")
    guard isToVersion3(mapping) else { return }
    for old in manager.sourceInstances(forEntityMappingName: mapping.name, destinationInstances: nil) {
      let book = manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [old]).first
      let users = old.value(forKey: "users") as? Set<NSManagedObject> ?? []
      for user in manager.destinationInstances(forEntityMappingName: "UserToUser", sourceInstances: Array(users)) {
        let file = NSEntityDescription.insertNewObject(forEntityName: "File", into: manager.destinationContext)
        file.setValue(old.value(forKey: "fileURL"), forKey: "fileURL")
        file.setValue(book, forKey: "book")
        file.setValue(user, forKey: "user")
      }
    }
  }
}

/// Cars get makers, one for each name; three mappings share them.
final class V2to3MakerPolicy: NSEntityMigrationPolicy {
  override var functions: [String: ([Any?]) throws -> Any?] {
    [
      "modelOf:maker:": { arguments in
        PolicyCalls.shared.note("function")
        return arguments.compactMap { $0 as? String }.joined(separator: " by ")
      }
    ]
  }

  override func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    guard let name = sInstance.value(forKey: "maker") as? String,
      let car = manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [sInstance]).first
    else { return }
    var makers = manager.userInfo as? [String: NSManagedObject] ?? [:]
    let maker =
      makers[name] ?? NSEntityDescription.insertNewObject(forEntityName: "Maker", into: manager.destinationContext)
    maker.setValue(name, forKey: "name")
    makers[name] = maker
    manager.userInfo = makers
    car.setValue(maker, forKey: "createdBy")
  }

  override func end(_ mapping: NSEntityMapping, manager: NSMigrationManager) throws {
    PolicyCalls.shared.note("end \(manager.userInfo?.count ?? 0)")
  }
}
