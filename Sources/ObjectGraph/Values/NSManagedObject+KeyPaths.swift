import Foundation
import ObjectModel

extension NSManagedObject {
  /// The value at the end of a path of keys (`department.name`).
  ///
  /// Behind a to-many relationship the path goes on with each of its objects, and the result is an array of what there is: in
  /// the order of an ordered relationship. `@count`, `@sum.KEY`, `@avg.KEY`, `@min.KEY`, `@max.KEY`, `@unionOfObjects.KEY` and
  /// `@distinctUnionOfObjects.KEY` are the operators of Cocoa. A key that there is not is a programmer's mistake.
  public func value(forKeyPath keyPath: String) -> Any? {
    if layout.attributeIndex[keyPath] != nil { return value(forKey: keyPath) }
    let (key, rest) = keyPath.splitAtDot
    let value = value(forKey: key)
    guard let rest else { return value }
    switch value {
    case let object as NSManagedObject: return object.value(forKeyPath: rest)
    case let list as [NSManagedObject]: return list.value(forKeyPath: rest, from: self)
    case let set as Set<NSManagedObject>:
      // In an order that does not differ from run to run.
      return set.sorted { $0.objectID.key < $1.objectID.key }.value(forKeyPath: rest, from: self)
    case nil:
      // A composite's element, or what is behind a relationship, is nil where there is nothing.
      return nil
    case let elements as [String: Any]: return elements[rest]
    default: preconditionFailure("\(entity.name ?? "").\(key) is a value without keys of its own: \(keyPath)")
    }
  }

  /// Sets the property at the end of a path of keys; the path leads over to-one relationships that have an object, else nothing
  /// is set, as in Cocoa.
  public func setValue(_ value: Any?, forKeyPath keyPath: String) {
    if layout.attributeIndex[keyPath] != nil { return setValue(value, forKey: keyPath) }
    let (key, rest) = keyPath.splitAtDot
    guard let rest else { return setValue(value, forKey: key) }
    guard let relationship = entity.relationshipsByName[key], !relationship.isToMany else {
      preconditionFailure("\(entity.name ?? "") has no to-one relationship \(key), to set \(keyPath)")
    }
    (self.value(forKey: key) as? NSManagedObject)?.setValue(value, forKeyPath: rest)
  }
}

extension NSManagedObject {
  /// The values of some properties by name, `NSNull` for none.
  public func dictionaryWithValues(forKeys keys: [String]) -> [String: Any] {
    Dictionary(keys.map { ($0, value(forKey: $0) ?? NSNull()) }, uniquingKeysWith: { first, _ in first })
  }

  /// Sets some properties by name, in the order of their names; `NSNull` for none.
  public func setValuesForKeys(_ keyedValues: [String: Any]) {
    for (key, value) in keyedValues.sorted(by: { $0.key < $1.key }) {
      setValue(value is NSNull ? nil : value, forKey: key)
    }
  }
}

extension [NSManagedObject] {
  fileprivate func value(forKeyPath keyPath: String, from object: NSManagedObject) -> Any? {
    guard keyPath.hasPrefix("@") else { return values(forKeyPath: keyPath) }
    let (name, rest) = keyPath.splitAtDot
    if name == "@count" { return NSNumber(value: count) }
    guard let rest else { preconditionFailure("the operator \(name) needs a key behind it: \(keyPath)") }
    let values = values(forKeyPath: rest)
    let numbers = values.compactMap { ($0 as? NSNumber)?.decimalValue }
    switch name {
    case "@sum": return NSDecimalNumber(decimal: numbers.reduce(0, +))
    case "@avg":
      return NSDecimalNumber(decimal: numbers.isEmpty ? 0 : numbers.reduce(0, +) / Decimal(numbers.count))
    case "@min": return values.extreme { $0 < $1 }
    case "@max": return values.extreme { $0 > $1 }
    case "@unionOfObjects": return values
    case "@distinctUnionOfObjects":
      var seen: Set<AnyHashable> = []
      return values.filter { value in (value as? AnyHashable).map { seen.insert($0).inserted } ?? true }
    default: preconditionFailure("\(name) is no operator of a key path: \(keyPath)")
    }
  }

  /// What is at the end of the path from each object; that of a further to-many relationship in one list.
  private func values(forKeyPath keyPath: String) -> [Any] {
    flatMap { object -> [Any] in
      switch object.value(forKeyPath: keyPath) {
      case nil: []
      case let list as [Any]: list
      case let set as Set<NSManagedObject>: set.sorted { $0.objectID.key < $1.objectID.key }
      case let value?: [value]
      }
    }
  }
}

extension [Any] {
  fileprivate func extreme(_ isBetter: (Comparison, Comparison) -> Bool) -> Any? {
    compactMap { value in Comparison(value).map { (value, $0) } }
      .reduce(nil as (Any, Comparison)?) { best, next in
        if let best, !isBetter(next.1, best.1) { best } else { next }
      }?.0
  }
}

/// A value by which others are greater or less: a number, a text or a date.
private enum Comparison {
  case number(Decimal)
  case text(String)
  case date(Date)

  init?(_ value: Any) {
    switch value {
    case let date as Date: self = .date(date)
    case let text as String: self = .text(text)
    case let number as NSNumber: self = .number(number.decimalValue)
    default: return nil
    }
  }

  static func < (a: Comparison, b: Comparison) -> Bool {
    switch (a, b) {
    case (.number(let a), .number(let b)): a < b
    case (.text(let a), .text(let b)): a < b
    case (.date(let a), .date(let b)): a < b
    default: false
    }
  }

  static func > (a: Comparison, b: Comparison) -> Bool { b < a }
}

extension String {
  fileprivate var splitAtDot: (first: String, rest: String?) {
    guard let dot = firstIndex(of: ".") else { return (self, nil) }
    return (String(self[..<dot]), String(self[index(after: dot)...]))
  }
}
