public import Values
import Bytes
import Foundation

extension AttributeColumns {
  /// The value of a row in a column.
  public func value(row: Int, column: Int) -> Value {
    guard let value = StoredValue(columns[column], row: row).value(as: types[column]) else {
      preconditionFailure("column \(column) of \(entity.name ?? "") holds what is not a \(types[column].modelName)")
    }
    return value
  }

  /// Appends a value of the attribute's type to a column of the open row.
  package func append(_ value: Value, column: Int) {
    let attribute = entity.layout.attributes[places[column]]
    guard let stored = StoredValue(value, as: attribute.attribute.attributeType) else {
      preconditionFailure("\(attribute.path) is a \(attribute.attribute.attributeType.modelName) and takes no \(value)")
    }
    stored.append(to: columns[column])
  }

  /// Puts the values of a row at their places in the entity's layout; places without a column are left as they are.
  package func read(row: Int, into values: inout [Value]) {
    for (column, place) in places.enumerated() { values[place] = value(row: row, column: column) }
  }

  /// The values of a row by place in the entity's layout; the default value where there is no column.
  package func values(row: Int) -> [Value] {
    var values = entity.layout.defaultValues
    read(row: row, into: &values)
    return values
  }
}

extension StoredValue {
  init(_ column: RawColumn, row: Int) {
    guard column.isValid(row) else {
      self = .null
      return
    }
    self =
      switch column.kind {
      case .integer: .integer(column.integer(row))
      case .real: .real(column.real(row))
      case .text: .text(column.text(row))
      case .blob: .blob(Data(column.bytes(row)))
      }
  }

  func append(to column: RawColumn) {
    switch self {
    case .null: column.appendNull()
    case .integer(let integer): column.append(integer)
    case .real(let real): column.append(real)
    case .text(let text): column.append(text)
    case .blob(let data): data.withUnsafeBytes { column.append($0) }
    }
  }
}
