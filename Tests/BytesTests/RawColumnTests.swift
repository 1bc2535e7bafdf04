import Testing

@testable import Bytes

@Suite struct RawColumnTests {
  @Test(arguments: [1, 2, 1024]) func integers(capacity: Int) {
    let column = RawColumn(kind: .integer, capacity: capacity)
    for value in [1, .min, .max] as [Int64] {
      column.append(value)
      column.appendNull()
    }
    #expect(column.count == 6)
    #expect((0..<6).map { column.isValid($0) } == [true, false, true, false, true, false])
    #expect([0, 2, 4].map { column.integer($0) } == [1, .min, .max])
  }

  @Test func reals() {
    let column = RawColumn(kind: .real, capacity: 1)
    for value in [0.1, -0.0, .infinity] { column.append(value) }
    #expect((0..<3).map { column.real($0) } == [0.1, 0, .infinity])
    #expect(column.real(1).sign == .minus)
  }

  @Test(arguments: [1, 2, 1024]) func texts(capacity: Int) {
    let column = RawColumn(kind: .text, capacity: capacity)
    let texts = ["", "Ada", "é€𝄞", String(repeating: "long ", count: 100)]
    for text in texts {
      column.append(text)
      column.appendNull()
    }
    #expect((0..<4).map { column.text(2 * $0) } == texts)
    #expect((0..<4).map { column.isValid(2 * $0 + 1) } == [false, false, false, false])
    #expect(column.start(of: 0) == 0)
    #expect(column.start(of: 3) == 3)
  }

  @Test(arguments: [[], [0], [4], [1, 2], [0, 1, 2, 3, 4], [0, 2, 4]])
  func removedRows(_ rows: [Int]) {
    let (texts, integers) = (RawColumn(kind: .text, capacity: 1), RawColumn(kind: .integer, capacity: 1))
    let values = ["zero", nil, "", "three", "four"]
    for (row, text) in values.enumerated() {
      if let text { texts.append(text) } else { texts.appendNull() }
      integers.append(Int64(row))
    }
    texts.remove(rows)
    integers.remove(rows)
    texts.append("more")
    let left = values.indices.filter { !rows.contains($0) }
    #expect((0..<texts.count).map { texts.isValid($0) ? texts.text($0) : nil } == left.map { values[$0] } + ["more"])
    #expect((0..<integers.count).map { integers.integer($0) } == left.map { Int64($0) })
  }

  @Test func blobs() {
    let column = RawColumn(kind: .blob)
    column.append(UnsafeRawBufferPointer(start: nil, count: 0))
    ([0, 1, 255] as [UInt8]).withUnsafeBytes { column.append($0) }
    #expect(column.bytes(0).isEmpty)
    #expect(Array(column.bytes(1)) == [0, 1, 255])
  }

  /// A row that is taken back leaves nothing in the heap, nulls before it or not.
  @Test func truncate() {
    let column = RawColumn(kind: .text, capacity: 2)
    column.append("Ada")
    column.appendNull()
    column.append("Grace")
    column.truncate(to: 2)
    column.append("Joan")
    #expect(column.count == 3)
    #expect(column.text(0) == "Ada")
    #expect(!column.isValid(1))
    #expect(column.text(2) == "Joan")
    column.truncate(to: 9)
    #expect(column.count == 3)
    column.truncate(to: 0)
    column.append("Jean")
    #expect(column.text(0) == "Jean")
  }

  @Test func removeAll() {
    let column = RawColumn(kind: .text)
    column.append("Ada")
    column.removeAll()
    #expect(column.count == 0)
    column.append("Grace")
    #expect(column.text(0) == "Grace")
    #expect(column.start(of: 1) == 5)
  }
}
