import Foundation
public import Values

/// What an expression gives when it is evaluated.
public indirect enum PredicateValue {
  /// A single value, or none.
  case scalar(Value)
  /// An object with keys.
  case object(any PredicateObject)
  /// A collection: an array, a set, the objects of a to-many relationship.
  case list([PredicateValue])
  /// Something else that code handed in, which can be handed out again and compared with itself.
  case other(Any)

  /// No value.
  public static var null: PredicateValue { .scalar(.null) }

  /// Whether it is no value.
  public var isNull: Bool {
    if case .scalar(.null) = self { true } else { false }
  }
}

/// An object that a predicate may look at by keys.
public protocol PredicateObject {
  /// The value of a key.
  ///
  /// - Throws: when there is no such key, or it cannot be read.
  func predicateValue(forKey key: String) throws -> PredicateValue

  /// What tells it from other objects.
  var predicateIdentity: AnyHashable { get }
}

extension PredicateObject where Self: AnyObject {
  /// The object itself.
  public var predicateIdentity: AnyHashable { AnyHashable(ObjectIdentifier(self)) }
}

/// A dictionary as an object whose keys are its own; a key that it does not have is nil.
private final class DictionaryObject: PredicateObject, CustomStringConvertible {
  let dictionary: [String: Any]

  init(_ dictionary: [String: Any]) { self.dictionary = dictionary }

  func predicateValue(forKey key: String) -> PredicateValue { PredicateValue(dictionary[key]) }

  var description: String { "\(dictionary)" }
}

// MARK: - From and to the types of Swift and Foundation

extension PredicateValue {
  /// The value that an object of Swift or Foundation stands for.
  public init(_ object: Any?) {
    // An optional in an `Any` would else be no value of any type.
    switch object {
    case nil, is NSNull: self = .null
    case let value as PredicateValue: self = value
    case let value as Value: self = .scalar(value)
    case let object as any PredicateObject: self = .object(object)
    case let string as String: self = .scalar(.string(string))
    case let date as Date: self = .scalar(.date(date))
    case let data as Data: self = .scalar(.data(data))
    case let uuid as UUID: self = .scalar(.uuid(uuid))
    case let url as URL: self = .scalar(.url(url))
    case let decimal as Decimal: self = .scalar(.decimal(decimal))
    case let number as NSNumber: self = .scalar(Value(number))
    case let list as [Any]: self = .list(list.map { PredicateValue($0) })
    case let set as Set<AnyHashable>: self = .list(set.map { PredicateValue($0.base) })
    case let set as NSOrderedSet: self = .list(set.array.map { PredicateValue($0) })
    case let dictionary as [String: Any]: self = .object(DictionaryObject(dictionary))
    case let optional as any OptionalValue: self = optional.wrapped.map { PredicateValue($0) } ?? .null
    case let other?: self = .other(other)
    }
  }

  /// The value in the types of Swift and Foundation; numbers are `NSNumber`, as Apple has it.
  public var object: Any? {
    switch self {
    case .scalar(let value): value.object
    case .object(let object): (object as? DictionaryObject)?.dictionary ?? object
    case .list(let list): list.map { $0.object ?? NSNull() }
    case .other(let other): other
    }
  }
}

private protocol OptionalValue {
  var wrapped: Any? { get }
}

extension Optional: OptionalValue {
  fileprivate var wrapped: Any? { map { $0 } }
}

extension Value {
  /// The value of a number of Foundation's.
  fileprivate init(_ number: NSNumber) {
    if let decimal = number as? NSDecimalNumber {
      self = .decimal(decimal.decimalValue)
      return
    }
    switch UInt8(bitPattern: number.objCType.pointee) {
    case UInt8(ascii: "d"), UInt8(ascii: "f"): self = .real(number.doubleValue)
    // Foundation keeps a Bool so, and no other number.
    case UInt8(ascii: "c"): self = .boolean(number.boolValue)
    default: self = Int64(exactly: number).map { .integer($0) } ?? .real(number.doubleValue)
    }
  }
}

// MARK: - Equality

extension PredicateValue: Hashable {
  /// Whether two are the same value, in type too; how they compare in a predicate is another matter.
  public static func == (a: PredicateValue, b: PredicateValue) -> Bool {
    switch (a, b) {
    case (.scalar(let a), .scalar(let b)): a == b
    case (.object(let a), .object(let b)): a.predicateIdentity == b.predicateIdentity
    case (.list(let a), .list(let b)): a == b
    case (.other(let a), .other(let b)): identity(of: a) == identity(of: b)
    default: false
    }
  }

  /// Hashes what equality compares.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .scalar(let value): hasher.combine(value)
    case .object(let object): hasher.combine(object.predicateIdentity)
    case .list(let list): hasher.combine(list)
    case .other(let other): hasher.combine(Self.identity(of: other))
    }
  }

  private static func identity(of other: Any) -> AnyHashable {
    other as? AnyHashable ?? AnyHashable(ObjectIdentifier(other as AnyObject))
  }
}
