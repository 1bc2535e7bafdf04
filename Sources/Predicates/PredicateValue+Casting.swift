import Diagnostics
import Foundation
import Values

extension PredicateValue {
  /// `CAST(value, "type")`; nil when the value cannot be one of the type.
  func cast(to type: PredicateValue) throws(Diagnostic) -> PredicateValue {
    guard case .scalar(.string(let name)) = type else {
      throw .predicateCast("\(ExpressionTree.constant(type))")
    }
    guard case .scalar(let value) = self else { return self }
    return .scalar(try value.cast(to: name) ?? .null)
  }

  /// `list[2]`, or a key of an object.
  func item(at index: PredicateValue) -> PredicateValue {
    guard case .scalar(.integer(let index)) = index, elements.indices.contains(Int(index)) else { return .null }
    return elements[Int(index)]
  }
}

extension Value {
  fileprivate func cast(to name: String) throws(Diagnostic) -> Value? {
    switch name {
    case "NSDate", "Date": date
    case "NSNumber": number
    case "NSDecimalNumber", "Decimal": number.flatMap { $0.decimal }
    case "NSString", "String": text
    case "NSUUID", "UUID": matching(.uuid(UUID()))
    case "NSURL", "URL": url
    case "NSData", "Data": data
    default: throw .predicateCast(name)
    }
  }

  private var date: Value? {
    switch self {
    case .date: self
    case .string: matching(.date(Date(timeIntervalSinceReferenceDate: 0)))
    default: PredicateNumber(self).map { .date(Date(timeIntervalSinceReferenceDate: $0.real)) }
    }
  }

  private var number: Value? {
    if case .string(let text) = self { return Value(number: text) }
    if case .boolean(let boolean) = self { return .integer(boolean ? 1 : 0) }
    return PredicateNumber(self)?.value
  }

  private var decimal: Value? {
    switch self {
    case .decimal: self
    case .integer(let integer): .decimal(Decimal(integer))
    case .real(let real): Decimal(shortestOf: real).map { .decimal($0) }
    default: nil
    }
  }

  private var text: Value? {
    switch self {
    case .string: self
    case .url(let url): .string(url.absoluteString)
    case .uuid(let uuid): .string(uuid.uuidString)
    case .null, .data: nil
    default: .string(ExpressionTree.constant(.scalar(number ?? self)).description)
    }
  }

  private var url: Value? {
    switch self {
    case .url: self
    case .string(let text): URL(string: text).map { .url($0) }
    default: nil
    }
  }

  private var data: Value? {
    switch self {
    case .data: self
    case .string(let text): Data(base64Encoded: text).map { .data($0) }
    default: nil
    }
  }
}
