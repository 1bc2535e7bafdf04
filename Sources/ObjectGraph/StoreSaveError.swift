public import Diagnostics
public import ObjectModel

/// Why a store refused a save because of one object; nothing of the save was written.
public enum StoreSaveError: Error, Sendable {
  /// The row was changed or deleted by somebody else since it was read.
  case conflict(NSManagedObjectID, isGone: Bool)
  /// Another row has the object's values for a uniqueness constraint of an entity.
  case notUnique(NSManagedObjectID, entity: NSEntityDescription, properties: [String])

  /// The object whose row was refused.
  public var objectID: NSManagedObjectID {
    switch self {
    case .conflict(let objectID, _), .notUnique(let objectID, _, _): objectID
    }
  }

  /// The error in words.
  public var diagnostic: Diagnostic {
    let name = "\(objectID.entity.name ?? "") \(objectID.key)"
    switch self {
    case .conflict(_, let isGone):
      return Diagnostic(
        .init("store.conflict", .environment),
        isGone
          ? "\(name) was deleted in the store since it was read" : "\(name) was changed in the store since it was read",
        hint: "Another program writes to the store: let it finish, then run again.")
    case .notUnique(_, let entity, let properties):
      let list = properties.joined(separator: ", ")
      return Diagnostic(
        .init("store.not-unique", .reject), "another \(entity.name ?? "") has the same \(list)",
        hint: "Values of \(list) must be unique: remove the duplicate, or import with a key and `onConflict`.")
    }
  }
}
