import Diagnostics
import ObjectModel
import Values

// The four techniques of non-standard attributes: a transient attribute is made of its shadow on demand or when the object is
// read, and its shadow is set at once or just before the save.
//
// Source: Apple, Core Data Programming Guide, "Non-Standard Persistent Attributes".

extension NSManagedObject {
  /// How a transient attribute is kept, if the model tells its shadow and kind.
  ///
  /// A kind that is not known, or that its shadow does not keep, is none: `checkShadows` reports it.
  private func shadow(_ key: String) -> (plan: ShadowPlan, kind: StoredKind)? {
    guard let plan = layout.shadows[key], !plan.isItsOwnShadow, let kind = try? plan.storedKind() else { return nil }
    return (plan, kind)
  }

  /// The value of a transient attribute that its shadow keeps: the one that was set or made before, else one that is made now.
  ///
  /// What the kind cannot read, an archive of an unknown class for one, is given as it is stored.
  func shadowedValue(forKey key: String) -> Any? {
    if let known = transients?[key] { return known }
    guard let (plan, kind) = shadow(key) else { return nil }
    let value = kind.object(of: values[plan.place])
    keepTransient(value, key)
    return value
  }

  /// Sets a transient attribute and, if its setter is an immediate one, its shadow: one change.
  ///
  /// - Returns: false if the attribute has no shadow, and is set as any other.
  func setShadowedValue(_ value: Any?, forKey key: String) throws -> Bool {
    guard !state.contains(.silent), let (plan, kind) = shadow(key) else { return false }
    let stored = try kind.stored(value, forKey: key, of: self)
    try realize()
    switch plan.setter {
    case .immediate:
      // First the shadow: that it changes makes what was known of the transient value void.
      if !setValue(stored, at: plan.place) { return true }
    case .delayed:
      noteChange()
      lateShadows.insert(key)
    }
    keepTransient(value, key)
    return true
  }

  /// Sets the shadows of what was set since the last save by delayed setters; what validation finds wrong before, stays wrong.
  func updateLateShadows() throws {
    guard transients != nil, !lateShadows.isEmpty else { return }
    for key in lateShadows.sorted() {
      guard let (plan, kind) = shadow(key), let value = transients?[key] else { continue }
      lateShadows.remove(key)
      setValue(try kind.stored(value, forKey: key, of: self), at: plan.place)
      keepTransient(value, key)
    }
    lateShadows = []
  }

  /// Makes the values whose getter is a precomputed one, of what has just been read.
  func precomputeShadowedValues() {
    for key in layout.precomputedShadows { _ = shadowedValue(forKey: key) }
  }

  /// Forgets what was made of a stored value that is another now.
  func forgetShadowedValues(at place: Int) {
    for (key, plan) in layout.shadows where plan.place == place && !plan.isItsOwnShadow && plan.kind != nil {
      transients?[key] = nil
      lateShadows.remove(key)
    }
  }

  private func keepTransient(_ value: Any?, _ key: String) {
    transients = transients ?? [:]
    transients?.updateValue(value, forKey: key)
  }
}

extension StoredKind {
  fileprivate func object(of stored: Value) -> Any? {
    do throws(TextTrouble) { return try object(stored: stored) } catch { return stored.object }
  }

  fileprivate func stored(_ value: Any?, forKey key: String, of object: NSManagedObject) throws -> Value {
    do throws(TextTrouble) { return try stored(object: value) } catch {
      throw Diagnostic.valueType(value ?? "nil", forKey: key, of: object.entity, expected: takenType)
    }
  }
}
