package import Diagnostics

/// Writes records in one format: the names of the columns once, then record by record its fields in their order.
package protocol RecordWriter: AnyObject {
  /// Writes a record, which has a field for each column.
  func write(_ fields: [WrittenField]) throws(Diagnostic)

  /// Writes what stands behind the last record, and hands over all that is left.
  func finish() throws(Diagnostic)
}

/// What a field holds.
package enum WrittenField: Hashable, Sendable {
  /// No value.
  case null
  /// A text, which may be empty.
  case text(String)
  /// A number, `true` or `false`: JSON has no quotes around it.
  case word(String)
}

/// Where writers put their bytes, block by block.
package typealias RecordOutput = (UnsafeRawBufferPointer) throws(Diagnostic) -> Void

/// Bytes on their way to an output.
struct OutputBuffer {
  private static let size = 1 << 16

  var bytes: [UInt8] = []
  private let output: RecordOutput

  init(_ output: @escaping RecordOutput) {
    self.output = output
    bytes.reserveCapacity(Self.size)
  }

  mutating func append(_ text: String) {
    var text = text
    text.withUTF8 { bytes.append(contentsOf: $0) }
  }
  mutating func append(_ byte: UInt8) { bytes.append(byte) }

  /// Hands the bytes over when there are enough for a block, or all that are there.
  mutating func flush(all: Bool = false) throws(Diagnostic) {
    guard all ? !bytes.isEmpty : bytes.count >= Self.size else { return }
    let outcome = bytes.withUnsafeBytes { bytes -> Result<Void, Diagnostic> in
      Result { () throws(Diagnostic) in try output(bytes) }
    }
    bytes.removeAll(keepingCapacity: true)
    try outcome.get()
  }
}
