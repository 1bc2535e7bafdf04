import Conversion
import Diagnostics
import ObjectGraph
import Records
import Values

/// The objects that the records of a chunk name at one end of their links, found by one look-up.
struct KeyedObjects {
  private let end: LinkTablePlan.End
  private var keys: [Value?]
  private var answers: [Value: KeyLookupRequest.Answer] = [:]

  /// Reads the keys of all records that are not refused and looks them up.
  ///
  /// - Parameter nullIsNoLink: whether a null names nothing; else it refuses its record. The default is that it does.
  init(
    _ end: LinkTablePlan.End, _ chunk: RecordChunk, _ refusals: inout Refusals, in context: NSManagedObjectContext,
    _ names: any ObjectNames, file: String, nullIsNoLink: Bool = false
  ) throws {
    self.end = end
    keys = Array(repeating: nil, count: chunk.count)
    var distinct: [Value] = []
    var seen: Set<Value> = []
    for record in 0..<chunk.count where !refusals.contains(record) {
      do throws(Diagnostic) {
        let key = try end.key.converter.value(chunk, record)
        if key.isNull, nullIsNoLink { continue }
        if key.isNull { throw .nullLinkEnd(end.column, at: chunk.position(of: record, in: file)) }
        keys[record] = key
        if seen.insert(key).inserted { distinct.append(key) }
      } catch {
        refusals.refuse(record, error, .process)
      }
    }
    guard !distinct.isEmpty else { return }
    let found = try end.key.lookUp(distinct, of: end.entity, in: context, names)
    answers = Dictionary(uniqueKeysWithValues: zip(distinct, found))
  }

  /// Whether a record names nothing.
  func isNull(_ record: Int) -> Bool { keys[record] == nil }

  /// The object that a record names; nil when nobody has the key and that is allowed.
  func objectID(
    _ record: Int, _ missing: MissingRule, at position: SourcePosition
  ) throws(Diagnostic) -> NSManagedObjectID? {
    guard let key = keys[record] else { return nil }
    switch answers[key] {
    case .one(let objectID): return objectID
    case .several: throw .ambiguousEnd(end.column, key, of: end.entity, at: position)
    case KeyLookupRequest.Answer.none?, nil:
      if missing == .null { return nil }
      throw .missingEnd(end.column, key, of: end.entity, at: position)
    }
  }
}
