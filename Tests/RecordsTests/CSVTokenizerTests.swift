import Bytes
import Diagnostics
import TestSupport
import Testing

@testable import Records

struct CSVTokenizerTests {
  private static func syntax(_ change: (inout DelimitedSyntax) -> Void) -> DelimitedSyntax {
    var syntax = DelimitedSyntax()
    change(&syntax)
    return syntax
  }

  static let syntaxes = [
    syntax { _ in },
    syntax { $0.trim = true },
    syntax { $0.escape = UInt8(ascii: "\\") },
    syntax { $0.comment = Array("##".utf8) },
    syntax { $0.delimiter = Array("||".utf8) },
    syntax {
      $0.delimiter = Array("|,|".utf8); $0.trim = true; $0.comment = Array("#".utf8)
    },
    syntax {
      $0.delimiter = [.tab]; $0.trim = true
    },
    syntax { $0.delimiter = [] },
    syntax {
      $0.quote = nil; $0.escape = UInt8(ascii: "\\")
    },
  ]

  /// Every short text of the characters that matter, then random longer ones.
  @Test(arguments: syntaxes) func agreesWithTheReference(_ syntax: DelimitedSyntax) {
    let letters = Array("a,\"\n\r ".utf8)
    for length in 0...4 {
      var count = 1
      for _ in 0..<length { count *= letters.count }
      for number in 0..<count {
        var rest = number
        var text: [UInt8] = []
        for _ in 0..<length {
          text.append(letters[rest % letters.count])
          rest /= letters.count
        }
        check(syntax, text, windows: [1])
      }
    }
    let seed = UInt64(20_260_101)
    var generator = SeededGenerator(seed: seed)
    let more = Array("ab,,\"\"\"\n\r \t\\#|é\0".utf8)
    for _ in 0..<1_500 {
      let text = (0..<Int.random(in: 1...40, using: &generator)).map { _ in more.randomElement(using: &generator) ?? 0 }
      check(syntax, text, windows: [1, 2, 7, 65_536])
    }
  }

  private func check(_ syntax: DelimitedSyntax, _ text: [UInt8], windows: [Int]) {
    let expected = ReferenceTokenizer.records(syntax, text)
    for window in windows {
      let found = records(syntax, text, window: window)
      if found != expected {
        Issue.record(
          "\(String(decoding: text, as: UTF8.self).debugDescription), window \(window): \(found), expected \(expected)")
      }
    }
  }

  /// What the tokenizer makes of a text shown in windows: only so many new bytes at a time.
  private func records(_ syntax: DelimitedSyntax, _ text: [UInt8], window: Int) -> [ReferenceTokenizer.Record] {
    var tokenizer = CSVTokenizer(syntax)
    var records: [ReferenceTokenizer.Record] = []
    var record = ReferenceTokenizer.Record()
    let chunk = RecordChunk(capacity: 16)
    var (start, end, isLast) = (0, 0, false)
    return text.withUnsafeBufferPointer { bytes in
      // An empty array may have no address.
      let byte = UnsafeMutablePointer<UInt8>.allocate(capacity: 1)
      defer { byte.deallocate() }
      let base = bytes.baseAddress ?? UnsafePointer(byte)
      while true {
        let step = tokenizer.next(in: base, from: start, to: end, isLast: isLast)
        chunk.append(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[step.content]))
        start = step.next
        switch step.event {
        case .needsInput:
          isLast = end == text.count
          end = min(end + window, text.count)
        case .recordBegin: record = .init(line: tokenizer.line, byte: start)
        case .text: break
        case .fieldEnd:
          if syntax.trim, !tokenizer.isQuoted { chunk.trimOpenField() }
          chunk.endField()
          let field = String(decoding: chunk.lastField, as: UTF8.self)
          record.fields.append((tokenizer.isQuoted ? "q:" : "u:") + field)
        case .recordEnd:
          record.trouble = tokenizer.trouble.map { "\($0.kind) \($0.column) \($0.line)" }
          if !record.fields.isEmpty, !(syntax.trim && record.fields == ["u:"]) { records.append(record) }
        case .end: return records
        }
      }
    }
  }

  @Test(arguments: [1, 7, 65_536]) func resuming(window: Int) throws {
    let text = "\u{FEFF}a,b\r\n1,\"x\ny\"\r\n\r\n2,é\n3,z\n4,w"
    let whole = try delimited(text, window: window)
    let all = RecordChunk()
    while try whole.read(into: all, limit: 1, refuse: { _, _ in }) {}
    #expect(all.positions.map(\.line) == [2, 5, 6, 7])
    #expect(all.positions.map(\.byte) == [8, 19, 24, 28])

    for kept in 0...4 {
      let first = try delimited(text, window: window)
      let chunk = RecordChunk()
      for _ in 0..<kept { _ = try first.read(into: chunk, limit: 1, refuse: { _, _ in }) }
      let second = try delimited(text, window: window)
      try second.resume(behind: first.resumePoint)
      #expect(second.resumePoint == first.resumePoint)
      while try second.read(into: chunk, limit: 2, refuse: { _, _ in }) {}
      #expect(chunk.positions == all.positions)
      #expect((0..<chunk.count).map { chunk.text($0, 1) } == ["x\ny", "é", "z", "w"])
      #expect(second.resumePoint == whole.resumePoint)
    }
  }

  @Test func resumingInAnotherFile() throws {
    let reader = try delimited("a\n1\n")
    let error = #expect(throws: Diagnostic.self) {
      try reader.resume(behind: ResumePoint(record: 9, line: 10, byte: 99))
    }
    #expect(error?.code.name == "input.changed")
    let other = try delimited("a\n1\n")
    #expect(throws: Diagnostic.self) { try other.resume(behind: ResumePoint(record: 1, line: 1, byte: 0)) }
  }

  @Test func resumingWithoutNames() throws {
    func make() throws -> DelimitedReader { try delimited("1,2\n3,4\n5,6\n", { $0.header = 0 }, window: 1) }
    let chunk = RecordChunk()
    let first = try make()
    #expect(first.resumePoint == ResumePoint(record: 0, line: 1, byte: 0))
    _ = try first.read(into: chunk, limit: 1, refuse: { _, _ in })
    #expect(first.resumePoint == ResumePoint(record: 1, line: 2, byte: 4))
    let second = try make()
    try second.resume(behind: first.resumePoint)
    while try second.read(into: chunk, limit: 1, refuse: { _, _ in }) {}
    #expect((0..<chunk.count).map { chunk.text($0, 0) } == ["1", "3", "5"])
  }
}
