internal import Diagnostics

extension DelimitedReader {
  /// Takes a first line such as `sep=;`, which spreadsheets write, as what it says.
  func readSeparatorLine(isDelimiterGiven: Bool) throws(Diagnostic) {
    // `sep=`, a character of up to four bytes, CR LF.
    while window.end - window.start < 10, !window.isLast { try window.fill() }
    let bytes = UnsafeBufferPointer(start: window.bytes + window.start, count: min(window.end - window.start, 10))
    guard bytes.starts(with: Array("sep=".utf8)) else { return }
    let rest = bytes.dropFirst(4)
    guard let lineEnd = rest.firstIndex(where: { $0 == .lineFeed || $0 == .carriageReturn }) else { return }
    let separator = Array(rest[..<lineEnd])
    let character = String(decoding: separator, as: UTF8.self)
    guard character.unicodeScalars.count == 1, character != "\"" else { return }
    if isDelimiterGiven, separator != tokenizer.syntax.delimiter {
      throw .csvSeparatorLine(character, given: String(decoding: tokenizer.syntax.delimiter, as: UTF8.self))
        .at(SourcePosition(file: file, line: 1))
    }
    let isPair = bytes[lineEnd] == .carriageReturn && lineEnd + 1 < bytes.count && bytes[lineEnd + 1] == .lineFeed
    window.start += lineEnd + (isPair ? 2 : 1)
    var syntax = tokenizer.syntax
    syntax.delimiter = separator
    // The line counts as one of those to skip.
    tokenizer = CSVTokenizer(syntax, line: 2, skippingLines: max(layout.skipLines - 1, 0))
  }
}
