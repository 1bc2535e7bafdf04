import CSQLite

/// A value as SQLite keeps it.
package enum SQLiteValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])

  /// The kind of a value.
  package enum Kind: Hashable, Sendable {
    case null, integer, real, text, blob

    init(type: Int32) {
      self =
        switch type {
        case SQLITE_INTEGER: .integer
        case SQLITE_FLOAT: .real
        case SQLITE_TEXT: .text
        case SQLITE_BLOB: .blob
        default: .null
        }
    }
  }
}
