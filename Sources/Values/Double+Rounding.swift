extension Double {
  /// The greatest power of ten that a 64-bit word holds.
  static let powerLimit = 19

  /// The double nearest to `significand · 10^exponent`, for exponents from -19 to 19.
  ///
  /// Exact integer arithmetic of 128 bits: the first 64 bits of the result, and whether anything is left behind them, decide
  /// the rounding, as all of it would.
  init(nearest significand: UInt64, exponent: Int) {
    let power = Self.powersOfTen[abs(exponent)]
    guard significand > 0 else {
      self = 0
      return
    }
    if exponent >= 0 {
      let (high, low) = significand.multipliedFullWidth(by: power)
      guard high > 0 else {
        self = Double(low)
        return
      }
      let shift = high.leadingZeroBitCount
      let rest: UInt64 = low << UInt64(shift) == 0 ? 0 : 1
      // Swift's shifts by the full width give 0.
      let bits = high << UInt64(shift) | low >> UInt64(64 - shift) | rest
      self = Double(sign: .plus, exponent: 64 - shift, significand: Double(bits))
    } else {
      let divisor = power << UInt64(power.leadingZeroBitCount)
      let dividend = significand << UInt64(significand.leadingZeroBitCount)
      // Halved if need be, so that the quotient fits 64 bits; it has all of them, or all but the first.
      let halved = dividend >= divisor ? 1 : 0
      let (quotient, remainder) = divisor.dividingFullWidth(
        halved == 1 ? (dividend >> 1, dividend << 63) : (dividend, 0))
      let scale = power.leadingZeroBitCount - significand.leadingZeroBitCount - 64 + halved
      let bits = quotient | (remainder == 0 ? 0 : 1)
      self = Double(sign: .plus, exponent: scale, significand: Double(bits))
    }
  }

  /// The same for a significand with a sign.
  init(nearest significand: Int, exponent: Int) {
    let magnitude = Double(nearest: UInt64(significand.magnitude), exponent: exponent)
    self = significand < 0 ? -magnitude : magnitude
  }

  static let powersOfTen: [UInt64] = (0...powerLimit).map { (0..<$0).reduce(1) { power, _ in power * 10 } }
}
