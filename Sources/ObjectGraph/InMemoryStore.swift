import Foundation
public import ObjectModel

/// A store that keeps its rows in memory, for as long as it lives.
///
/// It answers as the SQLite store does: conflicts, uniqueness, look-up by key, order. Its `type` is `InMemory`, as Apple's.
public final class InMemoryStore: NSPersistentStore, @unchecked Sendable {
  /// The rows of a hierarchy by key.
  struct Table {
    var rows: [Int64: StoredRow] = [:]
    var lastKey: Int64 = 0
  }

  var tables: [NSEntityDescription: Table] = [:]
  /// The links that stand in no row, and the order of ordered one-to-many relationships.
  var links: [ObjectIdentifier: InMemoryLinks] = [:]
  /// What the values of each uniqueness constraint are taken by.
  var takenValues: [UniquenessConstraint: [UniqueValues: NSManagedObjectID]] = [:]
  var constraints: [NSEntityDescription: [UniquenessConstraint]] = [:]
  private let uuid = UUID().uuidString

  /// Makes an empty store.
  public init(model: NSManagedObjectModel, configurationName: String? = nil, isReadOnly: Bool = false) {
    super.init(url: nil, model: model, configurationName: configurationName, isReadOnly: isReadOnly)
  }

  /// A new UUID for each store.
  public override var identifier: String { uuid }
  /// `InMemory`.
  public override var type: String { "InMemory" }
}

extension InMemoryStore: StoreRequests {
  package func reserveKeys(_ count: Int, for rootEntity: NSEntityDescription) -> Int64 {
    let last = tables[rootEntity]?.lastKey ?? 0
    tables[rootEntity, default: Table()].lastKey = last + Int64(count)
    return last + 1
  }

  package func rows(for objectIDs: [NSManagedObjectID]) -> [StoredRow?] { objectIDs.map { row($0) } }

  package func objectIDs(of entity: NSEntityDescription, includingSubentities: Bool) -> [NSManagedObjectID] {
    sortedRows(of: entity).map(\.objectID).filter { includingSubentities || $0.entity === entity }
  }
}
