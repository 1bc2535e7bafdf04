import Bytes
import Foundation
import ObjectGraph
import ObjectModel
import Values

/// The SQL by which rows of one store become rows of another: expressions over a row `t` of the source.
///
/// The same expressions make the new rows and answer what they will be, so that a plan tells what a run does.
struct TransferSQL {
  let transfer: StoreTransfer
  /// Where the properties are in the store that is read.
  let source: StoreSchema
  /// Where they will be.
  let destination: StoreSchema
  /// The name of the database that is read, and a dot.
  let from: String

  init(_ transfer: StoreTransfer, source: StoreSchema, destination: StoreSchema, from: String) {
    self.transfer = transfer
    self.source = source
    self.destination = destination
    self.from = from
  }

  /// The table of an entity of the source.
  func table(_ entity: NSEntityDescription) -> String { from + source.table(of: entity).name }

  /// The rows of an entity itself: what a `SELECT` reads and its condition.
  func rows(_ entity: NSEntityDescription) -> String {
    "FROM \(table(entity)) AS t WHERE t.Z_ENT = \(source.numbers[entity] ?? 0)"
  }
}

// MARK: - Attributes

extension TransferSQL {
  /// The value of an attribute of the destination.
  func value(of attribute: AttributeTransfer, in entity: EntityTransfer) -> String {
    guard let stored = converted(attribute, in: entity) else {
      return StoredValue(inRow: attribute.valueForNull, of: attribute.destination.attribute).literal
    }
    if attribute.valueForNull.isNull { return stored }
    let value = StoredValue(inRow: attribute.valueForNull, of: attribute.destination.attribute).literal
    return "IFNULL(\(stored), \(value))"
  }

  /// The stored form of the source in the form of the destination; nil if there is no source.
  private func converted(_ attribute: AttributeTransfer, in entity: EntityTransfer) -> String? {
    guard let old = attribute.source, let column = source.column(of: old.path, in: entity.source) else { return nil }
    let (a, b) = (old.attribute, attribute.destination.attribute)
    let value = "t.\(column)"
    switch (a.allowsExternalBinaryDataStorage, b.allowsExternalBinaryDataStorage) {
    // A value in the row may always stand there, however large.
    case (false, true): return "CAST(X'01' || \(value) AS BLOB)"
    case (true, false): return "\(TransferFunctions.internalised)(\(value))"
    default: return Self.number(value, from: a.attributeType, to: b.attributeType)
    }
  }

  /// A number in the stored form of another type. An integer that does not fit is kept, as Core Data keeps it.
  private static func number(_ value: String, from old: NSAttributeType, to new: NSAttributeType) -> String {
    if old == new { return value }
    switch new {
    case .booleanAttributeType: return "(\(value) <> 0)"
    case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType:
      return old.isStoredAsInteger ? value : "CAST(\(value) AS INTEGER)"
    case .floatAttributeType: return "\(TransferFunctions.float)(\(value))"
    // A whole decimal is stored as an integer, which may have more digits than a real number.
    case .doubleAttributeType: return "CAST(\(value) AS REAL)"
    case .decimalAttributeType: return old.isStoredAsInteger ? "CAST(\(value) AS REAL)" : value
    default: return value
    }
  }

  /// Whether a number that is converted is another number then: a condition on the row, or nil if it cannot be.
  func isChanged(_ attribute: AttributeTransfer, in entity: EntityTransfer) -> String? {
    guard let old = attribute.source, let column = source.column(of: old.path, in: entity.source) else { return nil }
    let (from, to) = (old.attribute.attributeType, attribute.destination.attribute.attributeType)
    guard from != to else { return nil }
    let value = "t.\(column)"
    if let range = to.integerRange {
      let beyond = "\(value) < \(range.lowerBound) OR \(value) > \(range.upperBound)"
      return from.isStoredAsInteger ? beyond : "\(beyond) OR CAST(\(value) AS INTEGER) <> \(value)"
    }
    return "\(Self.number(value, from: from, to: to)) <> \(value)"
  }
}

extension StoredValue {
  /// The form in which a default value stands in a row.
  fileprivate init(inRow value: Value, of attribute: NSAttributeDescription) {
    let stored = StoredValue(value, as: attribute.attributeType) ?? .null
    if case .blob(let data) = stored, attribute.allowsExternalBinaryDataStorage {
      self = .blob(ExternalFiles.inline(data))
    } else {
      self = stored
    }
  }

  /// The value as SQL spells it.
  var literal: String {
    switch self {
    case .null: "NULL"
    case .integer(let integer): "\(integer)"
    case .real(let real) where real.isNaN: "NULL"
    case .real(let real): real.isInfinite ? (real < 0 ? "-9e999" : "9e999") : "\(real)"
    case .text(let text): "'\(text.replacingOccurrences(of: "'", with: "''"))'"
    case .blob(let data): "X'\(Hex.encode(data))'"
    }
  }
}

extension NSAttributeType {
  /// Whether columns of the type hold integers.
  var isStoredAsInteger: Bool { column?.group == .integer }

  /// The integers that the type has; nil for types of other values.
  fileprivate var integerRange: ClosedRange<Int64>? {
    switch self {
    case .booleanAttributeType: 0...1
    case .integer16AttributeType: Int64(Int16.min)...Int64(Int16.max)
    case .integer32AttributeType: Int64(Int32.min)...Int64(Int32.max)
    case .integer64AttributeType: Int64.min...Int64.max
    default: nil
    }
  }
}
