import Diagnostics
import ObjectModel

extension Diagnostic.Code {
  static let requestEntity = Self("request.entity", .usage)
  static let requestProperty = Self("request.property", .usage)
}

extension Diagnostic {
  static func unknownEntity(_ name: String, known: [String]) -> Diagnostic {
    let near = NearestName.question(name, in: known)
    return Diagnostic(
      .requestEntity, "the model has no entity \(name)", hint: "\(near)There are \(known.joined(separator: ", ")).")
  }

  static func entityOfOtherModel(_ entity: NSEntityDescription) -> Diagnostic {
    Diagnostic(
      .requestEntity, "the entity \(entity.name ?? "") is not of the coordinator's model",
      hint: "Take it from `entitiesByName` of that model.")
  }

  static func abstractEntity(_ entity: NSEntityDescription) -> Diagnostic {
    Diagnostic(
      .requestEntity, "the entity \(entity.name ?? "") is abstract: it has no objects",
      hint: "Name one of its subentities.")
  }

  static func noStoredAttribute(_ name: String, of entity: NSEntityDescription) -> Diagnostic {
    let known = entity.layout.attributes.filter { !($0.attribute is NSDerivedAttributeDescription) }.map(\.path)
    let near = NearestName.question(name, in: known)
    return Diagnostic(
      .requestProperty, "\(name) is no attribute of \(entity.name ?? "") that a batch request can set",
      hint: "\(near)There are \(known.joined(separator: ", ")); relationships are set through objects.")
  }

  static func inRow(_ row: Int, _ diagnostic: Diagnostic) -> Diagnostic {
    var copy = diagnostic
    copy.message = "row \(row): \(diagnostic.message)"
    return copy
  }
}
