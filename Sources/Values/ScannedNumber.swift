/// A number as its digits: `significand · 10^exponent`, without zeros at either end, so that equal numbers are equal.
struct ScannedNumber: Equatable {
  /// How many digits are kept: those of Foundation's Decimal.
  static let digitLimit = 38

  var isNegative = false
  /// The first 19 digits.
  var high: UInt64 = 0
  /// The next 19 digits.
  var low: UInt64 = 0
  /// The number of digits, those that are not kept included.
  var digitCount = 0
  /// The power of ten of the last digit.
  var exponent = 0

  var isZero: Bool { digitCount == 0 }

  fileprivate mutating func append(_ digit: UInt8) {
    if digitCount < 19 {
      high = high * 10 + UInt64(digit)
    } else if digitCount < Self.digitLimit {
      low = low * 10 + UInt64(digit)
    }
    digitCount += 1
  }
}

extension ScannedNumber {
  /// Reads a number: sign, digits, in groups of three if a grouping sign is given, a fraction, a power of ten.
  init?(_ bytes: UnsafeRawBufferPointer, decimalSign: TextSign, groupingSign: TextSign? = nil) {
    var cursor = ByteCursor(bytes)
    isNegative = cursor.skip(UInt8(ascii: "-"))
    if !isNegative { _ = cursor.skip(UInt8(ascii: "+")) }
    var zeros = 0
    var whole = 0
    var group = 0
    var isGrouped = false
    while true {
      if let digit = cursor.digit() {
        push(digit, &zeros)
        whole += 1
        group += 1
      } else if let groupingSign, cursor.skip(groupingSign) {
        guard isGrouped ? group == 3 : (1...3).contains(group) else { return nil }
        isGrouped = true
        group = 0
      } else {
        break
      }
    }
    guard !isGrouped || group == 3 else { return nil }
    var fraction = 0
    if cursor.skip(decimalSign) {
      while let digit = cursor.digit() {
        push(digit, &zeros)
        fraction += 1
      }
      guard fraction > 0 else { return nil }
    }
    guard whole + fraction > 0 else { return nil }
    var power = 0
    if cursor.skip(UInt8(ascii: "e")) || cursor.skip(UInt8(ascii: "E")) {
      guard let read = cursor.power() else { return nil }
      power = read
    }
    guard cursor.isAtEnd else { return nil }
    exponent = isZero ? 0 : power - fraction + zeros
  }

  /// Takes a digit; zeros wait until another digit follows them.
  private mutating func push(_ digit: UInt8, _ zeros: inout Int) {
    guard digit > 0 else {
      if digitCount > 0 { zeros += 1 }
      return
    }
    for _ in 0..<zeros { append(0) }
    zeros = 0
    append(digit)
  }
}

extension ByteCursor {
  /// A power of ten behind its letter; beyond a million it makes no difference.
  fileprivate mutating func power() -> Int? {
    let isNegative = skip(UInt8(ascii: "-"))
    if !isNegative { _ = skip(UInt8(ascii: "+")) }
    guard var power = digit().map(Int.init) else { return nil }
    while let digit = digit() { power = min(power * 10 + Int(digit), 1_000_000) }
    return isNegative ? -power : power
  }
}
