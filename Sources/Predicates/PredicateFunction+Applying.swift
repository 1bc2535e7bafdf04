package import Diagnostics
import Foundation
import Values

extension PredicateFunction {
  /// What the function gives for arguments; nil for arguments that it does not fit.
  package func apply(_ arguments: [PredicateValue]) throws(Diagnostic) -> PredicateValue {
    switch self {
    case .now: .scalar(.date(Date()))
    case .noIndex: arguments[0]
    case .cast: try arguments[0].cast(to: arguments[1])
    case .first: arguments[0].elements.first ?? .null
    case .last: arguments[0].elements.last ?? .null
    case .size: .scalar(.integer(Int64(arguments[0].elements.count)))
    case .item: arguments[0].item(at: arguments[1])
    case .count: .scalar(.integer(Int64(Self.collected(arguments).count)))
    case .sum, .minimum, .maximum, .average, .median, .mode, .standardDeviation:
      .scalar(Self.statistic(self, of: Self.collected(arguments)))
    case .uppercase, .lowercase, .canonical, .length: .scalar(text(arguments[0]))
    default: .scalar(arithmetic(arguments))
    }
  }

  /// Several arguments are a collection; one is a collection itself.
  private static func collected(_ arguments: [PredicateValue]) -> [PredicateValue] {
    arguments.count == 1 ? arguments[0].elements : arguments.flatMap { $0.isNull ? [$0] : $0.elements }
  }

  // MARK: Texts

  private func text(_ argument: PredicateValue) -> Value {
    guard case .scalar(.string(let text)) = argument else { return .null }
    return switch self {
    case .uppercase: .string(text.uppercased())
    case .lowercase: .string(text.lowercased())
    case .length: .integer(Int64(text.utf16.count))
    default: .string(TextMatching.folded(text, [.caseInsensitive, .diacriticInsensitive]))
    }
  }

  // MARK: Numbers

  private func arithmetic(_ arguments: [PredicateValue]) -> Value {
    var numbers: [PredicateNumber] = []
    for argument in arguments {
      guard case .scalar(let value) = argument, let number = PredicateNumber(value) else { return .null }
      numbers.append(number)
    }
    return (numbers.count == 2 ? binary(numbers[0], numbers[1]) : unary(numbers[0])).value
  }

  private func binary(_ a: PredicateNumber, _ b: PredicateNumber) -> PredicateNumber {
    switch self {
    case .add: a.combine(b, Int64.addingReportingOverflow, +, +)
    case .subtract: a.combine(b, Int64.subtractingReportingOverflow, -, -)
    case .multiply: a.combine(b, Int64.multipliedReportingOverflow, *, *)
    case .divide: b.isZero ? .none : a.combine(b, Int64.dividedReportingOverflow, /, /)
    case .modulus: a.integers(b) { $1 == 0 ? nil : $0.remainderReportingOverflow(dividingBy: $1).partialValue }
    case .raise: .real(pow(a.real, b.real))
    case .bitwiseAnd: a.integers(b, &)
    case .bitwiseOr: a.integers(b, |)
    case .bitwiseXor: a.integers(b, ^)
    case .leftShift: a.integers(b, <<)
    case .rightShift: a.integers(b, >>)
    default: .none
    }
  }

  private func unary(_ a: PredicateNumber) -> PredicateNumber {
    switch self {
    case .onesComplement: a.integers(.integer(-1), ^)
    case .abs: a.isNegative ? Self.subtract.binary(.integer(0), a) : a
    case .ceiling: a.rounded(.up)
    case .floor: a.rounded(.down)
    case .truncate: a.rounded(.towardZero)
    case .squareRoot: .real(a.real.squareRoot())
    case .exponential: .real(exp(a.real))
    case .naturalLogarithm: .real(Foundation.log(a.real))
    case .logarithm: .real(log10(a.real))
    default: .none
    }
  }

  // MARK: Collections

  /// Of the elements that have a value; of none, a sum is 0 and all else nil.
  static func statistic(_ function: PredicateFunction, of elements: [PredicateValue]) -> Value {
    let values = elements.compactMap { element -> Value? in
      if case .scalar(let value) = element, !value.isNull { value } else { nil }
    }
    let numbers = values.compactMap { PredicateNumber($0) }
    let sum = numbers.reduce(.integer(0)) { PredicateFunction.add.binary($0, $1) }
    switch function {
    case .sum: return sum.value
    case .minimum: return values.min { $0.isOrdered(before: $1) } ?? .null
    // The first of equal ones, as with the least.
    case .maximum: return values.reduce(.null) { $0.isNull || $0.isOrdered(before: $1) ? $1 : $0 }
    case .average: return numbers.isEmpty ? .null : sum.divided(by: numbers.count)
    case .median:
      let sorted = values.sorted { $0.isOrdered(before: $1) }
      guard !sorted.isEmpty else { return .null }
      if sorted.count % 2 == 1 { return sorted[sorted.count / 2] }
      return statistic(.average, of: sorted[(sorted.count / 2 - 1)...(sorted.count / 2)].map { .scalar($0) })
    case .mode:
      let counts = Dictionary(values.map { ($0, 1) }, uniquingKeysWith: +)
      // Of equally frequent ones the least.
      return counts.max { $0.value == $1.value ? $1.key.isOrdered(before: $0.key) : $0.value < $1.value }?.key ?? .null
    default:
      guard !numbers.isEmpty else { return .null }
      let mean = sum.real / Double(numbers.count)
      let squares = numbers.reduce(0) { $0 + ($1.real - mean) * ($1.real - mean) }
      return PredicateNumber.real((squares / Double(numbers.count)).squareRoot()).value
    }
  }
}

extension Value {
  fileprivate func isOrdered(before other: Value) -> Bool {
    ComparedValue(self).sortOrder(ComparedValue(other)) == .orderedAscending
  }
}
