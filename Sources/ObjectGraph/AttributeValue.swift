import Foundation
package import ObjectModel
package import Values

// Values of attributes as code outside sees them: Foundation's and Swift's types, numbers as `NSNumber`, as Apple has it, so
// that `as? Int`, `as? Int16` and `as? Bool` all serve.

extension Value {
  /// The value of an attribute of a type that an object stands for; nil when the type takes none such.
  package init?(_ object: Any?, as type: NSAttributeType) {
    guard let object else {
      self = .null
      return
    }
    let value: Value? =
      switch type {
      case .integer16AttributeType: Self.integerValue(of: object, in: Int64(Int16.min)...Int64(Int16.max))
      case .integer32AttributeType: Self.integerValue(of: object, in: Int64(Int32.min)...Int64(Int32.max))
      case .integer64AttributeType: Self.integerValue(of: object, in: Int64.min...Int64.max)
      case .booleanAttributeType: Self.booleanValue(of: object)
      case .doubleAttributeType, .floatAttributeType: (object as? NSNumber).map { .real($0.doubleValue) }
      case .decimalAttributeType: Self.decimalValue(of: object)
      case .stringAttributeType: (object as? String).map { .string($0) }
      case .dateAttributeType: (object as? Date).map { .date($0) }
      case .UUIDAttributeType: (object as? UUID).map { .uuid($0) }
      case .URIAttributeType: (object as? URL).map { .url($0) }
      case .binaryDataAttributeType, .transformableAttributeType, .undefinedAttributeType:
        (object as? Data).map { .data($0) }
      case .objectIDAttributeType, .compositeAttributeType: nil
      }
    guard let value else { return nil }
    self = value
  }

  private static func integerValue(of object: Any, in range: ClosedRange<Int64>) -> Value? {
    // A number that an `Int64` does not hold as it is, a fraction among them, is none.
    let integer: Int64? =
      if let number = object as? any BinaryInteger { Int64(exactly: number) } else {
        (object as? NSNumber).flatMap { Int64(exactly: $0) }
      }
    guard let integer, range.contains(integer) else { return nil }
    return .integer(integer)
  }

  private static func booleanValue(of object: Any) -> Value? {
    if let boolean = object as? Bool { return .boolean(boolean) }
    guard case .integer(let integer) = integerValue(of: object, in: 0...1) else { return nil }
    return .boolean(integer == 1)
  }

  private static func decimalValue(of object: Any) -> Value? {
    if let decimal = object as? Decimal { return decimal.isNaN ? nil : .decimal(decimal) }
    guard let number = object as? NSNumber else { return nil }
    if let integer = Int64(exactly: number) { return .decimal(Decimal(integer)) }
    return Decimal(shortestOf: number.doubleValue).map { .decimal($0) }
  }
}

extension NSAttributeType {
  /// What code may set an attribute of the type to, for messages.
  var takenTypes: String {
    switch self {
    case .integer16AttributeType: "an integer of 16 bits"
    case .integer32AttributeType: "an integer of 32 bits"
    case .integer64AttributeType: "an integer"
    case .booleanAttributeType: "a Bool"
    case .doubleAttributeType, .floatAttributeType: "a number"
    case .decimalAttributeType: "a Decimal"
    case .stringAttributeType: "a String"
    case .dateAttributeType: "a Date"
    case .UUIDAttributeType: "a UUID"
    case .URIAttributeType: "a URL"
    case .binaryDataAttributeType, .transformableAttributeType, .undefinedAttributeType: "Data"
    case .objectIDAttributeType: "an object ID"
    case .compositeAttributeType: "a dictionary of its elements"
    }
  }
}
