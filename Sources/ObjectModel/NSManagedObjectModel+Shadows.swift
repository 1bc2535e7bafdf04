package import Diagnostics
import Values

extension NSManagedObjectModel {
  /// What is wrong with the shadow attributes of the model, in its own words and by what it leaves unsaid.
  ///
  /// - Parameter told: the attributes by entity whose kind somebody else tells: the mappings of a pipeline.
  package func checkShadows(told: [String: Set<String>] = [:]) -> [Diagnostic] {
    entities.sorted { ($0.name ?? "") < ($1.name ?? "") }.flatMap { entity in
      // A step that fills a subentity may be the one that tells.
      let told = told.filter { entitiesByName[$0.key]?.isKindOf(entity: entity) ?? false }
        .reduce(into: Set<String>()) { $0.formUnion($1.value) }
      return entity.layout.shadowWarnings(told: told, at: { _ in nil }) + entity.checkShadows(told: told)
    }
  }
}

extension NSEntityDescription {
  fileprivate func checkShadows(told: Set<String>) -> [Diagnostic] {
    var found: [Diagnostic] = []
    for case let attribute as NSAttributeDescription in properties
    where attribute.entity === self && !told.contains(attribute.name) {
      let isUntyped = attribute.isTransient && attribute.attributeType == .undefinedAttributeType
      guard let plan = layout.shadows[attribute.name] else {
        // What else is wrong with it has been said already.
        let isKnown = layout.shadowProblems.contains { $0.attribute === attribute }
        if isUntyped && !isKnown { found.append(.noShadow(attribute)) }
        continue
      }
      if isUntyped, plan.kind == nil {
        found.append(.noKind(plan))
      } else {
        do throws(Diagnostic) { _ = try plan.storedKind() } catch { found.append(.unfitKind(error, plan)) }
      }
      if plan.setter == .delayed, !plan.isItsOwnShadow, !plan.shadow.isOptional, plan.shadow.defaultValue.isNull {
        found.append(.requiredLateShadow(plan))
      }
    }
    return found
  }
}

extension Diagnostic {
  private static func shadow(
    _ attribute: NSAttributeDescription, _ text: String, hint: String, code: Code = .modelShadow
  ) -> Diagnostic {
    Diagnostic(code, "entity \(attribute.entity.name ?? ""), attribute \(attribute.name): \(text)", hint: hint)
  }

  fileprivate static func noShadow(_ attribute: NSAttributeDescription) -> Diagnostic {
    shadow(
      attribute, "it is transient and has no type, and no stored attribute keeps its value",
      hint: """
        Name the stored attribute by the key `shadow` of its userInfo, or call it \(attribute.name)Data, \
        \(attribute.name)AsString or \(attribute.name)String.
        """)
  }

  fileprivate static func noKind(_ plan: ShadowPlan) -> Diagnostic {
    shadow(
      plan.attribute, "nothing says of which kind the value is that \(plan.shadow.name) keeps",
      hint: "Set the key `kind` of its userInfo, or `kind` in the mapping: \(ValueKinds.names.joined(separator: ", "))."
    )
  }

  fileprivate static func unfitKind(_ error: Diagnostic, _ plan: ShadowPlan) -> Diagnostic {
    shadow(plan.attribute, error.message, hint: error.hint)
  }

  fileprivate static func requiredLateShadow(_ plan: ShadowPlan) -> Diagnostic {
    shadow(
      plan.attribute,
      "its shadow \(plan.shadow.name) is required and set late, behind the validation: a first save fails",
      hint: "Make \(plan.shadow.name) optional, or set the key `setter` to `immediate`.", code: .modelLateShadow)
  }
}
