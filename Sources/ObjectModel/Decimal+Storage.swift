package import Foundation

extension Decimal {
  /// The decimal that a double's shortest text spells: 0.1 and not 0.1000000000000000055; nil when there is none.
  package init?(shortestOf double: Double) {
    guard double.isFinite, let decimal = Decimal(string: double.description), !decimal.isNaN else { return nil }
    self = decimal
  }

  /// The double nearest to it, which is what a store keeps.
  package var nearestDouble: Double {
    // By way of text: Foundation's own conversion multiplies step by step, and errs in the last digit.
    isNaN ? .nan : Double(description) ?? .nan
  }

  /// Whether a store gives back this very decimal; if not, some of its digits are beyond a double.
  package var isExactAsDouble: Bool { Decimal(shortestOf: nearestDouble) == self }
}
