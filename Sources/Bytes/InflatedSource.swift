import CZlib
package import Diagnostics

/// The bytes of a source, inflated if they are gzip data (one member or several), else as they are.
///
/// The memory is constant, whatever the data grow to.
package final class InflatedSource: ByteSource {
  package let file: String
  /// Whether the source is gzip data.
  package let isCompressed: Bool

  /// What a member begins with.
  private static let magic: [UInt8] = [0x1F, 0x8B]

  private var input: Lookahead
  private let inflater: Inflater?
  private let block: UnsafeMutableRawBufferPointer
  private var rest = UnsafeRawBufferPointer(start: nil, count: 0)
  /// Whether a member was begun and not ended.
  private var isInMember = false
  /// Whether a member has come to its end.
  private var hasMember = false
  private var isAtEnd = false

  /// Looks at the beginning of a source.
  package init(_ source: any ByteSource) throws(Diagnostic) {
    file = source.file
    input = Lookahead(source)
    isCompressed = try input.first(2).elementsEqual(Self.magic)
    inflater = isCompressed ? Inflater(.gzip) : nil
    block = .allocate(byteCount: isCompressed ? 1 << 15 : 0, alignment: 8)
  }

  deinit { block.deallocate() }

  package var progress: (read: Int, total: Int?) { input.source.progress }

  package func seek(to offset: Int) throws(Diagnostic) -> Bool {
    guard !isCompressed else { return false }
    return try input.seek(to: offset)
  }

  package func read(into buffer: UnsafeMutableRawBufferPointer) throws(Diagnostic) -> Int {
    precondition(buffer.count > 0, "a buffer without room would be taken for the end")
    guard let inflater else { return try input.read(into: buffer) }
    while true {
      if rest.isEmpty, !isAtEnd {
        let count = try input.read(into: block)
        rest = UnsafeRawBufferPointer(rebasing: block[..<count])
        isAtEnd = count == 0
      }
      if !isInMember {
        // Tapes and some writers fill up with zeros behind the last member.
        rest = UnsafeRawBufferPointer(rebasing: rest.drop { $0 == 0 })
        if rest.isEmpty {
          if isAtEnd { return 0 }
          continue
        }
        if hasMember, !rest.starts(with: Self.magic.prefix(rest.count)) { throw .inputBehindGzip(file) }
        inflater.reset()
        isInMember = true
      }
      guard let step = inflater.inflate(rest, into: buffer) else { throw .inputGzip(file, "damaged") }
      rest = UnsafeRawBufferPointer(rebasing: rest[step.read...])
      isInMember = !step.isAtEnd
      if step.isAtEnd { hasMember = true }
      if step.written > 0 { return step.written }
      if isAtEnd, isInMember { throw .inputGzip(file, "cut short") }
    }
  }
}
