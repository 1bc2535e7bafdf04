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
    /// The row of a batch insert, which no context has as an object; nil for an object.
    public let row: Int?

    package init(objectID: NSManagedObjectID, error: ValidationError, row: Int? = nil) {
      self.objectID = objectID
      self.error = error
      self.row = row
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

    package init(objectID: NSManagedObjectID, constraint: [String], other: NSManagedObjectID?, row: Int? = nil) {
      self.objectID = objectID
      self.constraint = constraint
      self.other = other
      self.row = row
    }
  }

  /// Objects break the model's rules.
  case validation([Invalid])
  /// Rows were changed or removed by somebody else since the context read them.
  case conflict([NSManagedObjectID])
  /// Objects would have the same values where the model demands different ones.
  case duplicate([Duplicate])
  /// The store cannot be written.
  case store(Diagnostic)
}

extension SaveError {
  /// Core Data's number.
  ///
  /// Source: Apple, Core Data, "Core Data error codes".
  public var errorCode: Int {
    switch self {
    case .validation(let invalid): invalid.count == 1 ? invalid[0].error.errorCode : 1560
    case .conflict: 133020
    case .duplicate: 133021
    case .store: 134030
    }
  }
}
