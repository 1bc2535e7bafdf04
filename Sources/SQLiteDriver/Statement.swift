import Bytes
import CSQLite

/// A compiled statement: parameters are bound by number, from 1 as in `?1`, and columns are read by index, from 0.
package final class Statement {
  /// The text it was compiled from.
  package let sql: String

  private let statement: OpaquePointer
  private let handle: DatabaseHandle
  private let path: String?

  init(_ statement: OpaquePointer, sql: String, of handle: DatabaseHandle, path: String?) {
    self.statement = statement
    self.sql = sql
    self.handle = handle
    self.path = path
  }

  deinit { sqlite3_finalize(statement) }

  // MARK: Running

  /// Goes to the next row.
  ///
  /// - Returns: false behind the last row; the statement is reset then and can be run again.
  package func step() throws(SQLiteError) -> Bool {
    let result = sqlite3_step(statement)
    if result == SQLITE_ROW { return true }
    guard result == SQLITE_DONE else {
      let error = handle.error(result, sql: sql, path: path)
      sqlite3_reset(statement)
      throw error
    }
    sqlite3_reset(statement)
    return false
  }

  /// Runs to the end, rows passed over.
  package func run() throws(SQLiteError) {
    while try step() {}
  }

  /// Ends a run before its last row; the parameters stay.
  package func reset() { sqlite3_reset(statement) }

  /// Ends a run and sets all parameters to null.
  package func clear() {
    sqlite3_reset(statement)
    sqlite3_clear_bindings(statement)
  }

  /// Whether it was stepped to a row and not to the end.
  package var isBusy: Bool { sqlite3_stmt_busy(statement) != 0 }

  // MARK: Parameters

  /// The number of parameters.
  package var parameterCount: Int { Int(sqlite3_bind_parameter_count(statement)) }

  /// Binds a null.
  package func bindNull(_ number: Int) { bound(sqlite3_bind_null(statement, Int32(number))) }

  /// Binds an integer.
  package func bind(_ number: Int, _ value: Int64) { bound(sqlite3_bind_int64(statement, Int32(number), value)) }

  /// Binds an integer.
  package func bind(_ number: Int, _ value: Int) { bind(number, Int64(value)) }

  /// Binds a real; NaN becomes null, as SQLite has it.
  package func bind(_ number: Int, _ value: Double) { bound(sqlite3_bind_double(statement, Int32(number), value)) }

  /// Binds a text.
  package func bind(_ number: Int, _ value: String) {
    var value = value
    value.withUTF8 { bind(number, text: UnsafeRawBufferPointer($0)) }
  }

  /// Binds the UTF-8 of a text; the bytes are copied.
  package func bind(_ number: Int, text: UnsafeRawBufferPointer) {
    bound(
      sqlite3_bind_text64(
        statement, Int32(number), text.nonNilBase.assumingMemoryBound(to: CChar.self), UInt64(text.count), transient,
        UInt8(SQLITE_UTF8)))
  }

  /// Binds a blob; the bytes are copied.
  package func bind(_ number: Int, blob: UnsafeRawBufferPointer) {
    bound(sqlite3_bind_blob64(statement, Int32(number), blob.nonNilBase, UInt64(blob.count), transient))
  }

  /// Binds a blob.
  package func bind(_ number: Int, blob: [UInt8]) { blob.withUnsafeBytes { bind(number, blob: $0) } }

  /// Binds a value of any kind.
  package func bind(_ number: Int, _ value: SQLiteValue) {
    switch value {
    case .null: bindNull(number)
    case .integer(let integer): bind(number, integer)
    case .real(let real): bind(number, real)
    case .text(let text): bind(number, text)
    case .blob(let bytes): bind(number, blob: bytes)
    }
  }

  private func bound(_ result: Int32) {
    precondition(result != SQLITE_RANGE, "the statement has no such parameter: \(sql)")
    precondition(result != SQLITE_MISUSE, "a statement is bound before it is run, not while: \(sql)")
  }

  // MARK: Columns of the row

  /// The number of columns.
  package var columnCount: Int { Int(sqlite3_column_count(statement)) }

  /// The name of a column.
  package func columnName(_ index: Int) -> String {
    sqlite3_column_name(statement, Int32(index)).map { String(cString: $0) } ?? ""
  }

  /// The kind of value in a column.
  package func kind(_ index: Int) -> SQLiteValue.Kind {
    SQLiteValue.Kind(type: sqlite3_column_type(statement, Int32(index)))
  }

  /// Whether a column is null.
  package func isNull(_ index: Int) -> Bool { sqlite3_column_type(statement, Int32(index)) == SQLITE_NULL }

  /// The value of a column as an integer, converted if it is of another kind.
  package func integer(_ index: Int) -> Int64 { sqlite3_column_int64(statement, Int32(index)) }

  /// The value of a column as a real, converted if it is of another kind.
  package func real(_ index: Int) -> Double { sqlite3_column_double(statement, Int32(index)) }

  /// The value of a column as text; nil for a null.
  package func text(_ index: Int) -> String? {
    isNull(index) ? nil : String(decoding: textBytes(index), as: UTF8.self)
  }

  /// The value of a column as text; nil for what is no UTF-8.
  package func validText(_ index: Int) -> String? {
    // What the standard library has for it takes longer than both.
    let bytes = textBytes(index)
    return isValidUTF8(bytes) ? String(decoding: bytes, as: UTF8.self) : nil
  }

  /// The value of a column as UTF-8; it is good until the next step.
  package func textBytes(_ index: Int) -> UnsafeRawBufferPointer {
    let base = sqlite3_column_text(statement, Int32(index))
    return UnsafeRawBufferPointer(start: base, count: Int(sqlite3_column_bytes(statement, Int32(index))))
  }

  /// The bytes of a blob; they are good until the next step.
  package func blobBytes(_ index: Int) -> UnsafeRawBufferPointer {
    let base = sqlite3_column_blob(statement, Int32(index))
    return UnsafeRawBufferPointer(start: base, count: Int(sqlite3_column_bytes(statement, Int32(index))))
  }

  /// The value of a column as a copy of its own.
  package func value(_ index: Int) -> SQLiteValue {
    switch kind(index) {
    case .null: .null
    case .integer: .integer(integer(index))
    case .real: .real(real(index))
    case .text: .text(String(decoding: textBytes(index), as: UTF8.self))
    case .blob: .blob(Array(blobBytes(index)))
    }
  }
}

/// Tells SQLite to copy the bytes: they are the caller's.
let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

extension UnsafeRawBufferPointer {
  /// The first byte's address, or any other of no bytes: SQLite takes nil for a null.
  var nonNilBase: UnsafeRawPointer { baseAddress ?? UnsafeRawPointer(bitPattern: 1)! }
}
