package import Diagnostics
import Foundation
import KeyedArchives

/// A kind of value that is a few numbers: in Apple's string form, such as `{{0, 0}, {10.5, 20}}`, as JSON, or as as many columns.
package protocol GeometryKind: DirectValueKind {
  static var shape: GeometryShape { get }
  /// How numbers in columns are spelled.
  var columnFormat: NumberFormat { get }
  init(columnFormat: NumberFormat)
  func content(_ numbers: NumberList) throws(TextTrouble) -> Content
  func numbers(_ content: Content) -> NumberList
}

/// What the texts of a kind look like; a class, since it is looked at for each value and never changes.
package final class GeometryShape: Sendable {
  /// The string form: `#` stands for a number.
  let pattern: [UInt8]
  /// The names of the numbers in JSON.
  let names: [String]
  /// What NSValue calls it; nil if its archive has no string form.
  let archived: ArchivedValue.Geometry?

  init(_ pattern: String, _ names: [String], archived: ArchivedValue.Geometry?) {
    self.pattern = Array(pattern.utf8)
    self.names = names
    self.archived = archived
  }

  /// The most bytes that a text takes.
  var longestText: Int {
    pattern.count + names.count * TextBuffer.longestNumber + names.reduce(0) { $0 + $1.count + 4 }
  }
}

extension GeometryKind {
  package static var forms: [StorageForm] { [.string, .json] + (shape.archived == nil ? [] : [.nsvalue]) }

  package init(_ settings: KindSettings) throws(Diagnostic) {
    self.init(columnFormat: try NumberFormat(settings.options))
  }

  package var columnCounts: Set<Int> { [Self.shape.names.count] }

  package var expectation: String { "\(ShownText.withArticle(Self.name)) such as \(example)" }

  private var example: String {
    var numbers = NumberList()
    for index in Self.shape.names.indices { numbers.append(Double(index + 1)) }
    return Self.shape.text(numbers, as: .string)
  }

  package func content(_ text: UnsafeRawBufferPointer) throws(TextTrouble) -> Content {
    try content(Self.shape.numbers(text))
  }

  package func content(columns: [UnsafeRawBufferPointer]) throws(TextTrouble) -> Content {
    var numbers = NumberList()
    for column in columns.prefix(NumberList.limit) { numbers.append(try columnFormat.real(column)) }
    return try content(numbers)
  }

  package func text(_ content: Content) -> String { Self.shape.text(numbers(content), as: .string) }

  package func withStored<Result>(
    _ content: Content, as form: StorageForm, _ body: (UnsafeRawBufferPointer) -> Result
  ) throws(TextTrouble) -> Result {
    let numbers = numbers(content)
    guard form == .nsvalue else { return Self.shape.withText(numbers, as: form, body) }
    let archived: ArchivedValue =
      if let geometry = Self.shape.archived { .geometry(geometry, text(content)) } else {
        .range(location: Int64(numbers[0]), length: Int64(numbers[1]))
      }
    guard let archive = archived.archive else { throw .form }
    return archive.withUnsafeBytes(body)
  }

  package func content(stored: Value, as form: StorageForm) throws(TextTrouble) -> Content {
    switch stored {
    case .string(let text): return try text.parsed(by: content)
    case .data(let data):
      switch try? ArchivedValue(data) {
      case .geometry(let geometry, let text)? where geometry == Self.shape.archived:
        return try text.parsed(by: content)
      case .range(let location, let length)? where form == .nsvalue && Self.name == RangeKind.name:
        return try content(NumberList(Double(location), Double(length)))
      default: throw .form
      }
    default: throw .form
    }
  }
}

// MARK: Reading

extension GeometryShape {
  /// The numbers of a text: the string form, an object with the names, or an array of numbers or pairs of numbers.
  func numbers(_ text: UnsafeRawBufferPointer) throws(TextTrouble) -> NumberList {
    var cursor = ByteCursor(text)
    let isJSON: Bool
    switch text.first {
    case UInt8(ascii: "["): isJSON = pattern.first != UInt8(ascii: "[")
    case UInt8(ascii: "{"):
      _ = cursor.skip(UInt8(ascii: "{"))
      cursor.skipBlanks()
      isJSON = cursor.next == UInt8(ascii: "\"")
    default: throw .form
    }
    return isJSON ? try jsonNumbers(text) : try stringNumbers(text)
  }

  private func stringNumbers(_ text: UnsafeRawBufferPointer) throws(TextTrouble) -> NumberList {
    var numbers = NumberList()
    var cursor = ByteCursor(text)
    for character in pattern where character != 0x20 {
      if character == UInt8(ascii: "#") {
        // The string form has a full stop, whatever the columns have.
        numbers.append(
          try NumberFormat.plain.real(cursor.take { $0 != 0x20 && $0 != 0x2C && $0 != 0x7D && $0 != 0x5D }))
      } else {
        guard cursor.skip(character) else { throw .form }
      }
      if !cursor.isAtEnd { cursor.skipBlanks() }
    }
    guard cursor.isAtEnd, text.last == pattern.last else { throw .form }
    return numbers
  }

  private func jsonNumbers(_ text: UnsafeRawBufferPointer) throws(TextTrouble) -> NumberList {
    var found: [String: Double] = [:]
    var list: [Double] = []
    func collect(_ value: ArchivedValue, _ name: String?) throws(TextTrouble) {
      switch value {
      case .integer(let number): try keep(Double(number), name)
      case .real(let number): try keep(number, name)
      case .array(let items) where name == nil:
        for item in items { try collect(item, nil) }
      case .dictionary(let entries) where name == nil || name == "origin" || name == "size":
        for entry in entries {
          guard case .string(let key) = entry.key else { throw .form }
          try collect(entry.value, key)
        }
      default: throw .form
      }
    }
    func keep(_ number: Double, _ name: String?) throws(TextTrouble) {
      guard let name else { return list.append(number) }
      guard found.updateValue(number, forKey: name) == nil else { throw .form }
    }
    try collect(JSONReader.value(text), nil)
    if !found.isEmpty {
      guard list.isEmpty, Set(found.keys) == Set(names) else { throw .form }
      list = names.compactMap { found[$0] }
    }
    guard list.count == names.count else { throw .form }
    var numbers = NumberList()
    for number in list { numbers.append(number) }
    return numbers
  }
}

// MARK: Writing

extension GeometryShape {
  func withText<Result>(_ numbers: NumberList, as form: StorageForm, _ body: (UnsafeRawBufferPointer) -> Result)
    -> Result
  {
    withUnsafeTemporaryAllocation(byteCount: longestText, alignment: 1) { memory in
      var text = TextBuffer(memory)
      if form == .json { writeJSON(numbers, to: &text) } else { writeString(numbers, to: &text) }
      return body(text.bytes)
    }
  }

  func text(_ numbers: NumberList, as form: StorageForm) -> String {
    withText(numbers, as: form) { String(decoding: $0, as: UTF8.self) }
  }

  private func writeString(_ numbers: NumberList, to text: inout TextBuffer) {
    var index = 0
    for character in pattern {
      if character == UInt8(ascii: "#") {
        text.append(number: numbers[index])
        index += 1
      } else {
        text.append(character)
      }
    }
  }

  private func writeJSON(_ numbers: NumberList, to text: inout TextBuffer) {
    for (index, name) in names.enumerated() {
      text.append(index == 0 ? UInt8(ascii: "{") : UInt8(ascii: ","))
      text.append(UInt8(ascii: "\""))
      text.write(name)
      text.append(UInt8(ascii: "\""))
      text.append(UInt8(ascii: ":"))
      text.append(number: numbers[index])
    }
    text.append(UInt8(ascii: "}"))
  }
}
