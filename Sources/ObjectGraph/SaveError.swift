public import Diagnostics
public import ObjectModel

/// Why a save was refused; nothing of it has been written.
public enum SaveError: Error {
  /// An object that must not be saved as it is.
  public struct Invalid: Sendable {
    /// The object: `registeredObject(for:)` of its context finds it.
    public let objectID: NSManagedObjectID
    /// What is wrong with it.
    public let error: ValidationError
    /// What the object's own class threw, in whose place `error` stands; nil where the model's rules are broken.
    public let underlyingError: (any Error)?
    /// The object, as long as somebody holds it: use it where its context is used.
    public nonisolated(unsafe) private(set) weak var object: NSManagedObject?
    /// The row of a batch insert, which no context has as an object; nil for an object.
    public let row: Int?

    package init(objectID: NSManagedObjectID, error: ValidationError, row: Int? = nil) {
      self.objectID = objectID
      self.error = error
      self.row = row
      underlyingError = nil
    }

    init(_ error: any Error, of object: NSManagedObject) {
      objectID = object.objectID
      let known = error as? ValidationError
      self.error =
        known ?? ValidationError(.generic, entity: object.entity.name ?? "", property: "", value: "\(error)")
      underlyingError = known == nil ? error : nil
      self.object = object
      row = nil
    }
  }

  /// An object whose row was changed or removed by somebody else since the context read it.
  public struct Conflict: Sendable {
    /// The object.
    public let objectID: NSManagedObjectID
    /// The conflict with all its values, where a context has found it: use it where that context is used.
    public nonisolated(unsafe) let mergeConflict: NSMergeConflict?

    package init(_ objectID: NSManagedObjectID) {
      self.objectID = objectID
      mergeConflict = nil
    }

    init(_ conflict: NSMergeConflict) {
      objectID = conflict.sourceObject.objectID
      mergeConflict = conflict
    }
  }

  /// A uniqueness constraint that a save would break.
  public struct Duplicate: Sendable {
    /// The object that was to be saved.
    public let objectID: NSManagedObjectID
    /// The names of the constraint's properties.
    public let constraint: [String]
    /// The object that has the values already; nil when the store cannot tell.
    public let other: NSManagedObjectID?
    /// The row of a batch insert, which no context has as an object; nil for an object.
    public let row: Int?
    /// The conflict with all its values, where a context has found it: use it where that context is used.
    public nonisolated(unsafe) let constraintConflict: NSConstraintConflict?

    package init(objectID: NSManagedObjectID, constraint: [String], other: NSManagedObjectID?, row: Int? = nil) {
      self.init(objectID: objectID, constraint: constraint, other: other, row: row, conflict: nil)
    }

    init(
      objectID: NSManagedObjectID, constraint: [String], other: NSManagedObjectID?, row: Int? = nil,
      conflict: NSConstraintConflict?
    ) {
      self.objectID = objectID
      self.constraint = constraint
      self.other = other
      self.row = row
      constraintConflict = conflict
    }
  }

  /// Objects break the model's rules.
  case validation([Invalid])
  /// Rows were changed or removed by somebody else since the context read them.
  case conflict([Conflict])
  /// Objects would have the same values where the model demands different ones.
  case duplicate([Duplicate])
  /// The store cannot be written.
  case store(Diagnostic)
}
