import Diagnostics
import XMLEvents

/// An element of a model file, with what messages call it and where it stands.
struct ModelElement {
  let node: XMLNode
  let file: String
  /// The entity and the property, e.g. `entity Task, attribute days`; empty for the model itself.
  let owner: String

  init(root: XMLNode, file: String) {
    self.init(node: root, file: file, owner: "")
  }

  private init(node: XMLNode, file: String, owner: String) {
    self.node = node
    self.file = file
    self.owner = owner
  }

  var kind: String { node.name.local }

  var position: SourcePosition { SourcePosition(file: file, line: node.line) }

  /// All child elements.
  var children: [ModelElement] {
    node.children.map { child in
      guard let name = child["name"] else { return ModelElement(node: child, file: file, owner: owner) }
      let own = "\(child.name.local) \(name)"
      return ModelElement(node: child, file: file, owner: owner.isEmpty ? own : "\(owner), \(own)")
    }
  }

  /// The child elements of a kind.
  func children(_ kind: String) -> [ModelElement] { children.filter { $0.kind == kind } }

  /// The children of a kind inside the first child of another: `uniquenessConstraints`, `uniquenessConstraint`.
  func children(_ list: String, _ kind: String) -> [ModelElement] { children(list).flatMap { $0.children(kind) } }

  // MARK: Keys

  /// The value of a key.
  subscript(_ key: String) -> String? { node[key] }

  /// The value of a key; an empty one is none.
  func text(_ key: String) -> String? { node[key].flatMap { $0.isEmpty ? nil : $0 } }

  /// The value of a key that must be there.
  func required(_ key: String) throws(Diagnostic) -> String {
    guard let value = text(key) else { throw .modelMissingKey(key, in: self) }
    return value
  }

  /// Whether a key is YES; a key that is not there is NO.
  func flag(_ key: String) throws(Diagnostic) -> Bool {
    switch node[key] {
    case nil, "NO"?: return false
    case "YES"?: return true
    case let value?: throw .modelValue(value, of: key, expected: "YES or NO", in: self)
    }
  }

  /// The number of a key; nil when the key is not there.
  func count(_ key: String) throws(Diagnostic) -> Int? {
    guard let value = text(key) else { return nil }
    guard let count = Int(value), count >= 0 else {
      throw .modelValue(value, of: key, expected: "a whole number from 0", in: self)
    }
    return count
  }
}
