import Diagnostics
import Records
import Values

/// The local times that come twice, counted for each attribute: worth a word at the end, not one for each record.
struct DoubledTimes {
  private struct Count {
    let parser: DateParser
    let plan: Int
    var seen = 0
    var first: SourcePosition?
  }

  private var counts: [Count]

  init(_ plans: [AttributePlan]) {
    counts = plans.indices.compactMap { index in
      guard case .date(let parser) = plans[index].reader, parser.zoneName != nil else { return nil }
      return Count(parser: parser, plan: index)
    }
  }

  /// Takes note of the place of the first.
  mutating func note(_ plans: [AttributePlan], _ chunk: RecordChunk, _ record: Int, _ file: String) {
    for index in counts.indices
    where counts[index].first == nil && counts[index].parser.doubledCount > counts[index].seen {
      guard case .field(let field) = plans[counts[index].plan].source else { continue }
      counts[index].first = chunk.position(record, field, file)
    }
  }

  /// A warning for each attribute that met such times since the last call.
  mutating func takeWarnings(_ plans: [AttributePlan], entity: String) -> [Diagnostic] {
    var warnings: [Diagnostic] = []
    for index in counts.indices {
      let count = counts[index].parser.doubledCount - counts[index].seen
      guard count > 0 else { continue }
      let attribute = "\(entity).\(plans[counts[index].plan].attribute)"
      warnings.append(
        .doubledTimes(count, attribute, zone: counts[index].parser.zoneName ?? "", at: counts[index].first))
      counts[index].seen += count
      counts[index].first = nil
    }
    return warnings
  }
}
