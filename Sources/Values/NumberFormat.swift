package import Foundation

/// How numbers are spelled: the signs, which no locale decides.
package struct NumberFormat: Hashable, Sendable {
  /// The sign before the fraction.
  package var decimalSign: TextSign
  /// The sign between groups of three digits; none if nil.
  package var groupingSign: TextSign?
  /// Whether `inf`, `infinity` and `nan` are numbers.
  package var allowsNonFinite: Bool

  /// The format of programs: a full stop before the fraction, no groups.
  package static let plain = NumberFormat()

  package init(decimalSign: TextSign? = nil, groupingSign: TextSign? = nil, allowsNonFinite: Bool = false) {
    self.decimalSign = decimalSign ?? TextSign(".")
    self.groupingSign = groupingSign
    self.allowsNonFinite = allowsNonFinite
  }

  // MARK: Integers

  /// A whole number: a sign, and digits only.
  package func integer(_ bytes: UnsafeRawBufferPointer) throws(TextTrouble) -> Int64 {
    if groupingSign != nil { return try groupedInteger(bytes) }
    var cursor = ByteCursor(bytes)
    let isNegative = cursor.skip(UInt8(ascii: "-"))
    if !isNegative { _ = cursor.skip(UInt8(ascii: "+")) }
    guard !cursor.isAtEnd else { throw .form }
    var value: Int64 = 0
    var isTooLarge = false
    while let digit = cursor.digit() {
      let (tens, overflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, carry) =
        isNegative ? tens.subtractingReportingOverflow(Int64(digit)) : tens.addingReportingOverflow(Int64(digit))
      isTooLarge = isTooLarge || overflow || carry
      value = sum
    }
    guard cursor.isAtEnd else { throw .form }
    guard !isTooLarge else { throw .range }
    return value
  }

  private func groupedInteger(_ bytes: UnsafeRawBufferPointer) throws(TextTrouble) -> Int64 {
    // A decimal sign or a power of ten makes it another kind of number.
    guard !bytes.contains(where: { $0.lowercasedASCII == UInt8(ascii: "e") }),
      let number = ScannedNumber(bytes, decimalSign: decimalSign, groupingSign: groupingSign), number.exponent >= 0,
      !bytes.contains(decimalSign)
    else { throw .form }
    guard let value = number.integer else { throw .range }
    return value
  }

  // MARK: Reals

  /// The double nearest to a number.
  package func real(_ bytes: UnsafeRawBufferPointer) throws(TextTrouble) -> Double {
    guard let number = ScannedNumber(bytes, decimalSign: decimalSign, groupingSign: groupingSign) else {
      if allowsNonFinite, let value = Self.nonFinite(bytes) { return value }
      throw .form
    }
    return try real(number, bytes)
  }

  private func real(_ number: ScannedNumber, _ bytes: UnsafeRawBufferPointer) throws(TextTrouble) -> Double {
    var value: Double
    if number.digitCount <= 19, abs(number.exponent) <= Double.powerLimit {
      value = Double(nearest: number.high, exponent: number.exponent)
    } else {
      guard let slow = Double(plainText(bytes)) else { throw .form }
      value = slow.magnitude
      // Beyond the doubles: too large, or so small that nothing of it is left.
      guard value.isFinite, value > 0 else { throw .range }
    }
    if number.isNegative { value.negate() }
    return value
  }

  /// The text in the form that Swift reads.
  private func plainText(_ bytes: UnsafeRawBufferPointer) -> String {
    var text: [UInt8] = []
    var cursor = ByteCursor(bytes)
    while !cursor.isAtEnd {
      if cursor.skip(decimalSign) {
        text.append(UInt8(ascii: "."))
      } else if let groupingSign, cursor.skip(groupingSign) {
        continue
      } else if let byte = cursor.next, cursor.skip(byte) {
        text.append(byte)
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  private static func nonFinite(_ bytes: UnsafeRawBufferPointer) -> Double? {
    var cursor = ByteCursor(bytes)
    let isNegative = cursor.skip(UInt8(ascii: "-"))
    if !isNegative { _ = cursor.skip(UInt8(ascii: "+")) }
    let value: Double
    if cursor.skip(word: "infinity") || cursor.skip(word: "inf") {
      value = .infinity
    } else if cursor.skip(word: "nan") {
      value = .nan
    } else {
      return nil
    }
    return cursor.isAtEnd ? (isNegative ? -value : value) : nil
  }

  // MARK: Decimals

  /// A decimal, exactly as its digits say.
  package func decimal(_ bytes: UnsafeRawBufferPointer) throws(TextTrouble) -> Decimal {
    guard let number = ScannedNumber(bytes, decimalSign: decimalSign, groupingSign: groupingSign) else { throw .form }
    guard number.digitCount <= ScannedNumber.digitLimit else { throw .precision }
    guard let decimal = number.decimal else { throw .range }
    return decimal
  }

  /// The double nearest to a decimal of however many digits.
  package func nearestDecimal(_ bytes: UnsafeRawBufferPointer) throws(TextTrouble) -> Double {
    guard let number = ScannedNumber(bytes, decimalSign: decimalSign, groupingSign: groupingSign) else { throw .form }
    guard number.exponent + number.digitCount <= 128 else { throw .range }
    return number.isZero ? 0 : try real(number, bytes)
  }

  /// The double of a decimal, as a store keeps it; `precision` if its shortest text is not the decimal again.
  package func storedDecimal(_ bytes: UnsafeRawBufferPointer) throws(TextTrouble) -> Double {
    guard let number = ScannedNumber(bytes, decimalSign: decimalSign, groupingSign: groupingSign) else { throw .form }
    guard number.digitCount <= ScannedNumber.digitLimit else { throw .precision }
    guard number.isInDecimalRange else { throw .range }
    // A decimal has no negative zero.
    let value = number.isZero ? 0 : try real(number, bytes)
    // Fifteen digits always survive the way through a double.
    guard number.digitCount > 15 else { return value }
    var text = value.description
    let restored = text.withUTF8 {
      ScannedNumber(UnsafeRawBufferPointer($0), decimalSign: NumberFormat.plain.decimalSign)
    }
    guard restored == number else { throw .precision }
    return value
  }
}

extension ScannedNumber {
  /// The integer, for an exponent of 0 and more; nil when it has more than 64 bits.
  fileprivate var integer: Int64? {
    guard digitCount <= 19, exponent <= 18 else { return nil }
    let (magnitude, overflow) = high.multipliedReportingOverflow(by: Double.powersOfTen[exponent])
    guard !overflow else { return nil }
    if isNegative { return magnitude <= UInt64(Int64.max) + 1 ? Int64(truncatingIfNeeded: 0 &- magnitude) : nil }
    return Int64(exactly: magnitude)
  }

  /// Whether Foundation's Decimal has such a power of ten.
  fileprivate var isInDecimalRange: Bool { (-128...127).contains(exponent) }

  /// The decimal, for up to `digitLimit` digits; nil when its power of ten is out of range.
  var decimal: Decimal? {
    guard isInDecimalRange, digitCount <= Self.digitLimit else { return nil }
    var significand = Decimal(high)
    if digitCount > 19 { significand = significand * Decimal(Double.powersOfTen[digitCount - 19]) + Decimal(low) }
    return Decimal(sign: isNegative ? .minus : .plus, exponent: exponent, significand: significand)
  }
}

extension UnsafeRawBufferPointer {
  fileprivate func contains(_ sign: TextSign) -> Bool {
    var cursor = ByteCursor(self)
    while let byte = cursor.next {
      if cursor.skip(sign) { return true }
      _ = cursor.skip(byte)
    }
    return false
  }
}
