public import Diagnostics
public import ObjectModel
public import Records
public import Values

/// Converts single fields to values of one attribute: the keys by which relationships and links find their objects.
public final class FieldConverter {
  private let attribute: String
  private let column: String
  private let field: Int
  private let file: String
  private let reader: FieldReader
  private let nulls: NullRule

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
    reader = try ConversionPlanner.reader(of: attribute, entity, options)
    nulls = NullRule(options, keepsEmptyText: reader.keepsEmptyText)
    self.attribute = "\(entity.name ?? "").\(attribute)"
    self.column = column
    self.field = field
    self.file = file
  }

  /// Makes a converter of texts that are no attribute's, such as names that a run has for objects.
  ///
  /// - Parameter name: what the texts are, for messages.
  public init(
    name: String, column: String, field: Int, options: ConversionOptions = ConversionOptions(), file: String = "-"
  ) throws(Diagnostic) {
    reader = .string(nfc: false)
    nulls = NullRule(options, keepsEmptyText: false)
    attribute = name
    self.column = column
    self.field = field
    self.file = file
  }

  /// The value of a record's field; null by the rules of `RecordConverter`.
  public func value(_ chunk: RecordChunk, _ record: Int) throws(Diagnostic) -> Value {
    guard let text = text(chunk, record) else { return .null }
    if chunk.flags(record, field).contains(.repeated) {
      throw .repeatedField(description(FieldText(chunk, record, [field]), chunk, record))
    }
    return try value(text, chunk, record)
  }

  /// The values of a field that holds several, in their order.
  ///
  /// The occurrences of a repeated field are its items; another is cut at the separator. Blanks around an item are dropped,
  /// and an empty item is no item. A backslash before the separator or another backslash makes it part of the item.
  public func values(_ chunk: RecordChunk, _ record: Int, separator: String?) throws(Diagnostic) -> [Value] {
    guard let text = text(chunk, record) else { return [] }
    let flags = chunk.flags(record, field)
    var list =
      flags.contains(.repeated)
      ? ListCell(text, separator: [RecordChunk.occurrenceSeparator], hasEscapes: false)
      : ListCell(text, separator: Array((separator ?? "").utf8), hasEscapes: true)
    var values: [Value] = []
    while let item = list.next() {
      let value = item.withUnsafeBytes { bytes -> Result<Value, Diagnostic> in
        guard let text = nulls.text(bytes.trimmed, isQuoted: flags.contains(.quoted)), !text.isEmpty else {
          return .success(.null)
        }
        do throws(Diagnostic) { return .success(try self.value(text, chunk, record)) } catch { return .failure(error) }
      }
      if case let value = try value.get(), !value.isNull { values.append(value) }
    }
    return values
  }

  /// The bytes of the field, good until the chunk is changed; nil for null.
  private func text(_ chunk: RecordChunk, _ record: Int) -> UnsafeRawBufferPointer? {
    chunk.withFields(of: record) { nulls.text($0, field) }
  }

  private func value(_ text: UnsafeRawBufferPointer, _ chunk: RecordChunk, _ record: Int) throws(Diagnostic) -> Value {
    do throws(TextTrouble) {
      return try reader.value(text)
    } catch {
      throw .notAValue(error, reader, description(FieldText(Array(text)), chunk, record))
    }
  }

  private func description(_ text: FieldText, _ chunk: RecordChunk, _ record: Int) -> FieldDescription {
    FieldDescription(
      column: column, attribute: attribute, text: text, position: chunk.position(record, field, file))
  }
}

/// The items of a field, cut at a separator.
struct ListCell {
  private let text: UnsafeRawBufferPointer
  private let separator: [UInt8]
  private let hasEscapes: Bool
  private var index = 0
  private var isAtEnd = false

  /// Makes one; without a separator the whole text is the item.
  init(_ text: UnsafeRawBufferPointer, separator: [UInt8], hasEscapes: Bool) {
    self.text = text
    self.separator = separator
    self.hasEscapes = hasEscapes && !separator.isEmpty
  }

  /// The next item, its escapes resolved; nil behind the last.
  mutating func next() -> [UInt8]? {
    guard !isAtEnd else { return nil }
    let backslash = UInt8(ascii: "\\")
    var item: [UInt8] = []
    while index < text.count {
      if hasSeparator(at: index) {
        index += separator.count
        return item
      }
      if hasEscapes, text[index] == backslash {
        if hasSeparator(at: index + 1) {
          item += separator
          index += 1 + separator.count
          continue
        }
        // Before anything else a backslash is itself.
        if index + 1 < text.count, text[index + 1] == backslash { index += 1 }
      }
      item.append(text[index])
      index += 1
    }
    isAtEnd = true
    return item
  }

  private func hasSeparator(at start: Int) -> Bool {
    guard !separator.isEmpty, separator.count <= text.count - start else { return false }
    return text[start..<start + separator.count].elementsEqual(separator)
  }
}
