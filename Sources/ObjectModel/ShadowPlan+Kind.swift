package import Diagnostics
import Foundation
package import Values

extension ShadowPlan {
  /// What the model says about the kind.
  package var settings: KindSettings {
    var settings = KindSettings()
    settings.cases = Dictionary(
      cases.map { ($0.name, Int64($0.value)) }, uniquingKeysWith: { first, _ in first })
    settings.unknown = unknown
    settings.options = attribute.conversionOptions.over(shadow.conversionOptions)
    return settings
  }

  /// The kind and the form in which the shadow keeps it; nil when the model names no kind.
  package func storedKind() throws(Diagnostic) -> StoredKind? {
    if let known = knownKind.value { return known }
    guard let kind else { return nil }
    guard let type = shadow.attributeType.keptFormType else {
      throw .shadowType(self)
    }
    let found = try StoredKind(
      kind, settings: settings, form: form, storedAs: type, transformerName: shadow.valueTransformerName)
    knownKind.value = found
    return found
  }
}

/// A kind that is found when it is first asked for: a program registers its own after the model is read, maybe.
final class KnownKind: @unchecked Sendable {
  private let lock = NSLock()
  private var found: StoredKind?

  var value: StoredKind? {
    get { lock.withLock { found } }
    set { lock.withLock { found = newValue } }
  }
}

extension Diagnostic {
  fileprivate static func shadowType(_ plan: ShadowPlan) -> Diagnostic {
    Diagnostic(
      .modelShadow,
      "\(plan.shadow.name), \(ShownText.withArticle(plan.shadow.attributeType.modelName)), keeps no kind of value",
      hint: "A shadow is a String, Binary, Transformable, Integer, Double or Float attribute.")
  }
}
