package import Diagnostics

extension EntityLayout {
  /// The plans of an entity's attributes by name, and what is wrong in the model's own words about them.
  func readShadows(_ entity: NSEntityDescription) -> (plans: [String: ShadowPlan], problems: [ShadowProblem]) {
    var plans: [String: ShadowPlan] = [:]
    var problems: [ShadowProblem] = []
    // The attributes whose shadows are at places.
    var users: [Int: String] = [:]
    for case let attribute as NSAttributeDescription in entity.properties {
      guard let path = shadowPath(of: attribute) else {
        // An attribute that is only transient is nobody's mistake, one that says more about itself is.
        if attribute.isTransient && ShadowPlan.keys.contains(where: { attribute.userInfo[$0] != nil }) {
          problems.append(ShadowProblem(attribute: attribute, text: "the model has no stored attribute for it"))
        }
        continue
      }
      guard let place = attributeIndex[path] else {
        problems.append(ShadowProblem(attribute: attribute, text: "its shadow \(path) is no stored attribute"))
        continue
      }
      var plan = ShadowPlan(attribute: attribute, shadow: attributes[place].attribute, place: place)
      plan.read { problems.append(ShadowProblem(attribute: attribute, text: $0)) }
      if !plan.isItsOwnShadow, let other = users.updateValue(attribute.name, forKey: place) {
        problems.append(ShadowProblem(attribute: attribute, text: "\(path) is also the shadow of \(other)"))
      }
      plans[attribute.name] = plan
    }
    return (plans, problems)
  }

  /// The path of the attribute that keeps another's value; nil when there is none.
  private func shadowPath(of attribute: NSAttributeDescription) -> String? {
    if let named = attribute.userInfo["shadow"] { return named }
    guard attribute.isTransient else { return attribute.userInfo["kind"] == nil ? nil : attribute.name }
    guard attribute.attributeType == .undefinedAttributeType || attribute.userInfo["kind"] != nil else { return nil }
    return ["Data", "AsString", "String"].map { attribute.name + $0 }.first { attributeIndex[$0] != nil }
  }

  /// The problems of the attributes that the entity itself declares, as warnings.
  ///
  /// - Parameter told: the attributes of which somebody else says how they are kept.
  func shadowWarnings(
    told: Set<String> = [], at position: (NSAttributeDescription) -> SourcePosition?
  ) -> [Diagnostic] {
    shadowProblems.filter { $0.attribute.entity === entity && !told.contains($0.attribute.name) }.map { problem in
      Diagnostic(
        .modelShadow, "entity \(entity.name ?? ""), attribute \(problem.attribute.name): \(problem.text)",
        hint: "The keys of userInfo are \(ShadowPlan.keys.joined(separator: ", ")).",
        at: position(problem.attribute))
    }
  }
}

/// What is wrong in an attribute's `userInfo`.
struct ShadowProblem {
  var attribute: NSAttributeDescription
  var text: String
}

extension ShadowPlan {
  static let keys = ["shadow", "kind", "form", "cases", "unknown", "getter", "setter"]

  /// Reads the attribute's `userInfo`; what cannot be read is reported and left at its default.
  fileprivate mutating func read(report: (String) -> Void) {
    kind = attribute.userInfo["kind"]
    form = attribute.userInfo["form"]
    unknown = attribute.userInfo["unknown"]
    getter = choice("getter", report) ?? getter
    setter = choice("setter", report) ?? setter
    if let text = attribute.userInfo["cases"] { cases = Self.cases(text, report) }
    if kind == "enum" || kind == "optionSet", cases.isEmpty {
      report("\(ShownText.withArticle(kind ?? "enum")) needs `cases`, e.g. `unknown=0,known=1`")
    }
    for problem in attribute.optionProblems { report(problem) }
  }

  private func choice<T: RawRepresentable & CaseIterable>(_ key: String, _ report: (String) -> Void) -> T?
  where T.RawValue == String {
    guard let text = attribute.userInfo[key] else { return nil }
    if let choice = T(rawValue: text) { return choice }
    report("`\(key)` is `\(text)`, expected \(T.allCases.map(\.rawValue).joined(separator: " or "))")
    return nil
  }

  /// `unknown=0,twitter=1`; a case without a number has the one after that of the case before, as in Swift.
  private static func cases(_ text: String, _ report: (String) -> Void) -> [EnumCase] {
    var cases: [EnumCase] = []
    var (names, values): (Set<String>, Set<Int>) = ([], [])
    var next = 0
    for part in text.split(separator: ",") {
      let pair = part.split(separator: "=", maxSplits: 1).map { $0.trimmed }
      guard let name = pair.first, !name.isEmpty, let value = pair.count == 2 ? Int(pair[1]) : next else {
        report("`cases` has `\(part.trimmed)`, expected a name, an equals sign and a whole number")
        continue
      }
      guard names.insert(name).inserted, values.insert(value).inserted else {
        report("`cases` has two cases named \(name) or of the number \(value)")
        continue
      }
      cases.append(EnumCase(name: name, value: value))
      next = value &+ 1
    }
    return cases
  }
}

extension Diagnostic.Code {
  /// The `userInfo` of an attribute does not say how it is kept.
  package static let modelShadow = Diagnostic.Code("model.shadow", .warning)
  /// A required shadow is set when the object has been validated.
  package static let modelLateShadow = Diagnostic.Code("model.late-shadow", .warning)
}
