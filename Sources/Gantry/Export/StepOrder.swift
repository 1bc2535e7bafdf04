import ObjectModel

/// In which order the files of an export are imported, so that objects are there before they are named.
struct StepOrder {
  /// A step that makes objects, with the to-one relationships that it fills, by place.
  struct Step {
    let entity: ExportedEntity
    var filled: [Int]
  }

  private(set) var steps: [Step] = []
  /// The relationships that are filled when all objects are there: they lead in a circle.
  private(set) var deferred: [(entity: ExportedEntity, place: Int)] = []

  init(_ entities: [ExportedEntity]) {
    var remaining = entities
    var placed: Set<NSEntityDescription> = []
    while !remaining.isEmpty {
      let waiting = remaining.map { entity in
        entity.filled.filter { !entity.destinations[$0].subtracting([entity.entity]).isSubset(of: placed) }
      }
      // The first that waits for nothing, or for as little as can be, and best for nothing that it cannot be without.
      let costs = remaining.indices.map { index in
        waiting[index].reduce(0) { $0 + (remaining[index].toOne[$1].isOptional ? 1 : 1000) }
      }
      guard let next = costs.indices.min(by: { costs[$0] < costs[$1] }) else { return }
      let entity = remaining.remove(at: next)
      let late = waiting[next]
      deferred += late.map { (entity, $0) }
      steps.append(Step(entity: entity, filled: entity.filled.filter { !late.contains($0) }))
      placed.insert(entity.entity)
    }
  }
}

extension ExportedEntity {
  /// Whether the objects are not complete without what later steps fill, or the second pass of their own.
  ///
  /// - Parameter filled: the to-one relationships that their step fills.
  func isLinkedLater(filled: [Int]) -> Bool {
    let isToOneLater = toOne.indices.contains { place in
      let relationship = toOne[place]
      return relationship.hasLeastCount
        && (!filled.contains(place) || relationship.destinationEntity.map { entity.isKindOf(entity: $0) } ?? false)
    }
    return isToOneLater || entity.layout.toMany.contains(where: \.hasLeastCount)
  }

  /// The to-one relationships that an import has to fill: those that lead anywhere, or must; of a pair one.
  fileprivate var filled: [Int] {
    toOne.indices.filter { place in
      let relationship = toOne[place]
      guard !destinations[place].isEmpty || !relationship.isOptional else { return false }
      guard let inverse = relationship.inverseRelationship, !inverse.isToMany, inverse !== relationship else {
        return true
      }
      if relationship.isOptional != inverse.isOptional { return !relationship.isOptional }
      let (own, other) = (
        "\(relationship.entity.name ?? "").\(relationship.name)", "\(inverse.entity.name ?? "").\(inverse.name)"
      )
      return own < other
    }
  }
}
