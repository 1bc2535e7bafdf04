import Diagnostics
import Records

/// The formats of files that are written.
enum ExportFormat: String, CaseIterable {
  case csv, xml, json

  static let rootElement = "objects"
  static let linkElement = "link"

  /// The name of a file.
  func file(_ name: String) -> String { "\(name).\(rawValue)" }

  /// What writes records.
  ///
  /// - Parameter record: what a record is called where the format has a name for it.
  func writer(record: String, columns: [String], output: @escaping RecordOutput) throws(Diagnostic) -> any RecordWriter
  {
    switch self {
    case .csv: try CSVWriter(columns: columns, output: output)
    case .xml: try XMLWriter(root: Self.rootElement, record: record, columns: columns, output: output)
    case .json: JSONWriter(columns: columns, output: output)
    }
  }

  /// Throws for a text that the format cannot hold; the first field tells the record.
  func check(_ fields: [WrittenField], _ columns: [String]) throws(Diagnostic) {
    guard self != .json else { return }
    for index in fields.indices {
      guard case .text(let text) = fields[index], !canHold(text) else { continue }
      let row = if case .text(let name)? = fields.first { name } else { "" }
      throw .exportCharacter(row, columns[index], self)
    }
  }

  private func canHold(_ text: String) -> Bool {
    switch self {
    case .csv: !text.hasNUL
    case .xml: XMLWriter.canHold(text)
    case .json: true
    }
  }
}

extension String {
  fileprivate var hasNUL: Bool {
    var text = self
    return text.withUTF8 { bytes in
      for byte in bytes where byte == 0 { return true }
      return false
    }
  }
}
