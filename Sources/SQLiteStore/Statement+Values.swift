import Foundation
import ObjectModel
import SQLiteDriver

extension Statement {
  /// Binds a value in its stored form.
  func bind(_ number: Int, _ value: StoredValue) {
    switch value {
    case .null: bindNull(number)
    case .integer(let integer): bind(number, integer)
    case .real(let real): bind(number, real)
    case .text(let text): bind(number, text)
    case .blob(let data): data.withUnsafeBytes { bind(number, blob: $0) }
    }
  }

  /// Binds integers to the first parameters.
  func bind(integers: [Int64]) {
    for (index, integer) in integers.enumerated() { bind(index + 1, integer) }
  }

  /// Runs the statement with integers as its parameters.
  func run(_ integers: Int64...) throws(SQLiteError) {
    bind(integers: integers)
    try run()
  }

  /// Runs the statement with integers as its parameters, and hands over each row.
  func forEachRow(_ integers: Int64..., body: (Statement) throws -> Void) throws {
    bind(integers: integers)
    defer { reset() }
    while try step() { try body(self) }
  }

  /// The stored form of a column's value.
  func storedValue(_ index: Int) -> StoredValue {
    switch kind(index) {
    case .null: .null
    case .integer: .integer(integer(index))
    case .real: .real(real(index))
    case .text: .text(text(index) ?? "")
    case .blob: .blob(Data(blobBytes(index)))
    }
  }

  /// The integer of a column; nil for a null.
  func optionalInteger(_ index: Int) -> Int64? { isNull(index) ? nil : integer(index) }
}
