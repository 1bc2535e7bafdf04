public import Foundation
public import ObjectModel

/// Inserts many objects of one entity into a store, none of them made as an object, all or nothing.
///
/// Contexts learn nothing of it, no object is told, and relationships stay empty: link the objects afterwards. Attributes that
/// are not given have their defaults. Values are checked as those of objects are before a save; a row that breaks the
/// model's rules, or has values that must be unique and are not, refuses the request, with the number of the row.
///
/// Source: Apple, Core Data, `NSBatchInsertRequest`.
public final class NSBatchInsertRequest: NSPersistentStoreRequest {
  /// What the result tells.
  public enum ResultType: UInt, Sendable {
    /// Whether the objects were inserted.
    case statusOnly = 0
    /// Their IDs.
    case objectIDs = 1
    /// How many they are.
    case count = 2
  }

  /// Where the rows come from.
  enum Source {
    case objects([[String: Any]])
    case dictionaries((NSMutableDictionary) -> Bool)
    case managedObjects((NSManagedObject) -> Bool)
    case columns(AttributeColumns, isValid: Bool)
  }

  /// What the result tells. The default is whether the objects were inserted.
  public var resultType: ResultType = .statusOnly
  let target: RequestTarget
  let source: Source

  private init(_ target: RequestTarget, _ source: Source) {
    self.target = target
    self.source = source
  }

  /// Inserts objects that are given as dictionaries: values by the names of attributes, of a composite's as `composite.element`
  /// or as a dictionary of them, `NSNull` for none.
  public convenience init(entity: NSEntityDescription, objects: [[String: Any]]) {
    self.init(.entity(entity), .objects(objects))
  }

  /// The same for the entity of a name.
  public convenience init(entityName: String, objects: [[String: Any]]) {
    self.init(.name(entityName), .objects(objects))
  }

  /// Inserts objects that a function fills in, dictionary by dictionary, until it returns true: then it had no more.
  public convenience init(
    entity: NSEntityDescription, dictionaryHandler handler: @escaping (NSMutableDictionary) -> Bool
  ) {
    self.init(.entity(entity), .dictionaries(handler))
  }

  /// The same for the entity of a name.
  public convenience init(
    entityName: String, dictionaryHandler handler: @escaping (NSMutableDictionary) -> Bool
  ) {
    self.init(.name(entityName), .dictionaries(handler))
  }

  /// Inserts objects that a function fills in, one and the same at each call, until it returns true: then it had no more.
  public convenience init(
    entity: NSEntityDescription, managedObjectHandler handler: @escaping (NSManagedObject) -> Bool
  ) {
    self.init(.entity(entity), .managedObjects(handler))
  }

  /// The same for the entity of a name.
  public convenience init(
    entityName: String, managedObjectHandler handler: @escaping (NSManagedObject) -> Bool
  ) {
    self.init(.name(entityName), .managedObjects(handler))
  }

  /// Inserts the rows of columns: the fastest way, no value is touched before the store takes it.
  public convenience init(columns: AttributeColumns) {
    self.init(.entity(columns.entity), .columns(columns, isValid: false))
  }

  /// Inserts the rows of columns, all of which have passed `AttributeColumns.validate(row:)`.
  package convenience init(validColumns columns: AttributeColumns) {
    self.init(.entity(columns.entity), .columns(columns, isValid: true))
  }
}

/// What a batch insert gave.
///
/// Source: Apple, Core Data, `NSBatchInsertResult`.
public final class NSBatchInsertResult: NSPersistentStoreResult {
  /// What the result tells.
  public let resultType: NSBatchInsertRequest.ResultType
  /// A number (`as? Bool`, `as? Int`) or an array of `NSManagedObjectID`, by the type.
  public let result: Any?

  init(_ resultType: NSBatchInsertRequest.ResultType, _ result: Any) {
    self.resultType = resultType
    self.result = result
  }
}
