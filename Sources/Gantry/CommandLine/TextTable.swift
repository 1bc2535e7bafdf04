/// Rows of words and numbers in columns that stand below one another.
enum TextTable {
  /// The lines of a table.
  ///
  /// - Parameters:
  ///   - header: the names of the columns.
  ///   - numbers: the columns of numbers, which stand right; words stand left.
  static func lines(_ header: [String], _ rows: [[String]], numbers: Set<Int>) -> [String] {
    let rows = [header] + rows
    let widths = header.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      let cells = row.indices.map { column in
        let padding = String(repeating: " ", count: widths[column] - row[column].count)
        return numbers.contains(column) ? padding + row[column] : row[column] + padding
      }
      return String(cells.joined(separator: "  ").reversed().drop { $0 == " " }.reversed())
    }
  }
}
