import Bytes
package import Diagnostics
package import Foundation
import KeyedArchives
import Predicates
import Values
import XMLEvents

/// A mapping model as Xcode keeps it, `NAME.xcmappingmodel/xcmapping.xml`: which versions it is for, and its mappings.
///
/// Only what the one mapping model in the file refers to counts: files in use have entity mappings that nothing refers to.
package struct MappingModelFile: VersionMapping {
  /// The file as messages name it.
  package let name: String
  /// The names of the two versions, without folders and `.xcdatamodel`.
  package let source: String
  package let destination: String
  package private(set) var isNamed = true
  /// The mappings in the order in which they run; expressions that follow from names are not filled in.
  let mappings: [Mapping]

  struct Mapping {
    var name: String?
    var source: String?
    var destination: String?
    var policy: String?
    var predicate: String?
    var userInfo: [AnyHashable: Any]?
    var attributes: [Property] = []
    var relationships: [Property] = []
  }

  struct Property {
    var name: String
    var expression: ExpressionTree?
    var isGenerated = false
  }

  /// Reads an `.xcmappingmodel` folder, or the file in it.
  package init(contentsOf url: URL) throws(Diagnostic) {
    let file = url.lastPathComponent == "xcmapping.xml" ? url : url.appendingPathComponent("xcmapping.xml")
    name = url.relativePath
    guard let data = try? Data(contentsOf: file) else { throw .mappingMissing(name) }
    let objects = Objects(try XMLNode.parse(bytes: Array(data), file: name))
    guard let model = objects.all.values.first(where: { $0.type == "XDDEVMAPPINGMODEL" }) else {
      throw .mappingMalformed(name, "it has no mapping model")
    }
    source = Self.version(model["sourcemodelpath"])
    destination = Self.version(model["destinationmodelpath"])
    var mappings: [(number: Int, mapping: Mapping)] = []
    for object in objects.of("entitymappings", model) {
      mappings.append((Int(object["mappingnumber"] ?? "") ?? 0, try Self.mapping(object, objects, name)))
    }
    self.mappings = mappings.sorted { $0.number < $1.number }.map(\.mapping)
  }

  /// The mapping models in the folder of a model; two for the same versions must be named by who wants both.
  package static func all(beside model: URL) throws(Diagnostic) -> [MappingModelFile] {
    var files: [MappingModelFile] = []
    for url in urls(in: model.deletingLastPathComponent()) {
      var file = try MappingModelFile(contentsOf: url)
      file.isNamed = false
      if let other = files.first(where: { $0.source == file.source && $0.destination == file.destination }) {
        throw .severalMappings(other, file)
      }
      files.append(file)
    }
    return files
  }

  /// The mapping models in a folder, in the order of their names.
  static func urls(in folder: URL) -> [URL] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
      .filter { $0.hasSuffix(".xcmappingmodel") }.map { folder.appendingPathComponent($0) }
  }

  /// The version that a path in a project ends in.
  private static func version(_ path: String?) -> String {
    let last = (path ?? "").split(separator: "/").last.map(String.init) ?? ""
    return last.hasSuffix(".xcdatamodel") ? String(last.dropLast(".xcdatamodel".count)) : last
  }

  // MARK: Mappings

  private static let known = [
    "autogenerateexpression", "destinationname", "mappingnumber", "mappingtypename", "migrationpolicyclassname", "name",
    "sourcename", "userinfodata", "valueexpressiondata", "sourcekeypath", "sourcemappingname", "predicate",
  ]

  private static func mapping(_ object: Object, _ objects: Objects, _ file: String) throws(Diagnostic) -> Mapping {
    try check(object, file)
    var mapping = Mapping(
      name: object["name"], source: object["sourcename"], destination: object["destinationname"],
      policy: object["migrationpolicyclassname"], predicate: object["predicate"], userInfo: try object.userInfo(file))
    for attribute in objects.of("attributemappings", object) {
      mapping.attributes.append(try property(attribute, file))
    }
    for relationship in objects.of("relationshipmappings", object) {
      mapping.relationships.append(try property(relationship, file))
    }
    return mapping
  }

  private static func property(_ object: Object, _ file: String) throws(Diagnostic) -> Property {
    try check(object, file)
    guard let name = object["name"] else { throw .mappingMalformed(file, "it has a property mapping without a name") }
    var property = Property(name: name, isGenerated: object["autogenerateexpression"] == "1")
    if let text = object["valueexpressiondata"] {
      // It counts even where the file says that it is generated: it is what Xcode compiled.
      property.expression = try ArchivedExpression.decode(try object.data(text, file))
    } else if let mapping = object["sourcemappingname"] {
      // The key path is a whole expression: `$source.country`, or `$source` alone.
      let path = object["sourcekeypath"] ?? "$source.\(name)"
      property.expression = .call(
        .variable("manager"), selector: MigrationFunction.instancesOfMapping.rawValue,
        [.constant(.scalar(.string(mapping))), try ExpressionTree(format: path)])
    }
    return property
  }

  private static func check(_ object: Object, _ file: String) throws(Diagnostic) {
    for key in object.attributes.keys.sorted() where !known.contains(key) {
      throw .mappingMalformed(file, "its key \(key) is not known")
    }
  }
}

// MARK: - Objects of the file

/// The objects of the file by their identifiers.
private struct Objects {
  let all: [String: Object]

  init(_ root: XMLNode) {
    all = Dictionary(
      root.children("object").map { ($0["id"] ?? "", Object($0)) }, uniquingKeysWith: { first, _ in first })
  }

  /// The objects that a relationship of one leads to.
  func of(_ relationship: String, _ object: Object) -> [Object] {
    (object.references[relationship] ?? []).compactMap { all[$0] }
  }
}

private struct Object {
  let type: String
  private(set) var attributes: [String: String] = [:]
  private(set) var references: [String: [String]] = [:]

  init(_ node: XMLNode) {
    type = node["type"] ?? ""
    for attribute in node.children("attribute") { attributes[attribute["name"] ?? ""] = attribute.text }
    for relationship in node.children("relationship") {
      references[relationship["name"] ?? ""] = (relationship["idrefs"] ?? "").split(separator: " ").map(String.init)
    }
  }

  /// The text of a key; none for an empty one.
  subscript(key: String) -> String? {
    let text = attributes[key]?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
    return text.isEmpty ? nil : text
  }

  func data(_ text: String, _ file: String) throws(Diagnostic) -> Data {
    guard let bytes = Base64.decode(text, skippingWhitespace: true) else {
      throw .mappingMalformed(file, "its bytes are no base64")
    }
    return Data(bytes)
  }
}

extension Object {
  /// What the mapping's maker adds: an archived dictionary of texts.
  fileprivate func userInfo(_ file: String) throws(Diagnostic) -> [AnyHashable: Any]? {
    guard let text = self["userinfodata"] else { return nil }
    guard let entries = try KeyedArchive(data(text, file)).rootNode?.entries else {
      throw .mappingMalformed(file, "its user info is no dictionary")
    }
    return Dictionary(
      entries.map { (AnyHashable($0.key), $0.value.text ?? $0.value.number as Any) },
      uniquingKeysWith: { first, _ in first })
  }
}

extension Diagnostic.Code {
  /// A mapping model cannot be read or does not fit.
  package static let mappingModel = Diagnostic.Code("migration.mapping-model", .store)
}

extension Diagnostic {
  fileprivate static func mappingMissing(_ name: String) -> Diagnostic {
    Diagnostic(
      .mappingModel, "there is no mapping model at \(name)",
      hint: "Name an .xcmappingmodel, which is a folder with a file xcmapping.xml.")
  }

  fileprivate static func severalMappings(_ a: MappingModelFile, _ b: MappingModelFile) -> Diagnostic {
    Diagnostic(
      .mappingModel, "\(a.name) and \(b.name) are both from \(a.source) to \(a.destination)",
      hint: "Name those that are wanted, in their order: --mapping FILE. Several for one pair run one after the other.")
  }

  static func mappingMalformed(
    _ name: String, _ trouble: String,
    hint: String = "Mend it in Xcode, or leave it out: what can be inferred needs none."
  ) -> Diagnostic {
    Diagnostic(.mappingModel, "the mapping model \(name) cannot be used: \(trouble)", hint: hint)
  }
}
