import Foundation
import SQLiteDriver

/// The functions that the SQL of a transfer calls.
enum TransferFunctions {
  /// A number as the nearest one of single precision.
  static let float = "gantry_float"
  /// The bytes of a value of external storage, from its row or its file.
  static let internalised = "gantry_internal"

  static func add(to connection: Connection, files: ExternalFiles) throws(SQLiteError) {
    try connection.addFunction(float, argumentCount: 1) { arguments in
      switch arguments.first {
      case .integer(let integer)?: .real(Double(Float(integer)))
      case .real(let real)?: .real(Double(Float(real)))
      case let other: other ?? .null
      }
    }
    try connection.addFunction(internalised, argumentCount: 1) { arguments in
      guard case .blob(let stored)? = arguments.first else { return arguments.first ?? .null }
      guard let data = files.decode(Data(stored)) else { throw MissingFile(name: files.file(of: Data(stored))?.path) }
      return .blob(Array(data))
    }
  }

  /// A value whose file is not there; SQLite hands on its text.
  private struct MissingFile: Error, CustomStringConvertible {
    let name: String?
    var description: String { "the file \(name ?? "of a value") of external storage is missing" }
  }
}
