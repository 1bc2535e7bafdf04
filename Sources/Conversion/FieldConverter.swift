public import Diagnostics
public import ObjectModel
public import Records
public import Values

/// Converts single fields to values of one attribute: the keys by which relationships and links find their objects.
public final class FieldConverter {
  /// Makes a converter from a column to an attribute.
  ///
  /// - Parameters:
  ///   - attribute: the attribute's name, or `composite.element`.
  ///   - column: the column's name, for messages.
  ///   - field: the index of the column.
  public init(
    entity: NSEntityDescription, attribute: String, column: String, field: Int,
    options: ConversionOptions = ConversionOptions(), file: String = "-"
  ) throws(Diagnostic) {
  }

  /// The value of a record's field; null by the rules of `RecordConverter`.
  public func value(_ chunk: RecordChunk, _ record: Int) throws(Diagnostic) -> Value {
    preconditionFailure("not built yet")
  }

  /// The values of a field that holds several, in their order.
  ///
  /// The occurrences of a repeated field are its items; another is cut at the separator. Blanks around an item are dropped,
  /// and an empty item is no item. A backslash before the separator or another backslash makes it part of the item.
  public func values(_ chunk: RecordChunk, _ record: Int, separator: String?) throws(Diagnostic) -> [Value] {
    preconditionFailure("not built yet")
  }
}
