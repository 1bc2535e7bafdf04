import CSQLite
import Diagnostics

/// What SQLite refused, with all that it told. No value of a row is part of it.
package struct SQLiteError: Error, Hashable, Sendable {
  /// What kind of trouble it is.
  package enum Kind: Hashable, Sendable {
    /// A rule of the tables is broken.
    case constraint(Constraint)
    /// Another connection has the lock.
    case busy
    /// The disk is full.
    case full
    /// The file or its folder may not be written.
    case readOnly
    /// The file cannot be opened.
    case cannotOpen
    /// The file may not be used.
    case permission
    /// The file is no SQLite database.
    case notADatabase
    /// The file is damaged.
    case corrupt
    /// Reading or writing failed.
    case inputOutput
    /// `interrupt` was called.
    case interrupted
    /// Anything else: the SQL is wrong, a value is too long, memory is used up.
    case other
  }

  /// A rule of a table.
  package enum Constraint: Hashable, Sendable {
    /// No two rows with equal values in these columns.
    case unique(table: String, columns: [String])
    /// No two rows with equal values in this index over expressions.
    case uniqueIndex(String)
    /// No two rows with one key.
    case primaryKey(table: String, columns: [String])
    /// A value.
    case notNull(table: String, column: String)
    /// A condition.
    case check
    /// A row at the other end.
    case foreignKey
    /// What a trigger raises.
    case trigger
    /// Any other.
    case other
  }

  /// What kind of trouble it is.
  package var kind: Kind
  /// SQLite's extended result code, as its documentation lists them; for messages.
  package var extendedCode: Int
  /// SQLite's words.
  package var message: String
  /// The statement, parameters unbound.
  package var sql: String?
  /// The database's file.
  package var path: String?
  /// What a function of ours threw, if that ended the statement.
  var cause: Diagnostic?
  /// The system's error number behind it; 0 for none.
  var systemCode: Int32 = 0

  /// Trouble that we found ourselves.
  package init(_ kind: Kind, message: String, sql: String? = nil, path: String?) {
    self.kind = kind
    self.message = message
    self.sql = sql
    self.path = path
    extendedCode = 0
  }

  /// The last trouble of a database.
  init(_ code: Int32, of database: OpaquePointer, sql: String?, path: String?) {
    extendedCode = Int(code)
    message = String(cString: sqlite3_errmsg(database))
    self.sql = sql
    self.path = path
    systemCode = sqlite3_system_errno(database)
    kind = Kind(code, message: message)
  }
}

extension SQLiteError.Kind {
  fileprivate init(_ code: Int32, message: String) {
    self =
      switch code & 0xFF {
      case SQLITE_CONSTRAINT: .constraint(SQLiteError.Constraint(code, message: message))
      case SQLITE_BUSY, SQLITE_LOCKED: .busy
      case SQLITE_FULL: .full
      case SQLITE_READONLY: .readOnly
      case SQLITE_CANTOPEN: .cannotOpen
      case SQLITE_PERM, SQLITE_AUTH: .permission
      case SQLITE_NOTADB: .notADatabase
      case SQLITE_CORRUPT: .corrupt
      case SQLITE_IOERR: .inputOutput
      case SQLITE_INTERRUPT: .interrupted
      default: .other
      }
  }
}

extension SQLiteError.Constraint {
  /// Only the words of SQLite name the columns: `UNIQUE constraint failed: ZCITY.ZNAME, ZCITY.ZCOUNTRY`, or
  /// `UNIQUE constraint failed: index 'NAME'`.
  fileprivate init(_ code: Int32, message: String) {
    let subject = message.firstRange(of: "constraint failed: ").map { message[$0.upperBound...] } ?? ""
    let names = subject.split(separator: ",").map { $0.drop { $0 == " " } }
    let table = names.first?.firstIndex(of: ".").map { String(names[0][..<$0]) } ?? ""
    let columns = names.map { name in String(name.firstIndex(of: ".").map { name[name.index(after: $0)...] } ?? name) }
    // The numbers are those of SQLite's header, where they are expressions that Swift cannot import.
    switch code >> 8 {
    case 1: self = .check
    case 3: self = .foreignKey
    case 5: self = .notNull(table: table, column: columns.first ?? "")
    case 6, 10: self = .primaryKey(table: table, columns: columns)
    case 7: self = .trigger
    case 8 where subject.hasPrefix("index '"): self = .uniqueIndex(String(subject.dropFirst(7).dropLast()))
    case 8: self = .unique(table: table, columns: columns)
    default: self = .other
    }
  }
}
