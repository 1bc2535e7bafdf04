import Bytes
package import Diagnostics
package import Foundation
package import ObjectModel
import SQLiteDriver

/// What a store says of itself, read without a model and without a byte changed or left in its folder.
package struct StoreInspection {
  /// An entity of the store.
  package struct Entity {
    package let name: String
    /// The rows of the entity itself, those of its subentities apart; nil if the store has no number for it.
    package let count: Int?
    /// The version hash in the metadata; nil for an entity that only the table of numbers has.
    package let hash: Data?
  }

  /// What journal the store keeps.
  package struct Journal {
    /// Whether the header says that changes go to a write-ahead log.
    package let keepsLog: Bool
    /// The bytes of the log beside the store; nil if there is none.
    package let logSize: Int?
    /// The bytes of the rollback journal beside the store; nil if there is none.
    package let rollbackSize: Int?
  }

  package let uuid: String
  /// The version of Core Data that wrote the store last.
  package let frameworkVersion: Int?
  package let versionIdentifiers: [String]
  /// The entities by name.
  package let entities: [Entity]
  package let journal: Journal
  /// Whether Core Data has kept a history of changes.
  package let hasHistory: Bool
  /// Whether the store has been mirrored to CloudKit.
  package let hasCloudKit: Bool
  /// The model that the store keeps of itself, or why there is none that can be read.
  package let model: Result<NSManagedObjectModel, Diagnostic>

  /// Reads the store at a path.
  package init(_ path: String) throws {
    let store = try UntouchedStore(path)
    let journal = Journal(FileSystem.behindLink(path))
    do {
      self = try store.whole { try Self(store.connection, journal) }
    } catch let error as SQLiteError {
      throw error.diagnostic
    }
  }

  private init(_ connection: Connection, _ journal: Journal) throws {
    let contents = try StoreContents(connection)
    self.journal = journal
    uuid = contents.uuid
    frameworkVersion = contents.metadata[StoreMetadata.frameworkVersion] as? Int
    versionIdentifiers = contents.metadata[StoreMetadata.identifiers] as? [String] ?? []
    hasHistory = contents.columns["ATRANSACTION"] != nil
    hasCloudKit = contents.columns.keys.contains { $0.hasPrefix("ANSCK") }
    do {
      model = .success(try NSManagedObjectModel(cachedIn: connection))
    } catch let error as Diagnostic {
      model = .failure(error)
    }
    let hashes = contents.metadata[StoreMetadata.hashes] as? [String: Data] ?? [:]
    entities = Self.entities(hashes, try Self.counts(connection, contents), contents, try? model.get())
  }

  /// The hashes of the entities by name.
  package var hashes: [String: Data] {
    Dictionary(entities.compactMap { entity in entity.hash.map { (entity.name, $0) } }) { first, _ in first }
  }

  /// The numbers of rows by the number of the entity.
  private static func counts(_ connection: Connection, _ contents: StoreContents) throws -> [Int: Int] {
    var counts: [Int: Int] = [:]
    // Core Data's own tables begin with another letter.
    for (table, columns) in contents.columns
    where table.hasPrefix("Z") && columns.contains("Z_PK") && columns.contains("Z_ENT") {
      let rows = try connection.prepare("SELECT Z_ENT, COUNT(*) FROM \(Connection.quoted(table)) GROUP BY Z_ENT")
      try rows.forEachRow { counts[Int($0.integer(0)), default: 0] += Int($0.integer(1)) }
    }
    return counts
  }

  private static func entities(
    _ hashes: [String: Data], _ counts: [Int: Int], _ contents: StoreContents, _ model: NSManagedObjectModel?
  ) -> [Entity] {
    var entities = hashes.map { name, hash in
      // After an entity was renamed, the table of numbers may still have its old name.
      let names = [name, model?.entitiesByName[name]?.renamingIdentifier].compactMap(\.self)
      let number = names.lazy.compactMap { contents.entityNumbers[$0] }.first
      return (Entity(name: name, count: number.map { counts[$0] ?? 0 }, hash: hash), number)
    }
    let known = Set(entities.compactMap(\.1))
    for (name, number) in contents.entityNumbers where !known.contains(number) {
      entities.append((Entity(name: name, count: counts[number] ?? 0, hash: nil), number))
    }
    return entities.map(\.0).sorted { $0.name < $1.name }
  }
}

extension StoreInspection.Journal {
  fileprivate init(_ path: String) {
    func size(_ suffix: String) -> Int? {
      (try? FileManager.default.attributesOfItem(atPath: path + suffix))?[.size] as? Int
    }
    let header = FileHandle(forReadingAtPath: path).flatMap { file in
      defer { try? file.close() }
      return try? file.read(upToCount: 20)
    }
    // The version of the format that is needed to read: 2 is that with a log.
    keepsLog = header.map { $0.count == 20 && $0[19] == 2 } ?? false
    logSize = size("-wal")
    rollbackSize = size("-journal")
  }
}
