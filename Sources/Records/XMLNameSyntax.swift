/// The names that elements and attributes may have, by XML 1.0, fifth edition, section 2.3, and Namespaces in XML 1.0: without a
/// colon.
enum XMLNameSyntax {
  /// The characters that a name may begin with.
  private static let first: [ClosedRange<UInt32>] = [
    0x41...0x5A, 0x5F...0x5F, 0x61...0x7A, 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x2FF, 0x370...0x37D, 0x37F...0x1FFF,
    0x200C...0x200D, 0x2070...0x218F, 0x2C00...0x2FEF, 0x3001...0xD7FF, 0xF900...0xFDCF, 0xFDF0...0xFFFD,
    0x1_0000...0xE_FFFF,
  ]
  /// Those that it may have behind.
  private static let more: [ClosedRange<UInt32>] = [
    0x2D...0x2E, 0x30...0x39, 0xB7...0xB7, 0x300...0x36F, 0x203F...0x2040,
  ]

  /// Whether a text is a name.
  static func isName(_ text: some StringProtocol) -> Bool {
    let begins = { (scalar: Unicode.Scalar) in first.contains { $0.contains(scalar.value) } }
    guard let start = text.unicodeScalars.first, begins(start) else { return false }
    return text.unicodeScalars.allSatisfy { scalar in
      begins(scalar) || more.contains { $0.contains(scalar.value) }
    }
  }
}
