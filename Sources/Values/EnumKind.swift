package import Diagnostics

/// Enumerations: a case by its name or its number.
package struct EnumKind: ValueKind {
  package static let name = "enum"
  package static let forms: [StorageForm] = [.integer, .string]

  private let names: [Int64: String]
  private let numbers: [String: Int64]
  private let unknown: Int64?

  package init(_ settings: KindSettings) throws(Diagnostic) {
    guard !settings.cases.isEmpty else { throw .noCases(Self.name) }
    numbers = settings.cases
    // Of two names of a number the first in order is shown.
    names = Dictionary(
      settings.cases.sorted { $0.key < $1.key }.map { ($0.value, $0.key) }, uniquingKeysWith: { first, _ in first })
    guard let word = settings.unknown else {
      unknown = nil
      return
    }
    unknown = settings.cases[word]
    guard unknown != nil else { throw .unknownCase(word, known: settings.cases.keys.sorted()) }
  }

  package var expectation: String {
    "one of \(names.sorted { $0.key < $1.key }.map { "\($0.value) (\($0.key))" }.joined(separator: ", "))"
  }

  package func content(_ text: UnsafeRawBufferPointer) throws(TextTrouble) -> Int64 {
    if let number = numbers[String(decoding: text, as: UTF8.self)] { return number }
    if let number = try? NumberFormat.plain.integer(text), names[number] != nil { return number }
    guard let unknown else { throw .unknownWord }
    return unknown
  }

  package func text(_ content: Int64) -> String { names[content] ?? String(content) }

  package func stored(_ content: Int64, as form: StorageForm) throws(TextTrouble) -> Value {
    if form == .integer { return .integer(content) }
    guard let name = names[content] else { throw .unknownWord }
    return .string(name)
  }

  package func content(stored: Value, as form: StorageForm) throws(TextTrouble) -> Int64 {
    switch stored {
    // A number that has no name any more is still a number.
    case .integer(let number): return number
    case .string(let name):
      guard let number = numbers[name] else { throw .unknownWord }
      return number
    default: throw .form
    }
  }
}
