/// How a transient attribute is kept: in which persistent attribute, its shadow, and in which form.
///
/// The model says so in the `userInfo` of the transient attribute; the shadow is found by its key `shadow`, or else by the
/// name NAME+`Data`, NAME+`AsString` or NAME+`String`. A stored attribute with a `kind` is its own shadow: an enum in an
/// Integer 16.
package struct ShadowPlan: Sendable {
  /// When an object makes the transient value of the stored one.
  package enum Getter: String, Sendable, CaseIterable { case onDemand, precomputed }
  /// When an object makes the stored value of the transient one.
  package enum Setter: String, Sendable, CaseIterable { case immediate, delayed }
  /// One case of an enum.
  package struct EnumCase: Hashable, Sendable {
    package var name: String
    package var value: Int
  }

  /// The attribute that users see.
  package let attribute: NSAttributeDescription
  /// The attribute that is stored; a composite's element is the one of the path.
  package let shadow: NSAttributeDescription
  /// The place of the shadow in the entity's layout.
  package let place: Int
  /// The kind of value (`color`, `rect`, `enum`, ...), if the model says it.
  package var kind: String?
  /// The form of the stored value (`nscolor`, `string`, ...), if the model says it; else the shadow's type decides.
  package var form: String?
  /// The cases of an enum, in declared order.
  package var cases: [EnumCase] = []
  /// The case of an enum that unknown words mean, if the model names one.
  package var unknown: String?
  package var getter = Getter.onDemand
  package var setter = Setter.immediate
  /// The kind, once it has been asked for.
  let knownKind = KnownKind()

  /// Whether the attribute is stored itself.
  package var isItsOwnShadow: Bool { attribute === shadow }
}

extension NSEntityDescription {
  /// The shadow plan of an attribute; nil when it has no shadow.
  package func shadowPlan(for attribute: String) -> ShadowPlan? { layout.shadows[attribute] }
}
