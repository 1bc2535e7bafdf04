import ObjectGraph
import ObjectModel
import Values

/// Asks the rows of a store what a step will lose of them, and what keeps them from it.
struct RowSurvey {
  private let transfer: StoreTransfer
  /// What is written down of the step; nil where all of it is inferred.
  private let written: NSMappingModel?
  private let store: any StoreMigrator
  private(set) var result = StepSurvey()
  /// The losses so far, by name and kind: rows of subentities count for the entity that declares the property.
  private var lost: [(name: String, kind: LossKind, count: Int, what: (Int) -> String)] = []

  private enum LossKind { case values, choice, order }

  /// Asks everything of a step that is inferred.
  static func of(_ transfer: StoreTransfer, in store: any StoreMigrator) throws -> StepSurvey {
    var survey = RowSurvey(transfer: transfer, written: nil, store: store)
    try survey.run()
    return survey.result
  }

  /// Asks what is lost where mapping models say what happens: of what they copy, and of what nothing in them reads. Whether what they
  /// make fits the new version is seen when it is made.
  static func of(
    _ model: NSMappingModel, _ source: NSManagedObjectModel, _ destination: NSManagedObjectModel,
    in store: any StoreMigrator
  ) throws -> StepSurvey {
    var survey = RowSurvey(transfer: model.transfer(source, destination), written: model, store: store)
    try survey.run()
    let left = try NSMigrationManager(sourceModel: source, destinationModel: destination)
      .rowsLeftOut(by: model, of: survey.result.sourceRows, in: store)
    survey.result.losses += left.map { name, count in
      PlannedLoss(name: name, what: "\(number(count, "row")) that the mapping leaves out", isMeant: true)
    }
    return survey.result
  }

  private init(transfer: StoreTransfer, written: NSMappingModel?, store: any StoreMigrator) {
    (self.transfer, self.written, self.store) = (transfer, written, store)
  }

  private mutating func run() throws {
    for entity in transfer.source.entities where !entity.isAbstract {
      let count = try ask(.rows(entity)).count
      result.sourceRows[entity.name ?? ""] = count
      guard count > 0 else { continue }
      let transfers = transfer.entities.filter { $0.source === entity }
      if transfers.isEmpty {
        try loseRows(of: entity, count)
      } else if !(written?.hasPolicy(for: entity) ?? false) {
        // What a policy reads nobody can tell.
        try surveyLosses(of: entity, transfers)
        for transfer in transfers { try survey(transfer, rows: count) }
      }
    }
    if written == nil {
      for entity in transfer.destination.entities {
        for constraint in entity.uniquenessConstraints { try askForDuplicates(constraint, of: entity) }
      }
      try askForContradictions()
    }
    for loss in lost {
      let what = loss.what(loss.count)
      if let index = result.losses.firstIndex(where: { $0.name == loss.name }) {
        result.losses[index].what += ", \(what)"
      } else {
        let isMeant = written?.dropped.contains(loss.name) ?? false
        result.losses.append(PlannedLoss(name: loss.name, what: what, isMeant: isMeant))
      }
    }
    // Where objects are made anew no row is carried over.
    let carried = StoreTransfer(
      source: transfer.source, destination: transfer.destination, entities: written == nil ? transfer.entities : [])
    result.add(try store.leftBehind(by: carried))
  }

  // MARK: An entity

  private mutating func survey(_ entity: EntityTransfer, rows: Int) throws {
    let name = entity.destination.name ?? ""
    guard !entity.destination.isAbstract else {
      result.refusals.append("\(name): becomes abstract, and \(Self.number(rows, "row")) of it have no place")
      return
    }
    result.rows[name, default: 0] += rows
    if entity.source.versionHashModifier != entity.destination.versionHashModifier, !isSaid(of: entity) {
      meaning(name, entity.source.versionHashModifier, entity.destination.versionHashModifier)
    }
    try surveyAttributes(entity)
    try surveyRelationships(entity)
  }

  private mutating func loseRows(of entity: NSEntityDescription, _ count: Int) throws {
    let mappings = written?.entityMappings.filter { $0.sourceEntityName == entity.name } ?? []
    // One that makes nothing of them says so, or has a policy that does.
    guard mappings.isEmpty else { return }
    let more = written == nil ? "" : " that no mapping takes"
    lose(entity.name ?? "", count) { rows in Self.number(rows, "row") + more }
  }

  /// The values and links of an entity that nothing of the destination takes.
  private mutating func surveyLosses(of entity: NSEntityDescription, _ transfers: [EntityTransfer]) throws {
    let read = written?.namesRead(of: entity) ?? []
    let more = written == nil ? "" : " that no mapping reads"
    let taken = Set(transfers.flatMap(\.attributes).compactMap { $0.source?.path })
    for old in entity.layout.attributes
    where !taken.contains(old.path) && !(old.attribute is NSDerivedAttributeDescription)
      && !read.contains(String(old.path.prefix { $0 != "." }))
    {
      let new = written == nil ? transfers[0].attributes.filter { $0.source == nil }.map(\.destination) : []
      let hint = new.map { "\($0.path) (\($0.attribute.attributeType.modelName))" }.joined(separator: ", ")
      let type = written == nil ? " of \(old.attribute.attributeType.modelName)" : more
      lose(Self.name(old), try ask(.values(entity, path: old.path)).count) {
        Self.number($0, "value") + type + (hint.isEmpty ? "" : "; added is \(hint)")
      }
    }
    let copied = Set(transfers.flatMap(\.relationships.values))
    for old in entity.layout.toOne + entity.layout.toMany where copied.contains(old) || !read.contains(old.name) {
      let name = "\(old.entity.name ?? "").\(old.name)"
      // What one of several mappings takes is not lost.
      let count = try transfers.map { try ask(.lostLinks($0, old)).count }.min() ?? 0
      lose(name, count) { Self.number($0, "link") + more }
      let takers = transfers.flatMap { transfer.takers(of: old, from: $0) }
      if old.isToMany, old.isOrdered, !takers.isEmpty, takers.allSatisfy(\.losesOrder) {
        lose(name, of: .order, try ask(.lists(entity, old)).count) { "the order of \(Self.number($0, "list"))" }
      }
    }
  }

  private mutating func surveyAttributes(_ entity: EntityTransfer) throws {
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
        !isSaid(new, of: entity),
        try ask(.values(entity.source, path: old.path)).count > 0
      {
        meaning(name, old.attribute.versionHashModifier, new.versionHashModifier)
      }
    }
  }

  private mutating func surveyRelationships(_ entity: EntityTransfer) throws {
    let (source, destination) = (entity.source, entity.destination)
    for new in destination.layout.toOne + destination.layout.toMany {
      let name = "\(destination.name ?? "").\(new.name)"
      let old = entity.relationships[new]
      try surveyCounts(entity, name, old, new)
      if !new.isToMany, old?.isToMany ?? !isSaid(new, of: entity) {
        let lostName = old.map { "\($0.entity.name ?? "").\($0.name)" } ?? name
        lose(lostName, of: .choice, try ask(.severalLinks(entity, new)).count) {
          "\(Self.number($0, "row")) with several links, of which the one to the least key stays"
        }
      }
      if let old, old.versionHashModifier != new.versionHashModifier, !isSaid(new, of: entity),
        try ask(.links(source, old)).count > 0
      {
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

  /// Whether it is written down how an entity becomes another.
  private func isSaid(of entity: EntityTransfer) -> Bool { written?.speaks(of: entity) ?? false }

  /// Whether it is written down where a property of the destination has its value from.
  private func isSaid(_ property: NSPropertyDescription, of entity: EntityTransfer) -> Bool {
    written?.speaks(of: property, in: entity) ?? false
  }

  private func ask(_ question: RowQuestion) throws -> RowAnswer { try store.answer(question, of: transfer) }

  private mutating func refuse(_ question: RowQuestion, _ reason: String, have what: String = "none") throws {
    // What is made by what is written down is validated when it is made.
    guard written == nil else { return }
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
