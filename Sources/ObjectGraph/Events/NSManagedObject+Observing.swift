/// An observation of one key of one object; it ends with `invalidate()`, and when nobody holds it any more.
public final class KeyObservation {
  fileprivate let key: String
  fileprivate let handler: (NSManagedObject, ObservedChange) -> Void
  fileprivate weak var object: NSManagedObject?

  fileprivate init(
    _ key: String, of object: NSManagedObject, _ handler: @escaping (NSManagedObject, ObservedChange) -> Void
  ) {
    self.key = key
    self.object = object
    self.handler = handler
  }

  deinit { invalidate() }

  /// Ends the observation.
  public func invalidate() {
    object?.observers?.remove(self)
    object = nil
  }
}

/// What an observer is told.
public struct ObservedChange {
  /// The value before.
  public let oldValue: Any?
  /// The value now.
  public let newValue: Any?
}

extension NSManagedObject {
  /// Calls a block after each change of a property, whoever changes it: code, the other end of a relationship, undoing,
  /// rolling back, reading again. A fault is read from its store first.
  ///
  /// Foundation on Linux has no key-value observing; this takes the key by name and gives old and new value.
  public func observe(
    _ key: String, changeHandler: @escaping (NSManagedObject, ObservedChange) -> Void
  ) -> KeyObservation {
    let observation = KeyObservation(key, of: self, changeHandler)
    observers = observers ?? KeyObservers()
    observers?.add(observation, value: value(forKey: key))
    return observation
  }

  /// Tells who observes a key that its value may be another.
  func tellObservers(_ key: String) {
    guard let observers, !state.contains(.silent) else { return }
    observers.tell(key, of: self)
  }

  /// Tells all observers of the object.
  func tellAllObservers() {
    guard let observers else { return }
    for key in observers.keys.sorted() { observers.tell(key, of: self) }
  }
}

/// The observations of one object, with the values that they were told of last.
final class KeyObservers {
  private struct Entry { weak var observation: KeyObservation? }
  private var entries: [String: [Entry]] = [:]
  private var lastValues: [String: Any?] = [:]

  var keys: [String] { Array(entries.keys) }

  func add(_ observation: KeyObservation, value: Any?) {
    entries[observation.key, default: []].append(Entry(observation: observation))
    if lastValues[observation.key] == nil { lastValues.updateValue(value, forKey: observation.key) }
  }

  func remove(_ observation: KeyObservation) {
    let others = (entries[observation.key] ?? []).filter { $0.observation != nil && $0.observation !== observation }
    entries[observation.key] = others.isEmpty ? nil : others
    if others.isEmpty { lastValues[observation.key] = nil }
  }

  func tell(_ key: String, of object: NSManagedObject) {
    guard let entries = entries[key] else { return }
    let old = lastValues[key] ?? nil
    let new = object.value(forKey: key)
    guard !Self.areEqual(old, new) else { return }
    lastValues.updateValue(new, forKey: key)
    for entry in entries { entry.observation?.handler(object, ObservedChange(oldValue: old, newValue: new)) }
  }

  private static func areEqual(_ a: Any?, _ b: Any?) -> Bool {
    switch (a, b) {
    case (nil, nil): true
    case (let a as AnyHashable, let b as AnyHashable): a == b
    default: false
    }
  }
}
