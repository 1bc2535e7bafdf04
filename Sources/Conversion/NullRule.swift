import Records
import Values

/// What of a field is its text, and when it is no value.
struct NullRule {
  /// The spellings of null.
  private let spellings: [[UInt8]]
  private let appliesToQuoted: Bool
  private let trims: Bool
  /// Whether an empty field is an empty text, and a quoted one; only a String attribute has such.
  private let keepsEmptyText: Bool
  private let keepsQuotedEmptyText: Bool

  init(_ options: ConversionOptions, keepsEmptyText: Bool) {
    spellings = (options.nulls ?? []).map { Array($0.utf8) }
    appliesToQuoted = options.quotedNulls ?? false
    trims = options.trim ?? false
    self.keepsEmptyText = keepsEmptyText && options.empty == .text
    keepsQuotedEmptyText = keepsEmptyText && options.empty != .null
  }

  /// The bytes of a field that are to be read; nil for null. A field that the record does not have is null.
  func text(_ fields: RecordFields, _ field: Int) -> UnsafeRawBufferPointer? {
    guard field < fields.count else { return nil }
    let flags = fields.flags(field)
    guard !flags.contains(.absent) else { return nil }
    return text(fields.bytes(field), isQuoted: flags.contains(.quoted))
  }

  /// The bytes that are to be read of those of a field, or of one item of it; nil for null.
  func text(_ bytes: UnsafeRawBufferPointer, isQuoted: Bool) -> UnsafeRawBufferPointer? {
    let text = trims ? bytes.trimmed : bytes
    if !spellings.isEmpty, !isQuoted || appliesToQuoted {
      for spelling in spellings where text.elementsEqual(spelling) { return nil }
    }
    return text.isEmpty && !(isQuoted ? keepsQuotedEmptyText : keepsEmptyText) ? nil : text
  }
}

extension UnsafeRawBufferPointer {
  /// The bytes without blanks, tabs and line ends at either end.
  var trimmed: UnsafeRawBufferPointer {
    var (start, end) = (startIndex, endIndex)
    while start < end, self[start].isBlank { start += 1 }
    while end > start, self[end - 1].isBlank { end -= 1 }
    return UnsafeRawBufferPointer(rebasing: self[start..<end])
  }
}

extension UInt8 {
  var isBlank: Bool { self == 0x20 || (0x09...0x0D).contains(self) }
}
