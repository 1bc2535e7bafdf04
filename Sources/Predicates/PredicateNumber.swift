import Foundation
import Values

/// A number of arithmetic, by the rules of SQLite: integers stay integers unless they overflow, and what is no number is nil.
enum PredicateNumber {
  case none
  case integer(Int64)
  case real(Double)
  case decimal(Decimal)

  /// The number that a value is; dates count as their seconds since 2001.
  init?(_ value: Value) {
    switch value {
    case .integer(let integer): self = .integer(integer)
    case .boolean(let boolean): self = .integer(boolean ? 1 : 0)
    case .real(let real): self = .real(real)
    case .decimal(let decimal): self = .decimal(decimal)
    case .date(let date): self = .real(date.timeIntervalSinceReferenceDate)
    case .null, .string, .data, .uuid, .url: return nil
    }
  }

  var value: Value {
    switch self {
    case .none: .null
    case .integer(let integer): .integer(integer)
    case .real(let real): real.isNaN ? .null : .real(real)
    case .decimal(let decimal): decimal.isNaN ? .null : .decimal(decimal)
    }
  }

  var real: Double {
    switch self {
    case .none: .nan
    case .integer(let integer): Double(integer)
    case .real(let real): real
    case .decimal(let decimal): decimal.nearestDouble
    }
  }

  var isZero: Bool { real == 0 }
  var isNegative: Bool { real < 0 }

  private var decimal: Decimal? {
    switch self {
    case .integer(let integer): Decimal(integer)
    case .decimal(let decimal): decimal
    case .none, .real: nil
    }
  }

  /// Both as integers, as decimals if one is and neither is a real, else as reals.
  func combine(
    _ other: PredicateNumber, _ integers: (Int64) -> (Int64) -> (partialValue: Int64, overflow: Bool),
    _ decimals: (Decimal, Decimal) -> Decimal, _ reals: (Double, Double) -> Double
  ) -> PredicateNumber {
    if case .integer(let a) = self, case .integer(let b) = other {
      let (result, overflow) = integers(a)(b)
      return overflow ? .real(reals(Double(a), Double(b))) : .integer(result)
    }
    // Foundation traps where a product or a quotient has an exponent below -128.
    if let a = decimal, let b = other.decimal, abs(a.exponent) + abs(b.exponent) <= 80 {
      return .decimal(decimals(a, b))
    }
    return .real(reals(real, other.real))
  }

  /// Both as whole numbers; nothing if they are none.
  func integers(_ other: PredicateNumber, _ body: (Int64, Int64) -> Int64?) -> PredicateNumber {
    guard let a = Int64(exactly: real.rounded(.towardZero)).map({ whole ?? $0 }),
      let b = Int64(exactly: other.real.rounded(.towardZero)).map({ other.whole ?? $0 })
    else {
      // The greatest integers are no doubles.
      guard let a = whole, let b = other.whole, let result = body(a, b) else { return .none }
      return .integer(result)
    }
    return body(a, b).map { .integer($0) } ?? .none
  }

  private var whole: Int64? { if case .integer(let integer) = self { integer } else { nil } }

  func rounded(_ rule: FloatingPointRoundingRule) -> PredicateNumber {
    switch self {
    case .none, .integer: return self
    case .real(let real): return .real(real.rounded(rule))
    case .decimal(var decimal):
      let isUp = rule == .up || rule == .towardZero && decimal < 0
      var rounded = Decimal()
      NSDecimalRound(&rounded, &decimal, 0, isUp ? .up : .down)
      return .decimal(rounded)
    }
  }

  func divided(by count: Int) -> Value {
    let count = PredicateNumber.integer(Int64(count))
    guard case .decimal = self else { return PredicateNumber.real(real / count.real).value }
    return combine(count, Int64.dividedReportingOverflow, /, /).value
  }
}
