package import Foundation

extension Decimal {
  /// The decimal that a double's shortest text spells: 0.1 and not 0.1000000000000000055; nil when there is none.
  package init?(shortestOf double: Double) {
    if let short = Decimal(short: double) {
      self = short
      return
    }
    guard double.isFinite, let decimal = Decimal(string: double.description), !decimal.isNaN else { return nil }
    self = decimal
  }

  /// The double nearest to it, which is what a store keeps.
  package var nearestDouble: Double {
    if let short = shortDouble { return short }
    // By way of text: Foundation's own conversion multiplies step by step, and errs in the last digit.
    return isNaN ? .nan : Double(description) ?? .nan
  }

  /// Whether a store gives back this very decimal; if not, some of its digits are beyond a double.
  package var isExactAsDouble: Bool { Decimal(shortestOf: nearestDouble) == self }
}

// Most decimals have few digits, and need no text: a whole number that a double holds, divided by a power of ten that a
// double holds, is rounded once and is the nearest double.
extension Decimal {
  private static let powers: [Double] = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12]
  // Of at most 15 digits: two such numbers never have the same nearest double.
  private static let greatestWhole = 1e15

  private init?(short double: Double) {
    guard abs(double) < Self.greatestWhole else { return nil }
    for (digits, power) in Self.powers.enumerated() {
      let whole = double * power
      guard abs(whole) < Self.greatestWhole else { return nil }
      let rounded = whole.rounded()
      guard rounded / power == double else { continue }
      self.init(sign: .plus, exponent: -digits, significand: Decimal(Int64(rounded)))
      return
    }
    return nil
  }

  private var shortDouble: Double? {
    guard !isNaN, (-12...0).contains(exponent) else { return nil }
    // Exact below 2^53: Foundation's conversion errs in the powers of ten only.
    let whole = NSDecimalNumber(decimal: significand).doubleValue
    guard abs(whole) < Self.greatestWhole else { return nil }
    let double = abs(whole) / Self.powers[-exponent]
    return isSignMinus ? -double : double
  }
}
