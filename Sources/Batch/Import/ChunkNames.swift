import Conversion
import Diagnostics
import ObjectGraph
import ObjectModel
import Records
import Values

/// The names that the records of a chunk give to their objects, for later records and steps.
struct ChunkNames {
  private var names: [Int: String] = [:]

  /// Reads the names of all records that are not refused; one that is null or given already refuses its record.
  init(
    _ column: KeyColumn?, _ chunk: RecordChunk, _ refusals: inout Refusals, _ given: any ObjectNames, file: String
  ) throws {
    guard let column else { return }
    var lines: [String: Int] = [:]
    var records: [Int] = []
    for record in 0..<chunk.count where !refusals.contains(record) {
      let position = { chunk.position(of: record, in: file) }
      do throws(Diagnostic) {
        guard case .string(let name) = try column.converter.value(chunk, record) else {
          throw .nullName(at: position())
        }
        if let line = lines[name] { throw .nameRepeated(name, line: line, at: position()) }
        lines[name] = chunk.positions[record].line
        names[record] = name
        records.append(record)
      } catch {
        refusals.refuse(record, error, .process)
      }
    }
    guard !records.isEmpty else { return }
    for (record, objectID) in zip(records, try given.objectIDs(named: records.map { names[$0] ?? "" })) {
      guard let objectID, let name = names[record] else { continue }
      refusals.refuse(
        record, .nameRepeated(name, of: objectID.entity, at: chunk.position(of: record, in: file)), .process)
    }
  }

  /// The name that a record gives.
  subscript(record: Int) -> String? { names[record] }

  /// Whether no record gives any.
  var isEmpty: Bool { names.isEmpty }
}
