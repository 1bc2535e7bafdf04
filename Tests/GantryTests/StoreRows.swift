import SQLiteDriver

/// The rows of a query on a store's file, values separated by `|`, blobs in hexadecimal digits.
func rows(_ sql: String, in store: String) throws -> [String] {
  try rows(sql, of: Connection(store, .readOnly))
}

/// The same of a store that is open.
func rows(_ sql: String, of connection: Connection) throws -> [String] {
  let statement = try connection.prepare(sql)
  var rows: [String] = []
  while try statement.step() {
    rows.append((0..<statement.columnCount).map { statement.value($0).text }.joined(separator: "|"))
  }
  return rows
}

extension SQLiteValue {
  fileprivate var text: String {
    switch self {
    case .null: "NULL"
    case .integer(let integer): "\(integer)"
    case .real(let real): "\(real)"
    case .text(let text): text
    case .blob(let bytes): bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
  }
}

/// Runs a statement on a store's file.
func change(_ sql: String, in store: String) throws { try Connection(store, .readWrite).execute(sql) }
