public import Foundation

/// A typed value of an attribute, as an object holds it and a store keeps it.
public enum Value: Hashable, Sendable {
  /// No value.
  case null
  /// Integer 16, 32 and 64.
  case integer(Int64)
  /// Boolean.
  case boolean(Bool)
  /// Double and Float.
  case real(Double)
  /// Decimal.
  case decimal(Decimal)
  /// String.
  case string(String)
  /// Date.
  case date(Date)
  /// Binary, and Transformable as the bytes that are stored.
  case data(Data)
  /// UUID.
  case uuid(UUID)
  /// URI.
  case url(URL)

  /// Whether there is no value.
  public var isNull: Bool { self == .null }
}
