import Diagnostics

extension ModelReader {
  /// A relationship; its destination and inverse are linked when all entities are known.
  func relationship(_ element: ModelElement) throws(Diagnostic) -> NSRelationshipDescription {
    let relationship = NSRelationshipDescription()
    try fill(relationship, from: element)
    relationship.minCount = try element.count("minCount") ?? 0
    let isToMany = try element.flag("toMany")
    relationship.maxCount = try element.count("maxCount") ?? (isToMany ? 0 : 1)
    relationship.isOrdered = try element.flag("ordered")
    if let name = element.text("deletionRule") {
      guard let rule = NSDeleteRule(modelName: name) else {
        let known = NSDeleteRule.allCases.map(\.modelName).joined(separator: ", ")
        throw .modelValue(name, of: "deletionRule", expected: "one of \(known)", in: element)
      }
      relationship.deleteRule = rule
    }
    return relationship
  }
}

extension NSDeleteRule {
  /// The rule's name in a model file.
  package var modelName: String {
    switch self {
    case .noActionDeleteRule: "No Action"
    case .nullifyDeleteRule: "Nullify"
    case .cascadeDeleteRule: "Cascade"
    case .denyDeleteRule: "Deny"
    }
  }

  fileprivate init?(modelName: String) {
    guard let rule = Self.allCases.first(where: { $0.modelName == modelName }) else { return nil }
    self = rule
  }
}
