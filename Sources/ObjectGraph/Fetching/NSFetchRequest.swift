public import Foundation
public import ObjectModel

/// What a fetch can give: objects, their IDs, dictionaries, a number.
///
/// Source: Apple, Core Data, `NSFetchRequestResult`.
public protocol NSFetchRequestResult {}

extension NSManagedObject: NSFetchRequestResult {}
extension NSManagedObjectID: NSFetchRequestResult {}
extension NSDictionary: NSFetchRequestResult {}
extension NSNumber: NSFetchRequestResult {}

/// The kinds of result of a fetch.
///
/// Source: Apple, Core Data, `NSFetchRequestResultType`.
public enum NSFetchRequestResultType: UInt, Sendable {
  /// Objects.
  case managedObjectResultType = 0
  /// Their IDs.
  case managedObjectIDResultType = 1
  /// Dictionaries of values, of what is stored: changes that were not saved do not count.
  case dictionaryResultType = 2
  /// One number: how many there are.
  case countResultType = 4
}

/// Which objects are fetched, in what order, and what of them.
///
/// Run it with `NSManagedObjectContext.fetch(_:)`. Objects without a sort descriptor come in the order of their keys, and so do
/// those that the sort descriptors hold for equal.
///
/// Source: Apple, Core Data, `NSFetchRequest`.
open class NSFetchRequest<ResultType>: NSPersistentStoreRequest {
  /// Which objects; nil, the default, for all.
  public var predicate: NSPredicate?
  /// The order, by keys; nil, the default, for that of their primary keys.
  public var sortDescriptors: [NSSortDescriptor]?
  /// How many at most. The default is 0: all.
  public var fetchLimit = 0
  /// How many are passed over at the beginning. The default is 0.
  public var fetchOffset = 0
  /// How many objects are read at once when the first of them is used. The default is 0: all, by the fetch itself.
  public var fetchBatchSize = 0
  /// Whether objects of subentities count. The default is true.
  public var includesSubentities = true
  /// Whether what this context has changed and not saved counts. The default is true.
  public var includesPendingChanges = true
  /// Whether the values of the objects are read too. The default is true; else each is read when it is first used.
  public var includesPropertyValues = true
  /// Whether objects may be faults. They are read with the fetch in any case, unless `includesPropertyValues` is false or there
  /// is a batch size. The default is true.
  public var returnsObjectsAsFaults = true
  /// Key paths of relationships whose objects are read too. The default is none.
  public var relationshipKeyPathsForPrefetching: [String]?
  /// What the result is made of. The default is objects.
  public var resultType = NSFetchRequestResultType.managedObjectResultType
  /// The columns of dictionaries: names and key paths of properties, their descriptions, `NSExpressionDescription`s. The default
  /// is all attributes and to-one relationships.
  public var propertiesToFetch: [Any]?
  /// What rows of a result of dictionaries must have alike to be taken together: names or descriptions. The default is nothing.
  public var propertiesToGroupBy: [Any]?
  /// Which groups: columns stand in it by their names, and functions of collections are taken of the group.
  public var havingPredicate: NSPredicate?
  /// Whether dictionaries that are alike are given once. The default is false.
  public var returnsDistinctResults = false
  /// Whether objects that are here already are read again. The default is false.
  public var shouldRefreshRefetchedObjects = false
  let target: RequestTarget

  /// Makes a request for the objects of the entity of a name.
  public init(entityName: String) { target = .name(entityName) }

  /// Makes a request for the objects of an entity.
  public init(entity: NSEntityDescription) { target = .entity(entity) }

  /// The name of the entity.
  public var entityName: String? {
    switch target {
    case .name(let name): name
    case .entity(let entity): entity.name
    }
  }
}
