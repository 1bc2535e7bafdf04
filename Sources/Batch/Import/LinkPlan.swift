import Conversion
import Diagnostics
import ObjectGraph
import ObjectModel
import Records
import Values

/// How one relationship of a step's objects is filled from a column: made once, followed by every record.
struct LinkPlan {
  let relationship: NSRelationshipDescription
  let key: KeyColumn
  let missing: MissingRule
  let separator: String

  /// The entity at the other end.
  var destination: NSEntityDescription { relationship.destinationEntity }
}

extension LinkPlan {
  /// The keys that a record names: none, one, or several for a to-many relationship.
  func keys(_ chunk: RecordChunk, _ record: Int) throws(Diagnostic) -> [Value] {
    guard relationship.isToMany else {
      let value = try key.converter.value(chunk, record)
      return value.isNull ? [] : [value]
    }
    return try key.converter.values(chunk, record, separator: separator)
  }
}

/// The destinations that the records of a chunk name in one column, found by one look-up.
struct ChunkLinks {
  /// What a key stands for.
  enum Destination {
    case object(NSManagedObject)
    case missing
    case ambiguous
  }

  /// The keys of each record; nil for a record that was refused.
  private(set) var keys: [[Value]?]
  private var destinations: [Value: Destination] = [:]

  /// Reads the keys of all records that are not refused and looks them up.
  init(
    _ plan: LinkPlan, _ chunk: RecordChunk, _ refusals: inout Refusals, in context: NSManagedObjectContext,
    _ names: any ObjectNames
  ) throws {
    keys = Array(repeating: nil, count: chunk.count)
    var distinct: [Value] = []
    var seen: Set<Value> = []
    for record in 0..<chunk.count where !refusals.contains(record) {
      do throws(Diagnostic) {
        let named = try plan.keys(chunk, record)
        keys[record] = named
        for key in named where seen.insert(key).inserted { distinct.append(key) }
      } catch {
        refusals.refuse(record, error, .process)
      }
    }
    guard !distinct.isEmpty else { return }
    for (key, answer) in zip(distinct, try plan.key.lookUp(distinct, of: plan.destination, in: context, names)) {
      switch answer {
      case .none: destinations[key] = .missing
      case .one(let objectID): destinations[key] = .object(context.object(with: objectID))
      case .several: destinations[key] = .ambiguous
      }
    }
  }

  /// Whether a record names any destination.
  func hasKeys(_ record: Int) -> Bool { keys[record]?.isEmpty == false }

  /// What a key stands for.
  func destination(of key: Value) -> Destination { destinations[key] ?? .missing }

  /// Remembers an object that was made for a missing key: the next record that names it gets the same.
  mutating func add(_ object: NSManagedObject, for key: Value) { destinations[key] = .object(object) }
}
