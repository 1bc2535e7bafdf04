import Diagnostics
import Foundation
import KeyedArchives

/// Reads a compiled model, a keyed archive: an app's `.mom` file, or the cache that a store keeps of its model.
///
/// First each entity with its properties, then what refers from one to another, by name. The archive may be damaged or made
/// with malice: each step is counted.
struct ArchivedModelReader {
  /// The file as the user would name it.
  let file: String
  let root: ArchivedNode
  /// What deserves a word.
  var warnings: [Diagnostic] = []
  /// The entities by name, each with the names of its parent and the properties that it declares or repeats.
  var entities: [ReadEntity] = []
  /// How many more objects are read before the archive counts as one that unfolds without end.
  private var stepsLeft = 1 << 20

  struct ReadEntity {
    let entity: NSEntityDescription
    let parent: String?
    var properties: [ReadProperty]
  }

  struct ReadProperty {
    let node: ArchivedNode
    let property: NSPropertyDescription
    /// What deserves a word about it, unless the entity only repeats it.
    let warnings: [Diagnostic]
  }

  init(archive: Data, file: String) throws(Diagnostic) {
    self.file = file
    let root: ArchivedNode?
    do throws(Diagnostic) {
      root = try KeyedArchive(archive).rootNode
    } catch {
      throw .modelArchive(error, file)
    }
    guard let root, root.classes.contains("NSManagedObjectModel") else {
      throw .modelArchiveClass(root?.className, file)
    }
    self.root = root
  }

  /// Reads all of it into a model.
  mutating func read(into model: NSManagedObjectModel) throws(Diagnostic) {
    guard let nodes = root["NSEntities"]?.entries else { throw .modelArchiveLacks("NSEntities", "the model", file) }
    for (_, node) in nodes { entities.append(try entity(node)) }
    // The archive has them in the order of a hash.
    entities.sort { ($0.entity.name ?? "") < ($1.entity.name ?? "") }
    try link()
    model.entities = entities.map(\.entity)
    model.versionIdentifiers = (root["NSVersionIdentifiers"]?.items ?? []).compactMap(\.text).sorted()
    for (name, members) in root["NSConfigurations"]?.entries ?? [] {
      model.configurationEntityNames[name] = (members.items ?? []).compactMap(Self.entityName).sorted()
    }
    for (name, request) in root["NSFetchRequestTemplates"]?.entries ?? [] {
      model.fetchRequestTemplates[name] = try fetchRequest(request, named: name)
    }
    // Made now and not when first used, which may be on several threads at once.
    _ = model.entitiesByName
    for entity in model.entities {
      warnings += entity.layout.shadowWarnings { _ in SourcePosition(file: file) }
    }
    model.warnings = warnings
  }

  /// Counts a step.
  mutating func step() throws(Diagnostic) {
    stepsLeft -= 1
    guard stepsLeft > 0 else { throw .modelArchiveEndless(file) }
  }

  // MARK: What several objects have

  /// The name of an entity, given by itself or by its name.
  static func entityName(_ node: ArchivedNode) -> String? { node["NSEntityName"]?.text ?? node.text }

  /// The modeller's own keys and values, as far as they are texts.
  func userInfo(_ node: ArchivedNode) -> [String: String] {
    let entries = (node["NSUserInfo"]?.entries ?? []).compactMap { key, value in value.text.map { (key, $0) } }
    return Dictionary(entries, uniquingKeysWith: { first, _ in first })
  }

  /// The text of a key; an empty one is none.
  func text(_ node: ArchivedNode, _ key: String) -> String? {
    node[key]?.text.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The renaming identifier, which an archive always has, if it says more than the name.
  func renamingIdentifier(_ node: ArchivedNode, of name: String) -> String? {
    text(node, "NSRenamingIdentifier").flatMap { $0 == name ? nil : $0 }
  }

  private mutating func fetchRequest(_ node: ArchivedNode, named name: String) throws(Diagnostic)
    -> FetchRequestTemplate
  {
    try step()
    let entity = node["NSEntity"].flatMap(Self.entityName) ?? text(node, "NSEntityName") ?? ""
    guard entities.contains(where: { $0.entity.name == entity }) else {
      throw .modelArchiveReference("the fetch request \(name)", "entity", entity, file)
    }
    var attributes = ["name": name, "entity": entity]
    let predicate = predicate(node["NSPredicate"], of: "the fetch request \(name)")
    attributes["predicateString"] = predicate
    for (key, spelling) in [
      ("NSFetchLimit", "fetchLimit"), ("NSBatchSize", "fetchBatchSize"), ("NSResultType", "resultType"),
    ] {
      if let number = node[key]?.integer, number != 0 { attributes[spelling] = "\(number)" }
    }
    return FetchRequestTemplate(entityName: entity, predicateString: predicate, attributes: attributes)
  }

  /// The text of a predicate; nil for none, and, with a warning, for one that cannot be spelled.
  mutating func predicate(_ node: ArchivedNode?, of owner: String) -> String? {
    guard let node else { return nil }
    let text = ArchivedFormat.predicate(node)
    if text == nil { warnings.append(.modelArchivePredicate(owner, file)) }
    return text
  }
}
