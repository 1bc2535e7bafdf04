package import Conversion
package import Diagnostics
import ObjectModel

extension ForwardTransfer {
  /// A step that is written for the older version, by the names of the newer one; what its columns are stays said in the older's.
  package func step(_ step: StepConfiguration) throws(Diagnostic) -> StepConfiguration {
    var carried = step
    switch try step.target(in: transfer.source) {
    case .entity(let source):
      let entity = try self.entity(source)
      carried.entity = entity.destination.name
      carried.key = []
      for name in step.key { carried.key.append(try attribute(name, of: entity, role: "key")) }
      carried.relationships = [:]
      for (name, mapping) in step.relationships.sorted(by: { $0.key < $1.key }) {
        let old = try source.relationship(name)
        guard let new = try relationship(old, of: entity) else {
          carried.ignore.append(mapping.column)
          continue
        }
        var mapping = mapping
        mapping.by = try (mapping.by ?? old.relatedByAttribute).map { by throws(Diagnostic) in
          try end(by, of: old.destinationEntity)
        }
        // One key stays one key.
        if new.isToMany, !old.isToMany { mapping.separator = "" }
        carried.relationships[new.name] = mapping
      }
    case .link(var link, let source):
      let entity = try self.entity(source)
      let old = try source.relationship(link.relationship)
      guard let new = try relationship(old, of: entity) else { throw .lostForward(name(old), destinationName) }
      link.entity = entity.destination.name ?? ""
      link.relationship = new.name
      link.from.by = try end(link.from.by, of: source)
      link.to.by = try end(link.to.by, of: old.destinationEntity)
      carried.link = link
    }
    return carried
  }

  /// The entity of the newer version that a step fills.
  func destination(of step: StepConfiguration) -> NSEntityDescription? {
    step.entity.flatMap { transfer.source.entitiesByName[$0] }.flatMap { transfer.transfer(from: $0)?.destination }
  }

  private func entity(_ source: NSEntityDescription) throws(Diagnostic) -> EntityTransfer {
    guard let entity = transfer.transfer(from: source) else { throw .lostForward(source.name ?? "", destinationName) }
    if entity.source.versionHashModifier != entity.destination.versionHashModifier, !copyUnchanged {
      throw .otherMeaningForward(source.name ?? "")
    }
    return entity
  }

  /// What an attribute that keys are compared with is called.
  private func attribute(
    _ path: String, of entity: EntityTransfer, role: String
  ) throws(Diagnostic) -> String {
    guard entity.source.layout.attributeIndex[path] != nil else {
      throw .unknownAttribute(path, of: entity.source, role: role)
    }
    guard let found = entity.attributes.first(where: { $0.source?.path == path }) else {
      throw .lostForward("\(entity.source.name ?? "").\(path)", destinationName)
    }
    return found.destination.path
  }

  private func end(_ by: String, of source: NSEntityDescription) throws(Diagnostic) -> String {
    if source.layout.attributeIndex[by] == nil, KeyColumn.isRunNames(by) { return by }
    return try attribute(by, of: entity(source), role: "by")
  }

  /// The relationship that takes the links of another; nil if there is none, as allowed.
  private func relationship(
    _ old: NSRelationshipDescription, of entity: EntityTransfer
  ) throws(Diagnostic) -> NSRelationshipDescription? {
    guard let new = entity.relationships.first(where: { $0.value.name == old.name })?.key else {
      guard allowLoss.contains(name(old)) else { throw .lostForward(name(old), destinationName) }
      return nil
    }
    if old.isToMany, !new.isToMany { throw .toOneForward(name(old), destinationName) }
    if old.versionHashModifier != new.versionHashModifier, !copyUnchanged { throw .otherMeaningForward(name(old)) }
    return new
  }

  private func name(_ relationship: NSRelationshipDescription) -> String {
    "\(relationship.entity.name ?? "").\(relationship.name)"
  }
}

extension Diagnostic {
  fileprivate static func lostForward(_ name: String, _ version: String) -> Diagnostic {
    Diagnostic(
      .stepProperty, "\(name) is not in \(version), so that what the step fills would be lost",
      hint: "Leave it out of the step. A relationship that may be lost is allowed by --allow-loss.")
  }

  fileprivate static func toOneForward(_ name: String, _ version: String) -> Diagnostic {
    Diagnostic(
      .stepRelationship, "\(name) is a to-one relationship in \(version), and records may name several destinations",
      hint: "A new store is filled with such rows; into one that is there they cannot be mapped.")
  }

  fileprivate static func otherMeaningForward(_ name: String) -> Diagnostic {
    Diagnostic(
      .stepProperty, "the hash modifier of \(name) says that its meaning changes, and no mapping says how",
      hint: "--copy-unchanged copies it.")
  }
}
