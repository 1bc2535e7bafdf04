import ObjectGraph
import ObjectModel
import Values

/// Asks the rows of a store what a step will lose of them, and what keeps them from it.
struct RowSurvey {
  private let inference: MappingInference
  private let transfer: StoreTransfer
  private let store: any StoreMigrator
  private(set) var result = StepSurvey()
  /// The losses so far, by name and kind: rows of subentities count for the entity that declares the property.
  private var lost: [(name: String, kind: LossKind, count: Int, what: (Int) -> String)] = []

  private enum LossKind { case values, choice, order }

  /// Asks everything.
  static func of(
    _ inference: MappingInference, _ transfer: StoreTransfer, in store: any StoreMigrator
  ) throws -> StepSurvey {
    var survey = RowSurvey(inference: inference, transfer: transfer, store: store)
    try survey.run()
    return survey.result
  }

  /// Asks how many rows there are of each entity, and names those that no mapping takes, where mapping models say what happens.
  static func of(
    _ model: NSMappingModel, _ source: NSManagedObjectModel, _ destination: NSManagedObjectModel,
    in store: any StoreMigrator
  ) throws -> StepSurvey {
    let transfer = StoreTransfer(source: source, destination: destination, entities: [])
    let taken = Set(model.entityMappings.compactMap(\.sourceEntityName))
    var survey = StepSurvey()
    for entity in source.entities where !entity.isAbstract {
      let count = try store.answer(.rows(entity), of: transfer).count
      let name = entity.name ?? ""
      survey.sourceRows[name] = count
      if count > 0, !taken.contains(name) {
        survey.losses.append(PlannedLoss(name: name, what: "\(number(count, "row")) that no mapping takes"))
      } else if count > 0 {
        survey.losses += try losses(of: entity, model, transfer, in: store)
      }
    }
    survey.add(try store.leftBehind(by: transfer))
    return survey
  }

  /// The attributes of an entity that no mapping of it reads; what a policy reads nobody can tell.
  private static func losses(
    of entity: NSEntityDescription, _ model: NSMappingModel, _ transfer: StoreTransfer, in store: any StoreMigrator
  ) throws -> [PlannedLoss] {
    let mappings = model.entityMappings.filter { $0.sourceEntityName == entity.name }
    guard mappings.allSatisfy({ $0.entityMigrationPolicyClassName == nil }) else { return [] }
    let properties = mappings.flatMap { ($0.attributeMappings ?? []) + ($0.relationshipMappings ?? []) }
    let read = Set(
      properties.flatMap { property in
        "\(property.valueExpression.map { "\($0)" } ?? "")".matches(of: /\$source\.#?(\w+)/).map { String($0.output.1) }
      })
    return try entity.layout.attributes.compactMap { stored in
      let name = stored.path.split(separator: ".").first.map(String.init) ?? stored.path
      guard !read.contains(name), !(stored.attribute is NSDerivedAttributeDescription) else { return nil }
      let count = try store.answer(.values(entity, path: stored.path), of: transfer).count
      return count == 0
        ? nil : PlannedLoss(name: Self.name(stored), what: "\(number(count, "value")) that no mapping reads")
    }
  }

  private init(inference: MappingInference, transfer: StoreTransfer, store: any StoreMigrator) {
    self.inference = inference
    self.transfer = transfer
    self.store = store
  }

  private mutating func run() throws {
    for entity in transfer.source.entities where !entity.isAbstract {
      let count = try ask(.rows(entity)).count
      result.sourceRows[entity.name ?? ""] = count
      guard count > 0 else { continue }
      if let transfer = transfer.transfer(from: entity) {
        try survey(transfer, rows: count)
      } else {
        lose(entity.name ?? "", count) { rows in Self.number(rows, "row") }
      }
    }
    for entity in transfer.destination.entities {
      for constraint in entity.uniquenessConstraints { try askForDuplicates(constraint, of: entity) }
    }
    try askForContradictions()
    for loss in lost {
      let what = loss.what(loss.count)
      if let index = result.losses.firstIndex(where: { $0.name == loss.name }) {
        result.losses[index].what += ", \(what)"
      } else {
        result.losses.append(PlannedLoss(name: loss.name, what: what))
      }
    }
    result.add(try store.leftBehind(by: transfer))
  }

  // MARK: An entity

  private mutating func survey(_ entity: EntityTransfer, rows: Int) throws {
    let name = entity.destination.name ?? ""
    guard !entity.destination.isAbstract else {
      result.refusals.append("\(name): becomes abstract, and \(Self.number(rows, "row")) of it have no place")
      return
    }
    result.rows[name, default: 0] += rows
    if entity.source.versionHashModifier != entity.destination.versionHashModifier {
      meaning(name, entity.source.versionHashModifier, entity.destination.versionHashModifier)
    }
    try surveyAttributes(entity)
    try surveyRelationships(entity)
  }

  private mutating func surveyAttributes(_ entity: EntityTransfer) throws {
    let taken = Set(entity.attributes.compactMap { $0.source?.path })
    for old in entity.source.layout.attributes
    where !taken.contains(old.path) && !(old.attribute is NSDerivedAttributeDescription) {
      let new = entity.attributes.filter { $0.source == nil }.map(\.destination)
      let hint = new.map { "\($0.path) (\($0.attribute.attributeType.modelName))" }.joined(separator: ", ")
      lose(Self.name(old), try ask(.values(entity.source, path: old.path)).count) {
        "\(Self.number($0, "value")) of \(old.attribute.attributeType.modelName)"
          + (hint.isEmpty ? "" : "; added is \(hint)")
      }
    }
    for attribute in entity.attributes where !(attribute.destination.attribute is NSDerivedAttributeDescription) {
      let (path, new) = (attribute.destination.path, attribute.destination.attribute)
      let name = "\(entity.destination.name ?? "").\(path)"
      guard let old = attribute.source else {
        if !new.isOptional, !path.contains("."), attribute.valueForNull.isNull {
          try refuse(.withoutValue(entity, path: path), "\(name): is added, required and without a default")
        }
        continue
      }
      if old.attribute.isOptional, !new.isOptional, !path.contains("."), attribute.valueForNull.isNull {
        try refuse(.withoutValue(entity, path: path), "\(name): becomes required without a default")
      }
      if old.attribute.attributeType != new.attributeType {
        let what = "\(old.attribute.attributeType.modelName) -> \(new.attributeType.modelName)"
        lose(Self.name(old), try ask(.changedNumbers(entity, path: path)).count) {
          "\(Self.number($0, "value")) that \($0 == 1 ? "does" : "do") not fit, \(what)"
        }
      }
      if old.attribute.versionHashModifier != new.versionHashModifier,
        try ask(.values(entity.source, path: old.path)).count > 0
      {
        meaning(name, old.attribute.versionHashModifier, new.versionHashModifier)
      }
    }
  }

  private mutating func surveyRelationships(_ entity: EntityTransfer) throws {
    let (source, destination) = (entity.source, entity.destination)
    for old in source.layout.toOne + source.layout.toMany {
      let name = "\(old.entity.name ?? "").\(old.name)"
      lose(name, try ask(.lostLinks(entity, old)).count) { Self.number($0, "link") }
      let takers = transfer.takers(of: old, from: entity)
      if old.isToMany, old.isOrdered, !takers.isEmpty, takers.allSatisfy(\.losesOrder) {
        lose(name, of: .order, try ask(.lists(source, old)).count) { "the order of \(Self.number($0, "list"))" }
      }
    }
    for new in destination.layout.toOne + destination.layout.toMany {
      let name = "\(destination.name ?? "").\(new.name)"
      let old = entity.relationships[new]
      try surveyCounts(entity, name, old, new)
      if !new.isToMany, old?.isToMany ?? true {
        let lostName = old.map { "\($0.entity.name ?? "").\($0.name)" } ?? name
        lose(lostName, of: .choice, try ask(.severalLinks(entity, new)).count) {
          "\(Self.number($0, "row")) with several links, of which the one to the least key stays"
        }
      }
      if let old, old.versionHashModifier != new.versionHashModifier, try ask(.links(source, old)).count > 0 {
        meaning(name, old.versionHashModifier, new.versionHashModifier)
      }
    }
  }

  /// Asks for rows that will have too few or too many destinations of a relationship, where there may be such.
  private mutating func surveyCounts(
    _ entity: EntityTransfer, _ name: String, _ old: NSRelationshipDescription?, _ new: NSRelationshipDescription
  ) throws {
    let isLess = old.map { new.leastCount > $0.leastCount || $0.isOptional && !new.isOptional } ?? true
    if new.hasLeastCount, isLess {
      let what =
        switch (old, new.isOptional) {
        case (nil, let isOptional): isOptional ? "is added" : "is added and required"
        case (_?, let isOptional): isOptional ? "has a greater least count" : "becomes required"
        }
      let few = new.leastCount > 1 ? "fewer than \(new.leastCount)" : "none"
      try refuse(.tooFewLinks(entity, new), "\(name): \(what)", have: few)
    }
    let isMore = old.map { $0.isToMany && ($0.maxCount == 0 || $0.maxCount > new.maxCount) } ?? true
    if new.isToMany, new.hasGreatestCount, isMore {
      try refuse(
        .tooManyLinks(entity, new), "\(name): has a smaller greatest count", have: "more than \(new.maxCount)")
    }
  }

  // MARK: The whole

  private mutating func askForDuplicates(_ constraint: [String], of entity: NSEntityDescription) throws {
    let transfers = transfer.transfers(into: entity)
    // What was unique by the same values before still is.
    let isOld = transfers.allSatisfy { transfer in
      let names = constraint.compactMap { name in
        transfer.attributes.first { $0.destination.path == name }?.source?.path
          ?? transfer.relationships.first { $0.key.name == name }?.value.name
      }
      let chain = sequence(first: transfer.source, next: { $0.superentity })
      return chain.contains { $0.uniquenessConstraints.contains { Set($0) == Set(names) } }
    }
    guard !isOld else { return }
    let answer = try ask(.duplicates(entity, constraint))
    guard answer.count > 0 else { return }
    result.refusals.append(
      "\(entity.name ?? ""): unique by \(constraint.joined(separator: ", ")), but rows have equal values: "
        + answer.examples.joined(separator: "; "))
  }

  /// Two relationships that become each other's inverse must agree.
  private mutating func askForContradictions() throws {
    var done: Set<NSRelationshipDescription> = []
    for entity in transfer.entities {
      for (new, old) in entity.relationships {
        guard let inverse = new.inverseRelationship, done.insert(new).inserted,
          done.insert(inverse).inserted || new == inverse,
          let oldInverse = transfer.entities.lazy.compactMap({ $0.relationships[inverse] }).first,
          old.inverseRelationship != oldInverse
        else { continue }
        for (a, b) in [(old, oldInverse), (oldInverse, old)] {
          let name = "\(a.entity.name ?? "").\(a.name)"
          let inverseName = "\(b.entity.name ?? "").\(b.name)"
          try refuse(.contradictions(a, b), "\(name): becomes the inverse of \(inverseName), which does not lead back")
        }
      }
    }
  }

  // MARK: Words

  private func ask(_ question: RowQuestion) throws -> RowAnswer { try store.answer(question, of: transfer) }

  private mutating func refuse(_ question: RowQuestion, _ reason: String, have what: String = "none") throws {
    let answer = try ask(question)
    guard answer.count > 0 else { return }
    let more = answer.count > answer.examples.count ? ", …" : ""
    result.refusals.append(
      "\(reason), and \(Self.number(answer.count, "row")) \(answer.count == 1 ? "has" : "have") \(what) "
        + "(\(answer.examples.joined(separator: ", "))\(more))")
  }

  private mutating func lose(
    _ name: String, of kind: LossKind = .values, _ count: Int, _ what: @escaping (Int) -> String
  ) {
    guard count > 0 else { return }
    if let index = lost.firstIndex(where: { $0.name == name && $0.kind == kind }) {
      lost[index].count += count
    } else {
      lost.append((name, kind, count, what))
    }
  }

  private mutating func meaning(_ name: String, _ old: String?, _ new: String?) {
    let text =
      "\(name): the hash modifier \(old.text) -> \(new.text) says that its meaning changes, and no mapping says how "
      + "(--copy-unchanged copies it)"
    if !result.otherMeanings.contains(text) { result.otherMeanings.append(text) }
  }

  private static func number(_ count: Int, _ what: String) -> String { "\(count) \(what)\(count == 1 ? "" : "s")" }

  /// An attribute of the source, by the entity that declares it.
  private static func name(_ stored: EntityLayout.StoredAttribute) -> String {
    "\(stored.attribute.entity.name ?? "").\(stored.path)"
  }
}

extension StepSurvey {
  /// Adds what does not come along: a loss, or a reason to refuse where it may not be lost.
  fileprivate mutating func add(_ left: [LeftBehind]) {
    for left in left {
      if let name = left.name {
        losses.append(PlannedLoss(name: name, what: left.what))
      } else {
        refusals.append("\(left.what), cannot come along")
      }
    }
  }
}

extension NSRelationshipDescription {
  /// The least number of destinations of an object that has any.
  fileprivate var leastCount: Int { isToMany ? minCount : isOptional ? 0 : 1 }
}
