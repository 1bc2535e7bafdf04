// How many columns of a terminal a text takes. Neither the standard library nor Foundation knows East_Asian_Width.

extension String {
  /// The columns that the text takes.
  var columnCount: Int { utf8.allSatisfy { $0 < 0x80 } ? utf8.count : reduce(0) { $0 + $1.columnCount } }

  /// As much of the beginning as a number of columns has room for.
  func prefix(columns: Int) -> Substring {
    var left = columns
    return prefix { character in
      left -= character.columnCount
      return left >= 0
    }
  }
}

extension Character {
  /// The columns that the character takes: 2 for wide ones and for emoji, 0 for marks that stand alone, else 1.
  var columnCount: Int {
    guard let base = unicodeScalars.first else { return 0 }
    if base.isASCII { return 1 }
    // A sign that is text by itself is an emoji by a selector behind it.
    if base.properties.isEmojiPresentation || unicodeScalars.contains("\u{FE0F}") { return 2 }
    switch base.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control: return 0
    default: return Self.wide.contains { $0.contains(base.value) } ? 2 : 1
    }
  }

  /// The blocks whose characters are wide or full width, emoji aside: Unicode 15, EastAsianWidth.txt (UAX #11), W and F.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4C6, 0xA960...0xA97C,
    0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6B, 0xFF01...0xFF60, 0xFFE0...0xFFE6,
    0x16FE0...0x18D08, 0x1AFF0...0x1B2FB, 0x1F200...0x1F265, 0x20000...0x3FFFD,
  ]
}
