import Foundation
import Values

/// What the values of one stored attribute are checked against: made once from the attribute, run on every row.
package struct ValidationRule: Sendable {
  let type: NSAttributeType
  let isRequired: Bool
  let check: Check

  /// The range of the type and the model's limits, as one.
  enum Check: Sendable {
    case none
    case integer(least: Int64, greatest: Int64)
    case real(least: Double, greatest: Double)
    /// The length in UTF-16 units, and the pattern of the whole string.
    case text(least: Int64, greatest: Int64, pattern: NSRegularExpression?)
  }

  init(_ attribute: NSAttributeDescription) {
    type = attribute.attributeType
    // What a derived attribute holds is made by the store, not by the object.
    isRequired = !attribute.isOptional && !(attribute is NSDerivedAttributeDescription)
    check = Check(type, attribute.limits)
  }

  /// Whether every value of the type passes.
  var isTrivial: Bool {
    if case .none = check { return !isRequired }
    return false
  }
}

extension ValidationRule.Check {
  init(_ type: NSAttributeType, _ limits: ValidationLimits) {
    switch type {
    case .integer16AttributeType: self = .integers(Int64(Int16.min)...Int64(Int16.max), limits)
    case .integer32AttributeType: self = .integers(Int64(Int32.min)...Int64(Int32.max), limits)
    case .integer64AttributeType: self = .integers(Int64.min...Int64.max, limits)
    case .floatAttributeType: self = .reals(within: Double(Float.greatestFiniteMagnitude), limits)
    case .doubleAttributeType, .decimalAttributeType, .dateAttributeType: self = .reals(within: .infinity, limits)
    case .stringAttributeType: self = .texts(limits)
    default: self = .none
    }
  }

  private static func integers(_ range: ClosedRange<Int64>, _ limits: ValidationLimits) -> Self {
    let least = max(limits.minimum.whole(.up) ?? range.lowerBound, range.lowerBound)
    let greatest = min(limits.maximum.whole(.down) ?? range.upperBound, range.upperBound)
    return least == .min && greatest == .max ? .none : .integer(least: least, greatest: greatest)
  }

  // Never `none`: what is not a number must not reach a store, where SQLite would turn it into NULL.
  private static func reals(within greatest: Double, _ limits: ValidationLimits) -> Self {
    .real(
      least: max(limits.minimum.number ?? -greatest, -greatest),
      greatest: min(limits.maximum.number ?? greatest, greatest))
  }

  private static func texts(_ limits: ValidationLimits) -> Self {
    let least = limits.minimum.whole(.up) ?? 0
    let greatest = limits.maximum.whole(.down) ?? .max
    guard least > 0 || greatest < .max || limits.regularExpression != nil else { return .none }
    return .text(least: least, greatest: greatest, pattern: limits.regularExpression.map(Self.wholeString))
  }

  private static func wholeString(_ pattern: String) -> NSRegularExpression {
    // Not a match whose range is compared: `a|ab` first matches only the `a` of `ab`.
    guard let expression = try? NSRegularExpression(pattern: "\\A(?:\(pattern))\\z") else {
      preconditionFailure("the limit `\(pattern)` is not a regular expression")
    }
    return expression
  }
}

extension Value {
  /// The number as a limit compares it; dates are seconds since 2001.
  fileprivate var number: Double? {
    switch self {
    case .integer(let integer): Double(integer)
    case .real(let real): real
    case .decimal(let decimal): decimal.nearestDouble
    case .date(let date): date.timeIntervalSinceReferenceDate
    default: nil
    }
  }

  /// The number as a limit of whole numbers.
  fileprivate func whole(_ rule: FloatingPointRoundingRule) -> Int64? {
    if case .integer(let integer) = self { return integer }
    guard let number = number?.rounded(rule), !number.isNaN else { return nil }
    return Int64(exactly: number) ?? (number < 0 ? .min : .max)
  }
}
