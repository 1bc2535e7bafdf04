extension NSManagedObject {
  /// The value of a property by name; see `value(forKey:)`.
  public subscript(key: String) -> Any? {
    get { value(forKey: key) }
    set { setValue(newValue, forKey: key) }
  }

  /// The value of a property by name as a type; nil if there is none, or one of another type.
  public subscript<T>(key: String, as type: T.Type) -> T? { value(forKey: key) as? T }
}

/// An enumeration whose cases stand for the numbers of an integer attribute.
///
///     enum Sex: Int16, ScalarEnumeration { case unknown, female, male }
///     var sex: Sex { get { scalarValue(forKey: "sex") } set { setScalarValue(newValue, forKey: "sex") } }
public protocol ScalarEnumeration: RawRepresentable where RawValue: FixedWidthInteger {
  /// The case that stands for no value and for numbers that no case has.
  static var unknown: Self { get }
}

extension NSManagedObject {
  /// The case that an integer attribute's value stands for; `unknown` for none and for a number that no case has.
  public func scalarValue<Scalar: ScalarEnumeration>(forKey key: String) -> Scalar {
    guard let number = value(forKey: key) as? Int64, let raw = Scalar.RawValue(exactly: number) else { return .unknown }
    return Scalar(rawValue: raw) ?? .unknown
  }

  /// Sets an integer attribute to the number of a case.
  public func setScalarValue<Scalar: ScalarEnumeration>(_ value: Scalar, forKey key: String) {
    setValue(Int64(clamping: value.rawValue), forKey: key)
  }
}
