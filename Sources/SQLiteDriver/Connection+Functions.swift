import CSQLite
import Diagnostics

extension Connection {
  /// Adds a function that SQL of this connection and triggers of its database may call.
  ///
  /// - Parameters:
  ///   - argumentCount: the number of arguments; -1 for any.
  ///   - body: what it does; an error that it throws ends the statement with the error's text.
  package func addFunction(
    _ name: String, argumentCount: Int, _ body: @escaping ([SQLiteValue]) throws -> SQLiteValue
  ) throws(SQLiteError) {
    let function = Unmanaged.passRetained(Function(body, of: handle)).toOpaque()
    // Innocuous: triggers may call it even where the schema is not trusted. SQLite releases it, also when this call fails.
    let result = sqlite3_create_function_v2(
      handle.database, name, Int32(argumentCount), SQLITE_UTF8 | SQLITE_INNOCUOUS, function,
      { context, count, arguments in
        guard let context, let data = sqlite3_user_data(context) else { return }
        Unmanaged<Function>.fromOpaque(data).takeUnretainedValue().call(context, Int(count), arguments)
      }, nil, nil,
      { data in
        if let data { Unmanaged<Function>.fromOpaque(data).release() }
      })
    guard result == SQLITE_OK else { throw handle.error(result, sql: nil, path: path) }
  }
}

/// The body of a function, kept by SQLite.
private final class Function {
  private let body: ([SQLiteValue]) throws -> SQLiteValue
  /// The database that keeps it.
  private weak var handle: DatabaseHandle?

  init(_ body: @escaping ([SQLiteValue]) throws -> SQLiteValue, of handle: DatabaseHandle) {
    self.body = body
    self.handle = handle
  }

  func call(_ context: OpaquePointer, _ count: Int, _ arguments: UnsafeMutablePointer<OpaquePointer?>?) {
    do {
      let values = (0..<count).map { index in arguments?[index].map { SQLiteValue($0) } ?? .null }
      try body(values).give(to: context)
    } catch {
      // SQLite hands on a text alone.
      handle?.functionError = error as? Diagnostic
      sqlite3_result_error(context, "\(error)", -1)
    }
  }
}

extension SQLiteValue {
  fileprivate init(_ argument: OpaquePointer) {
    let kind = Kind(type: sqlite3_value_type(argument))
    switch kind {
    case .null:
      self = .null
    case .integer:
      self = .integer(sqlite3_value_int64(argument))
    case .real:
      self = .real(sqlite3_value_double(argument))
    case .text:
      let base = sqlite3_value_text(argument)
      let bytes = UnsafeBufferPointer(start: base, count: Int(sqlite3_value_bytes(argument)))
      self = .text(String(decoding: bytes, as: UTF8.self))
    case .blob:
      let base = sqlite3_value_blob(argument)
      self = .blob(Array(UnsafeRawBufferPointer(start: base, count: Int(sqlite3_value_bytes(argument)))))
    }
  }

  fileprivate func give(to context: OpaquePointer) {
    switch self {
    case .null:
      sqlite3_result_null(context)
    case .integer(let integer):
      sqlite3_result_int64(context, integer)
    case .real(let real):
      sqlite3_result_double(context, real)
    case .text(var text):
      text.withUTF8 { bytes in
        let bytes = UnsafeRawBufferPointer(bytes)
        sqlite3_result_text64(
          context, bytes.nonNilBase.assumingMemoryBound(to: CChar.self), UInt64(bytes.count), transient,
          UInt8(SQLITE_UTF8))
      }
    case .blob(let blob):
      blob.withUnsafeBytes { sqlite3_result_blob64(context, $0.nonNilBase, UInt64($0.count), transient) }
    }
  }
}
