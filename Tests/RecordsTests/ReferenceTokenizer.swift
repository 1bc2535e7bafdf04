@testable import Records

/// Delimited text read slowly and obviously, from the whole text at once: what the fast tokenizer must agree with.
struct ReferenceTokenizer {
  struct Record: Equatable, CustomStringConvertible {
    var fields: [String] = []
    var line = 0
    var byte = 0
    var trouble: String?

    var description: String { "\(line)/\(byte) \(fields) \(trouble ?? "")" }
  }

  let syntax: DelimitedSyntax
  let text: [UInt8]
  private var i = 0
  private var line = 1
  private var record = Record()

  init(_ syntax: DelimitedSyntax, _ text: [UInt8]) {
    self.syntax = syntax
    self.text = text
  }

  static func records(_ syntax: DelimitedSyntax, _ text: [UInt8]) -> [Record] {
    var tokenizer = ReferenceTokenizer(syntax, text)
    var records: [Record] = []
    while let record = tokenizer.next() { records.append(record) }
    return records
  }

  private mutating func next() -> Record? {
    while i < text.count {
      if takeLineEnd() { continue }
      if !syntax.comment.isEmpty, has(syntax.comment) {
        while i < text.count, !isLineEnd { i += 1 }
        _ = takeLineEnd()
        continue
      }
      record = Record(line: line, byte: i)
      readFields()
      let isBlank = record.fields.isEmpty || syntax.trim && record.fields == ["u:"]
      if !isBlank { return record }
    }
    return nil
  }

  private mutating func readFields() {
    while true {
      if syntax.trim || syntax.delimiter.isEmpty { skipBlanks() }
      if syntax.delimiter.isEmpty, i == text.count || isLineEnd {
        _ = takeLineEnd()
        return
      }
      readField()
      if i == text.count || takeLineEnd() { return }
      i += delimiterLength
    }
  }

  private mutating func readField() {
    var field: [UInt8] = []
    var isQuoted = false
    if i < text.count, text[i] == syntax.quote {
      isQuoted = true
      let (first, column) = (line, record.fields.count + 1)
      i += 1
      quoted: while true {
        if i == text.count {
          note("unterminatedQuote \(column) \(first)")
          break
        }
        if text[i] == syntax.quote {
          if i + 1 < text.count, text[i + 1] == syntax.quote {
            field.append(text[i])
            i += 2
            continue
          }
          i += 1
          break quoted
        }
        takeCharacter(into: &field)
      }
      if record.trouble?.hasPrefix("unterminated") != true, !isFieldEnd {
        let blanks = i
        if syntax.trim { skipBlanks() }
        if !isFieldEnd {
          note("textAfterQuote \(column) \(line)")
          if blanks == i, let quote = syntax.quote { field.append(quote) }
        }
      }
    }
    while !isFieldEnd {
      if text[i] == syntax.quote { note("strayQuote \(record.fields.count + 1) \(line)") }
      takeCharacter(into: &field)
    }
    if syntax.trim, !isQuoted {
      while field.last.map(isTrimmed) == true { field.removeLast() }
      while field.first.map(isTrimmed) == true { field.removeFirst() }
    }
    record.fields.append((isQuoted ? "q:" : "u:") + String(decoding: field, as: UTF8.self))
  }

  /// Takes one character, or an escaped one, or a line end.
  private mutating func takeCharacter(into field: inout [UInt8]) {
    if text[i] == syntax.escape {
      i += 1
      guard i < text.count else { return }
    } else if text[i] == 0 {
      note("nul \(record.fields.count + 1) \(line)")
    }
    let start = i
    if !takeLineEnd() { i += 1 }
    field += text[start..<i]
  }

  private mutating func note(_ trouble: String) { record.trouble = record.trouble ?? trouble }

  private mutating func takeLineEnd() -> Bool {
    guard i < text.count, isLineEnd else { return false }
    i += text[i] == 13 && i + 1 < text.count && text[i + 1] == 10 ? 2 : 1
    line += 1
    return true
  }

  private mutating func skipBlanks() {
    while i < text.count, isBlank(text[i]), text[i] != syntax.delimiter.first { i += 1 }
  }

  private var isLineEnd: Bool { text[i] == 10 || text[i] == 13 }
  private func isBlank(_ byte: UInt8) -> Bool { byte == 32 || byte == 9 }
  private func isTrimmed(_ byte: UInt8) -> Bool { isBlank(byte) || byte == 10 || byte == 13 }
  private func has(_ bytes: [UInt8]) -> Bool { text[i...].starts(with: bytes) }
  private var isFieldEnd: Bool { i == text.count || isLineEnd || delimiterLength > 0 }
  private var delimiterLength: Int {
    if syntax.delimiter.isEmpty { return isBlank(text[i]) ? 1 : 0 }
    return has(syntax.delimiter) ? syntax.delimiter.count : 0
  }
}
