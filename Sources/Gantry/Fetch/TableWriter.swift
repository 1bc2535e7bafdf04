import Diagnostics
import Records

/// Writes records as people read them: one a line, columns below one another, numbers at the right.
///
/// The first records tell how wide the columns are, so that any number of them is written as it comes: a later field that is wider
/// moves the rest of its line. Fields are escaped; a null and an empty text are both nothing.
final class TableWriter: RecordWriter {
  /// How many records are looked at, and written at a time.
  private static let blockSize = 256
  /// The width that one column takes of all lines at most.
  private static let largestWidth = 60

  private let columns: [(name: String, isNumber: Bool)]
  private let width: Int?
  private let print: (String) -> Void
  private var widths: [Int] = []
  private var lines: [[String]]

  /// Begins with the names of the columns.
  ///
  /// - Parameters:
  ///   - width: where lines are cut; nil for nowhere.
  ///   - print: writes lines, without the last line feed.
  init(_ columns: [(name: String, isNumber: Bool)], width: Int?, print: @escaping (String) -> Void) {
    (self.columns, self.width, self.print) = (columns, width, print)
    lines = [columns.map { ShownText.escaped($0.name) }]
  }

  func write(_ fields: [WrittenField]) {
    lines.append(
      fields.map { field in
        switch field {
        case .null: ""
        case .word(let word): word
        case .text(let text): ShownText.escaped(text)
        }
      })
    if lines.count > Self.blockSize { finish() }
  }

  func finish() {
    guard !lines.isEmpty else { return }
    if widths.isEmpty {
      widths = columns.indices.map { column in min(Self.largestWidth, lines.map { $0[column].columnCount }.max() ?? 0) }
    }
    print(lines.map(line).joined(separator: "\n"))
    lines = []
  }

  private func line(_ cells: [String]) -> String {
    var line = ""
    for (index, cell) in cells.enumerated() {
      let padding = String(repeating: " ", count: max(0, widths[index] - cell.columnCount))
      line += index > 0 ? "  " : ""
      line += columns[index].isNumber ? padding + cell : cell + padding
    }
    while line.last == " " { line.removeLast() }
    guard let width, line.columnCount > width else { return line }
    return line.prefix(columns: max(0, width - 1)) + "…"
  }
}
