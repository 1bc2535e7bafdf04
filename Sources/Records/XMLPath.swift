internal import Diagnostics
internal import XMLEvents

/// The name of an element or an attribute, as a path spells it.
struct XMLNamePattern: Hashable {
  /// The namespace that the prefix means; nil without a prefix.
  var namespace: String?
  /// The local name; nil for any, which is spelled `*`.
  var local: String?

  /// Whether an element has the name.
  ///
  /// Without a prefix an element of no namespace is meant, or one of the root element's: its own or its default.
  func matchesElement(_ name: XMLName, rootNamespaces: Set<String>) -> Bool {
    guard let local else { return true }
    guard name.local == local else { return false }
    if let namespace { return name.namespace == namespace }
    return name.namespace.map(rootNamespaces.contains) ?? true
  }

  /// Whether an attribute has the name; without a prefix one of no namespace is meant.
  func matchesAttribute(_ name: XMLName) -> Bool { name.local == local && name.namespace == namespace }
}

/// The path of the elements that are records.
struct XMLRecordPath: Hashable {
  /// Whether it begins at the root, or anywhere (`//item`).
  var isAbsolute: Bool
  var steps: [XMLNamePattern]

  /// Reads `catalog/item`, `/catalog/item` or `//item`.
  init(_ text: String, namespaces: [String: String]) throws(Diagnostic) {
    isAbsolute = !text.hasPrefix("//")
    let path = text.drop { $0 == "/" }
    guard text.hasPrefix("///") == false, !path.isEmpty else { throw .xmlPath(text, "expected names of elements") }
    steps = []
    for step in path.split(separator: "/", omittingEmptySubsequences: false) {
      steps.append(try XMLNamePattern(step, in: text, namespaces: namespaces))
    }
  }
}

/// The path of a column, as seen from the record.
enum XMLFieldPath: Hashable {
  /// All text in elements, that of elements inside them included, in document order: `name`, `address/city`, `.`.
  case content([XMLNamePattern])
  /// The text directly in elements: `text()`, `name/text()`.
  case ownText([XMLNamePattern])
  /// An attribute of elements: `@id`, `a/@b`.
  case attribute([XMLNamePattern], XMLNamePattern)
  /// An attribute of an element around the record: `../@x`, one level up for each `..`.
  case parentAttribute(levels: Int, XMLNamePattern)
  /// An attribute of an element around the record, by its path from the root: `/root/@x`.
  case rootAttribute([XMLNamePattern], XMLNamePattern)

  init(_ text: String, namespaces: [String: String]) throws(Diagnostic) {
    var parts = text.split(separator: "/", omittingEmptySubsequences: false)
    let isAbsolute = parts.first == ""
    if isAbsolute { parts.removeFirst() }
    var levels = 0
    while parts.first == ".." {
      parts.removeFirst()
      levels += 1
    }
    var attribute: XMLNamePattern?
    var isOwnText = false
    if let last = parts.last, last.hasPrefix("@") {
      attribute = try XMLNamePattern(last.dropFirst(), in: text, namespaces: namespaces)
      parts.removeLast()
    } else if parts.last == "text()" {
      isOwnText = true
      parts.removeLast()
    } else if parts == ["."] {
      parts = []
    } else if parts.isEmpty {
      throw .xmlPath(text, "expected a name")
    }
    var steps: [XMLNamePattern] = []
    for part in parts { steps.append(try XMLNamePattern(part, in: text, namespaces: namespaces)) }
    if steps.contains(where: { $0.local == nil }) || attribute.map({ $0.local == nil }) == true {
      throw .xmlPath(text, "`*` stands in `record` only")
    }
    switch (isAbsolute, levels, attribute) {
    case (false, 0, let attribute?): self = .attribute(steps, attribute)
    case (false, 0, nil): self = isOwnText ? .ownText(steps) : .content(steps)
    case (true, 0, let attribute?) where !steps.isEmpty: self = .rootAttribute(steps, attribute)
    case (false, 1..., let attribute?) where steps.isEmpty: self = .parentAttribute(levels: levels, attribute)
    default: throw .xmlPath(text, "outside the record only attributes of the elements around it can be read")
    }
  }
}

extension XMLNamePattern {
  fileprivate init(_ step: Substring, in path: String, namespaces: [String: String]) throws(Diagnostic) {
    if step == "*" { return }
    let parts = step.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard let name = parts.last, parts.allSatisfy({ XMLNameSyntax.isName($0) }) else {
      throw .xmlPath(path, "\"\(step)\" is not a name")
    }
    local = String(name)
    guard parts.count == 2 else { return }
    let prefix = String(parts[0])
    let known = namespaces[prefix] ?? (prefix == "xml" ? "http://www.w3.org/XML/1998/namespace" : nil)
    guard let known else { throw .xmlPath(path, "the prefix \"\(prefix)\" is not in `namespaces`") }
    namespace = known
  }
}

/// Which elements are records, and where their columns are.
struct XMLMapping {
  let record: XMLRecordPath
  let recordText: String
  let columns: [String]
  let paths: [XMLFieldPath]
  /// The texts of the paths that are defined, by column: one that is never found deserves a word.
  let definedPaths: [String: String]
  let trim: Bool

  /// - Parameters:
  ///   - paths: The paths of columns by name.
  ///   - wanted: Columns that are paths themselves, if they are not defined.
  init(
    record: String, paths definitions: [String: String], wanted: [String], namespaces: [String: String], trim: Bool
  ) throws(Diagnostic) {
    guard !record.isEmpty else {
      throw .readerOption(
        "`record` is missing: expected the path of the elements that are records",
        hint: "For example catalog/item, or //item for elements anywhere.")
    }
    self.record = try XMLRecordPath(record, namespaces: namespaces)
    recordText = record
    self.trim = trim
    definedPaths = definitions
    var columns = definitions.keys.sorted()
    for name in wanted where !columns.contains(name) { columns.append(name) }
    guard !columns.isEmpty else {
      throw .readerOption(
        "XML has no header: expected `fields` to say where the columns are",
        hint: "For example fields: { name: \"name\", id: \"@id\" }.")
    }
    self.columns = columns
    var paths: [XMLFieldPath] = []
    for column in columns { paths.append(try XMLFieldPath(definitions[column] ?? column, namespaces: namespaces)) }
    self.paths = paths
  }
}

extension Diagnostic {
  static func xmlPath(_ path: String, _ trouble: String) -> Diagnostic {
    .readerOption(
      "the path `\(path)`: \(trouble)",
      hint:
        "Paths are such as name, address/city, @id, a/@b, text(), ../@x, /root/@x; give a column of another name one "
        + "in `fields`.")
  }
}
