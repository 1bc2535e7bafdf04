import Diagnostics
import ObjectGraph
import ObjectModel
import Values

/// Which objects have the keys of a chunk's rows: those in the store, found by one look-up, and those of the chunk itself.
struct KeyTable {
  /// Who has a row's key.
  enum Owner {
    /// The key holds a null.
    case null
    case none
    case stored(NSManagedObject)
    /// More than one object in the store.
    case several
    /// An object that an earlier record of the chunk made or changed.
    case claimed(NSManagedObject, record: Int)
    /// A row of the chunk that the store will take as it is.
    case row
  }

  private let plan: KeyPlan?
  /// The key of each row.
  private var keys: [[Value]?] = []
  private var owners: [[Value]: Owner] = [:]
  /// The key that each of the owners has.
  private var held: [ObjectIdentifier: [Value]] = [:]
  /// The objects in the store.
  private(set) var found: [NSManagedObjectID] = []
  /// Whether nobody in the store has any of the keys, and no two rows of the chunk have the same.
  private(set) var isNew = true

  /// Looks up the keys of all rows that are not refused; without a plan nobody has any key.
  init(_ plan: KeyPlan?, _ rows: AttributeColumns, _ refusals: Refusals, in context: NSManagedObjectContext) throws {
    self.plan = plan
    guard let plan else { return }
    keys = (0..<rows.rowCount).map { refusals.contains(rows.records[$0]) ? nil : plan.values(rows, $0) }
    var distinct: [[Value]] = []
    var seen: Set<[Value]> = []
    for case let key? in keys {
      if seen.insert(key).inserted { distinct.append(key) } else { isNew = false }
    }
    guard !distinct.isEmpty else { return }
    let request = KeyLookupRequest(entity: plan.entity, places: plan.places, keys: distinct)
    for (key, answer) in zip(distinct, try context.lookUp(request)) {
      switch answer {
      case .none: break
      case .one(let objectID):
        found.append(objectID)
        let object = context.object(with: objectID)
        owners[key] = .stored(object)
        held[ObjectIdentifier(object)] = key
      case .several: owners[key] = .several
      }
    }
    if !owners.isEmpty { isNew = false }
  }

  /// Whether a row's key holds a null.
  func hasNoKey(_ row: Int) -> Bool { keys[row] == nil }

  /// Who has a row's key.
  func owner(_ row: Int) -> Owner {
    guard let key = keys[row] else { return .null }
    return owners[key] ?? .none
  }

  /// Notes that a row's object has its key from now on, and no longer the one that it had.
  mutating func claim(_ row: Int, _ object: NSManagedObject, record: Int) {
    guard plan != nil else { return }
    let old = held[ObjectIdentifier(object)]
    held[ObjectIdentifier(object)] = keys[row]
    if let old, old != keys[row] { owners[old] = nil }
    if let key = keys[row] { owners[key] = .claimed(object, record: record) }
  }

  /// Notes that a row has its key from now on, without an object.
  mutating func claim(_ row: Int) {
    guard plan != nil, let key = keys[row] else { return }
    owners[key] = .row
  }

  /// Throws when another object than a row's own has its values, which must be unique.
  func check(_ row: Int, isFor target: NSManagedObject?, at position: @autoclosure () -> SourcePosition)
    throws(Diagnostic)
  {
    switch owner(row) {
    case .null, .none: return
    case .stored(let object) where object === target: return
    case .claimed(let object, _) where object === target: return
    default: throw .notUnique(plan?.names ?? [], of: plan?.entity, at: position())
    }
  }
}
