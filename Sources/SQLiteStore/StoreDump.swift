import Foundation
package import SQLiteDriver

extension SQLitePersistentStore {
  /// The store as text, table by table, for comparing stores: values as they are stored, blobs in hexadecimal digits.
  ///
  /// Of the metadata the keys are shown with their values; the store's UUID, which no two stores share, is not.
  package func dump() throws -> String { try speaking { try Self.dump(connection) } }

  /// Any store as text.
  package static func dump(_ connection: Connection) throws -> String {
    var tables: [String] = []
    let select = try connection.prepare(
      "SELECT name FROM main.sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!' ORDER BY name")
    try select.forEachRow { tables.append($0.text(0) ?? "") }
    return try tables.map { try $0 == "Z_METADATA" ? metadata(connection) : table($0, connection) }
      .joined(separator: "\n")
  }

  private static func table(_ name: String, _ connection: Connection) throws -> String {
    let all = "SELECT * FROM main.\(Connection.quoted(name))"
    let count = try connection.prepare(all).columnCount
    // The first two: a table's primary key, or a link.
    let rows = try connection.prepare(all + (count < 2 ? " ORDER BY 1" : " ORDER BY 1, 2"))
    let columns = (0..<count).map(rows.columnName)
    var lines = [name, columns.joined(separator: "\t")]
    try rows.forEachRow { row in lines.append(columns.indices.map { text(row, $0) }.joined(separator: "\t")) }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func text(_ row: Statement, _ index: Int) -> String {
    switch row.value(index) {
    case .null: "NULL"
    case .integer(let integer): "\(integer)"
    case .real(let real): "\(real)"
    case .text(let text): text.debugDescription
    case .blob(let bytes): "x'\(hex(bytes))'"
    }
  }

  private static func metadata(_ connection: Connection) throws -> String {
    var lines = ["Z_METADATA"]
    try connection.prepare("SELECT Z_PLIST FROM Z_METADATA").forEachRow { row in
      lines += describe(StoreMetadata.decode(Data(row.blobBytes(0))) ?? [:], indent: "")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func describe(_ dictionary: [String: Any], indent: String) -> [String] {
    dictionary.sorted { $0.key < $1.key }.flatMap { key, value in
      switch value {
      case let inner as [String: Any]: [indent + key] + describe(inner, indent: indent + "  ")
      case let data as Data: ["\(indent)\(key)\tx'\(hex(data))'"]
      default: ["\(indent)\(key)\t\(value)"]
      }
    }
  }

  private static func hex(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }
}
