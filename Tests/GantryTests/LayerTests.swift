import Foundation
import TestSupport
import Testing

/// The layers as the source files' import lines show them.
///
/// The compiler stops a target that imports what it does not list, but not one that reaches a module over another.
struct LayerTests {
  /// The targets, lowest first, and what their files may import; Diagnostics always.
  static let layers: [Case<String, Set<String>>] = [
    layer("Diagnostics", []),
    layer("Bytes", ["CZlib", "Glibc", "Darwin"]),
    layer("SQLiteDriver", ["CSQLite", "Bytes"]),
    layer("XMLEvents", ["CLibXML2"]),
    layer("KeyedArchives", ["Foundation", "XMLEvents"]),
    layer("Values", ["Bytes", "Foundation", "KeyedArchives"]),
    layer("Predicates", ["Foundation", "Values"]),
    layer("Records", ["Foundation", "XMLEvents", "Bytes"]),
    layer("ObjectModel", ["Foundation", "XMLEvents", "Bytes", "KeyedArchives", "Predicates", "Values"]),
    layer("Conversion", ["Foundation", "Records", "ObjectModel", "Bytes", "Values"]),
    layer("ObjectGraph", ["Foundation", "Dispatch", "ObjectModel", "Predicates", "Values"]),
    layer(
      "SQLiteStore",
      [
        "Foundation", "ObjectGraph", "ObjectModel", "Predicates", "Values", "KeyedArchives", "SQLiteDriver", "Bytes",
      ]),
    layer(
      "Migration",
      [
        "Foundation", "Conversion", "ObjectGraph", "ObjectModel", "Predicates", "Values", "KeyedArchives", "XMLEvents",
        "Bytes",
      ]),
    layer("Stack", ["Foundation", "SQLiteStore", "Migration", "ObjectGraph", "ObjectModel", "Bytes"]),
    layer("Batch", ["Foundation", "Records", "Conversion", "ObjectGraph", "ObjectModel", "Values", "Bytes"]),
    layer("CoreData", ["Migration", "ObjectModel", "ObjectGraph", "Predicates", "Stack", "Values"]),
    layer(
      "Gantry",
      [
        "Foundation", "Batch", "SQLiteStore", "Migration", "ObjectGraph", "Conversion", "Records", "ObjectModel",
        "Predicates", "Values", "Bytes",
      ]),
    layer("GantryTool", ["Foundation", "Gantry"]),
  ]

  /// What only one target may import.
  static let wrappers = ["CSQLite": "SQLiteDriver", "CLibXML2": "XMLEvents", "CZlib": "Bytes", "Glibc": "Bytes"]

  private static func layer(_ target: String, _ imports: Set<String>) -> Case<String, Set<String>> {
    Case(target, target, imports.union(["Diagnostics"]))
  }

  @Test(arguments: layers)
  func importsOnlyWhatItMay(_ layer: Case<String, Set<String>>) throws {
    for (file, imports) in try Self.imports(of: layer.input) {
      #expect(imports.isSubset(of: layer.expected), "\(file)")
    }
  }

  @Test func everyTargetHasALayer() throws {
    let sources = try FileManager.default.contentsOfDirectory(atPath: Self.sources.path)
    let wrapped = Set(Self.wrappers.keys)
    #expect(Set(sources).subtracting(wrapped) == Set(Self.layers.map(\.input)))
  }

  @Test func eachLibraryHasOneWrapper() {
    for (library, wrapper) in Self.wrappers {
      #expect(Self.layers.filter { $0.expected.contains(library) }.map(\.input) == [wrapper], "\(library)")
    }
  }

  @Test func noLayerImportsOneAbove() {
    let order = Self.layers.map(\.input)
    for (index, layer) in Self.layers.enumerated() {
      let above = Set(order[(index + 1)...])
      #expect(layer.expected.isDisjoint(with: above), "\(layer.name)")
    }
  }

  @Test(arguments: ["Diagnostics", "Bytes", "SQLiteDriver", "XMLEvents"])
  func lowLayersDoWithoutFoundation(_ target: String) throws {
    for (file, imports) in try Self.imports(of: target) { #expect(!imports.contains("Foundation"), "\(file)") }
  }

  @Test(arguments: [
    Case("plain", "import A\n", ["A"]),
    Case("access", "public import A\npackage import B\nprivate import C", ["A", "B", "C"]),
    Case("attributes", "@_exported public import A\n@testable import B", ["A", "B"]),
    Case("within a condition", "#if os(Linux)\n  import A\n#endif", ["A"]),
    Case("one declaration", "import struct A.B\nimport A.C", ["A"]),
    Case("no import", "// import A\nlet important = 1\nimports B", []),
  ])
  func readsImportLines(_ c: Case<String, [String]>) {
    #expect(Self.imports(in: c.input) == Set(c.expected))
  }

  // MARK: Import lines

  private static let sources = ToolRun.project.appendingPathComponent("Sources")

  private static func imports(of target: String) throws -> [(file: String, imports: Set<String>)] {
    let folder = sources.appendingPathComponent(target)
    let files = try #require(FileManager.default.enumerator(atPath: folder.path))
      .compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }
    try #require(!files.isEmpty)
    return try files.map { file in
      (file, imports(in: try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)))
    }
  }

  private static func imports(in text: String) -> Set<String> {
    let kinds: Set = ["struct", "class", "enum", "protocol", "func", "var", "let", "typealias", "actor"]
    let access: Set = ["public", "package", "internal", "fileprivate", "private"]
    var found: Set<String> = []
    for line in text.split(whereSeparator: \.isNewline) {
      var words = line.split(separator: " ")[...]
      while let first = words.first, first.hasPrefix("@") || access.contains(String(first)) { words.removeFirst() }
      guard words.popFirst() == "import" else { continue }
      if let kind = words.first, kinds.contains(String(kind)) { words.removeFirst() }
      if let module = words.first?.split(separator: ".").first { found.insert(String(module)) }
    }
    return found
  }
}
