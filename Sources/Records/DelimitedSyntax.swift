/// How fields are told apart in delimited text.
struct DelimitedSyntax: Hashable {
  /// What separates fields; empty: a run of blanks does, and blanks at both ends of a line mean nothing.
  var delimiter: [UInt8] = [UInt8(ascii: ",")]
  /// What encloses a field that has delimiters or line ends in it; doubled inside, it is itself.
  var quote: UInt8? = UInt8(ascii: "\"")
  /// What takes its meaning from the character behind it.
  var escape: UInt8?
  /// How a line begins that is left out; empty: none is.
  var comment: [UInt8] = []
  /// Whether blanks around fields are left out, unless they stand in quotes.
  var trim = false

  var isBlankDelimited: Bool { delimiter.isEmpty }
  var skipsBlanks: Bool { trim || isBlankDelimited }
}

extension UInt8 {
  static let tab = UInt8(ascii: "\t")
  static let lineFeed = UInt8(ascii: "\n")
  static let carriageReturn = UInt8(ascii: "\r")
  static let space = UInt8(ascii: " ")

  /// Space, tab, or a byte of a line end.
  @inline(__always) var isBlank: Bool { self == .space || self == .tab || self == .lineFeed || self == .carriageReturn }
}

/// Some of the 256 bytes, asked fast.
final class ByteSet: Sendable {
  // Written in the initialiser only.
  private nonisolated(unsafe) let table: UnsafeMutablePointer<Bool>

  init(_ bytes: [UInt8]) {
    table = .allocate(capacity: 256)
    table.initialize(repeating: false, count: 256)
    for byte in bytes { table[Int(byte)] = true }
  }

  deinit { table.deallocate() }

  @inline(__always) func contains(_ byte: UInt8) -> Bool { table[Int(byte)] }
}
