import Diagnostics
import Foundation

/// What commands print with `--json`.
enum JSONText {
  static func of(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }
}

/// A diagnostic as `--json` tells it.
struct DiagnosticSummary: Encodable {
  let code: String
  let message: String
  let hint: String
  /// Where in an input it was found.
  let place: String?

  init(_ diagnostic: Diagnostic) {
    (code, message, hint) = (diagnostic.code.name, diagnostic.message, diagnostic.hint)
    place = diagnostic.position?.description
  }
}
