package import Diagnostics

/// Option sets: the names of options with `|` between, or the sum of their numbers.
package struct OptionSetKind: ValueKind {
  package static let name = "optionSet"
  package static let forms: [StorageForm] = [.integer, .string]

  private let numbers: [String: Int64]
  /// The options by what they hold, those of several bits first, so that the fewest names say a number.
  private let options: [(name: String, number: Int64)]
  private let unknown: Int64?

  package init(_ settings: KindSettings) throws(Diagnostic) {
    guard !settings.cases.isEmpty else { throw .noCases(Self.name) }
    numbers = settings.cases
    options = settings.cases.map { ($0.key, $0.value) }.sorted { a, b in
      (-a.number.nonzeroBitCount, a.number, a.name) < (-b.number.nonzeroBitCount, b.number, b.name)
    }
    unknown = settings.unknown.flatMap { settings.cases[$0] }
    if let word = settings.unknown, unknown == nil { throw .unknownCase(word, known: settings.cases.keys.sorted()) }
  }

  package var expectation: String {
    "options with | between, of \(options.map { "\($0.name) (\($0.number))" }.sorted().joined(separator: ", "))"
  }

  package func content(_ text: UnsafeRawBufferPointer) throws(TextTrouble) -> Int64 {
    var sum: Int64 = 0
    for part in text.split(separator: UInt8(ascii: "|"), omittingEmptySubsequences: false) {
      sum |= try number(UnsafeRawBufferPointer(rebasing: part).withoutOuterBlanks)
    }
    return sum
  }

  private func number(_ word: UnsafeRawBufferPointer) throws(TextTrouble) -> Int64 {
    if let number = numbers[String(decoding: word, as: UTF8.self)] { return number }
    if let number = try? NumberFormat.plain.integer(word), number & ~mask == 0 { return number }
    guard let unknown else { throw .unknownWord }
    return unknown
  }

  /// All bits that have a name.
  private var mask: Int64 { options.reduce(0) { $0 | $1.number } }

  package func text(_ content: Int64) -> String {
    if let whole = options.last(where: { $0.number == content }) { return whole.name }
    var rest = content
    var names: [String] = []
    for option in options where option.number != 0 && option.number & ~rest == 0 {
      rest &= ~option.number
      names.append(option.name)
    }
    // Bits that have no name any more are still there.
    if rest != 0 || names.isEmpty { names.append(String(rest)) }
    return names.joined(separator: "|")
  }

  package func stored(_ content: Int64, as form: StorageForm) -> Value {
    form == .integer ? .integer(content) : .string(text(content))
  }

  package func content(stored: Value, as form: StorageForm) throws(TextTrouble) -> Int64 {
    switch stored {
    case .integer(let number): return number
    case .string(let text): return try text.parsed(by: content)
    default: throw .form
    }
  }
}

extension UnsafeRawBufferPointer {
  /// The bytes without blanks at either end.
  var withoutOuterBlanks: UnsafeRawBufferPointer {
    var (start, end) = (startIndex, endIndex)
    while start < end, self[start] == 0x20 { start += 1 }
    while end > start, self[end - 1] == 0x20 { end -= 1 }
    return UnsafeRawBufferPointer(rebasing: self[start..<end])
  }
}
