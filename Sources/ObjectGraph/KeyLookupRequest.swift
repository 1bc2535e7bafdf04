public import ObjectModel
package import Values

/// Finds the objects that have given keys, for a whole chunk in one request.
///
/// A key is one value for each of the attributes. The SQLite store answers by a join with the batch, the memory store by a
/// dictionary. Rows of subentities count. Objects that a context has not saved yet do not.
///
/// Strings and URIs are compared in Unicode's normalisation form C, both the key's and the stored one, so that `é` in one
/// character finds `é` in two; the texts themselves are stored as they came. Nothing else is folded: case and width count.
public struct KeyLookupRequest: Sendable {
  /// What was found for a key.
  public enum Answer: Sendable {
    /// No object has the key.
    case none
    /// Exactly one object has it.
    case one(NSManagedObjectID)
    /// Several objects have it; the first two, by key.
    case several(NSManagedObjectID, NSManagedObjectID)
  }

  /// The entity that is searched, with its subentities.
  public var entity: NSEntityDescription
  /// The places of the key's attributes in the entity's layout.
  package var places: [Int]
  /// The keys; each has a value per place. A key that holds `.null` finds nothing.
  package var keys: [[Value]]

  package init(entity: NSEntityDescription, places: [Int], keys: [[Value]]) {
    self.entity = entity
    self.places = places
    self.keys = keys
  }
}
