import Diagnostics
import XMLEvents

/// Reads the XML of a model file: first each entity with its properties, then what refers from one to another.
struct ModelReader {
  let root: ModelElement
  /// What deserves a word.
  private(set) var warnings: [Diagnostic] = []
  /// The entities and where they stand, in declared order.
  var entities: [(element: ModelElement, entity: NSEntityDescription)] = []
  /// The relationships and where they stand.
  var relationships: [(element: ModelElement, relationship: NSRelationshipDescription)] = []
  /// Where the properties stand.
  var positions: [ObjectIdentifier: SourcePosition] = [:]
  /// The properties that each entity declares, by name.
  var ownProperties: [NSEntityDescription: [String: NSPropertyDescription]] = [:]
  /// The composites by name.
  var composites: [String: ModelElement] = [:]
  /// How many more elements of composites are read: some that hold each other unfold into billions.
  var elementsLeft = 100_000

  /// How many entities one may inherit over, and how many composites may lie in each other: more than any model has.
  static let deepestInheritance = 100

  init(bytes: [UInt8], file: String) throws(Diagnostic) {
    do throws(Diagnostic) {
      root = ModelElement(root: try XMLNode.parse(bytes: bytes, file: file), file: file)
    } catch {
      throw .modelMalformed(error)
    }
    guard root.kind == "model" else { throw .modelRoot(root) }
  }

  /// Reads all of it into a model.
  mutating func read(into model: NSManagedObjectModel) throws(Diagnostic) {
    checkVocabulary()
    for element in root.children("composite") {
      let name = try element.required("name")
      guard composites.updateValue(element, forKey: name) == nil else { throw .modelDuplicate("composite", element) }
    }
    for element in root.children("entity") { entities.append((element, try entity(element))) }
    try link()
    model.entities = entities.map(\.entity)
    model.versionIdentifiers = root["userDefinedModelVersionIdentifier"].map { [$0] } ?? []
    try readConfigurations(into: model)
    try readFetchRequests(into: model)
    // Made now and not when first used, which may be on several threads at once.
    _ = model.entitiesByName
    for entity in model.entities {
      warnings += entity.layout.shadowWarnings { positions[ObjectIdentifier($0)] }
    }
    model.warnings = warnings
  }

  private mutating func checkVocabulary() {
    var found: [Diagnostic] = []
    root.forEachUnknown(
      key: { found.append(.modelUnknownKey($1, in: $0)) }, child: { found.append(.modelUnknownElement($1, in: $0)) })
    warnings += found
  }

  private func readConfigurations(into model: NSManagedObjectModel) throws(Diagnostic) {
    for element in root.children("configuration") {
      var members: [String] = []
      for member in element.children("memberEntity") {
        let name = try member.required("name")
        guard model.entitiesByName[name] != nil else { throw unknownEntity(name, "memberEntity", in: element) }
        members.append(name)
      }
      let name = try element.required("name")
      guard model.configurationEntityNames.updateValue(members, forKey: name) == nil else {
        throw .modelDuplicate("configuration", element)
      }
    }
  }

  private func readFetchRequests(into model: NSManagedObjectModel) throws(Diagnostic) {
    for element in root.children("fetchRequest") {
      let entity = try element.required("entity")
      guard model.entitiesByName[entity] != nil else { throw unknownEntity(entity, "entity", in: element) }
      let template = FetchRequestTemplate(
        entityName: entity, predicateString: element.text("predicateString"),
        attributes: Dictionary(
          element.node.attributes.map { ($0.name.local, $0.value) }, uniquingKeysWith: { first, _ in first }))
      let name = try element.required("name")
      guard model.fetchRequestTemplates.updateValue(template, forKey: name) == nil else {
        throw .modelDuplicate("fetch request", element)
      }
    }
  }

  /// The error of a key that names an entity which is not there.
  func unknownEntity(_ name: String, _ key: String, in element: ModelElement) -> Diagnostic {
    .modelUnknownEntity(name, key, known: entities.compactMap(\.entity.name), in: element)
  }
}
