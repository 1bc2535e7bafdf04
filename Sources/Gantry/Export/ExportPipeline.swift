import ObjectModel
import Records

/// The pipeline file beside the exported ones, by which `gantry import` makes the same store of them.
struct ExportPipeline {
  let model: String
  let version: String?
  let store: String
  let format: ExportFormat
  let plan: ExportPlan

  /// The text of the file.
  var text: String {
    // A pipeline has a step: of a store without objects those that would make them.
    let filled = plan.entities.filter { $0.rowCount > 0 }
    let order = StepOrder(filled.isEmpty ? plan.entities : filled)
    var members: [JSONNode.Member] = [.init("model", .string(model))]
    if let version { members.append(.init("version", .string(version))) }
    members.append(.init("store", .string(store)))
    let steps =
      order.steps.map(step) + order.deferred.map { link($0.entity, $0.place) }
      + plan.links.filter { $0.linkCount > 0 }.flatMap(links)
    members.append(.init("steps", .array(steps)))
    return "// Written by `gantry export`: `gantry import` makes a store of these files.\n"
      + JSONNode(.object(members)).json5() + "\n"
  }

  /// The step that makes the objects of an entity.
  private func step(_ step: StepOrder.Step) -> JSONNode {
    let entity = step.entity
    var members = [read(entity.name, idColumn: entity.idColumn, record: entity.name)]
    members.append(.init("entity", .string(entity.name)))
    members.append(.init("id", .string(entity.idColumn)))
    if entity.isLinkedLater(filled: step.filled) { members.append(.init("linkedLater", .boolean(true))) }
    let map = entity.attributes.filter { !$0.isDerived }.compactMap(\.entry)
    if !map.isEmpty { members.append(.init("map", .object(map))) }
    let unread =
      entity.attributes.filter(\.isDerived).map(\.name)
      + entity.toOne.indices.filter { !step.filled.contains($0) }.map { entity.toOne[$0].name }
    // What is not asked for is not read of XML.
    if !unread.isEmpty, format == .csv { members.append(.init("ignore", .array(unread.map { JSONNode(.string($0)) }))) }
    let relationships = step.filled.map { place in
      JSONNode.Member(
        entity.toOne[place].name, end(entity.toOne[place].name, of: entity.toOne[place].destinationEntity))
    }
    if !relationships.isEmpty { members.append(.init("relationships", .object(relationships))) }
    return JSONNode(.object(members))
  }

  /// The step that fills a to-one relationship when all objects are there.
  private func link(_ entity: ExportedEntity, _ place: Int) -> JSONNode {
    let relationship = entity.toOne[place]
    return JSONNode(
      .object([
        .init("name", .string("\(entity.name).\(relationship.name)")),
        read(entity.name, idColumn: entity.idColumn, record: entity.name),
        .init(
          "link",
          .object([
            .init("entity", .string(entity.name)), .init("relationship", .string(relationship.name)),
            .init("from", end(entity.idColumn, of: entity.entity)),
            .init("to", end(relationship.name, of: relationship.destinationEntity)),
          ])),
      ]))
  }

  /// The steps that make the links of a file: one, or two if both ends have an order.
  private func links(_ links: ExportedLinks) -> [JSONNode] {
    let relationship = links.relationship
    var ends: [(NSRelationshipDescription, from: String, to: String, order: String?)] = [
      (relationship, links.sourceColumn, relationship.name, links.isOrdered ? links.orderColumn : nil)
    ]
    if links.isInverseOrdered, let inverse = relationship.inverseRelationship {
      ends.append((inverse, relationship.name, links.sourceColumn, links.inverseOrderColumn))
    }
    return ends.map { relationship, from, to, order in
      var link: [JSONNode.Member] = [
        .init("entity", .string(relationship.entity.name ?? "")), .init("relationship", .string(relationship.name)),
        .init("from", end(from, of: relationship.entity)), .init("to", end(to, of: relationship.destinationEntity)),
      ]
      if let order { link.append(.init("order", .string(order))) }
      return JSONNode(
        .object([
          read(links.name, idColumn: links.sourceColumn, record: ExportFormat.linkElement),
          .init("link", .object(link)),
        ]))
    }
  }

  /// A column of names, which an entity knows by a word that is none of its properties'.
  private func end(_ column: String, of entity: NSEntityDescription) -> JSONNode.Content {
    .object([.init("column", .string(column)), .init("by", .string(entity.idColumn))])
  }

  private func read(_ name: String, idColumn: String, record: String) -> JSONNode.Member {
    let file = JSONNode.Member(format.rawValue, .string(format.file(name)))
    guard format == .xml else { return .init("read", .object([file])) }
    return .init(
      "read",
      .object([
        file, .init("record", .string("\(ExportFormat.rootElement)/\(record)")),
        .init("fields", .object([.init(idColumn, .string("@\(idColumn)"))])), .init("trim", .boolean(false)),
      ]))
  }
}
