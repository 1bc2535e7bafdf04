/// An element of a small document that is read whole: a model, a mapping.
///
/// Large inputs are read by `XMLEventReader`, which builds no tree.
public struct XMLNode: Sendable {
  /// The element's name.
  public var name: XMLName
  /// The attributes in document order.
  public var attributes: [(name: XMLName, value: String)]
  /// The child elements in document order.
  public var children: [XMLNode]
  /// All text directly inside the element, joined.
  public var text: String
  /// The line on which its start tag begins, from 1.
  public var line: Int

  /// The value of an attribute in no namespace.
  public subscript(_ attribute: String) -> String? {
    attributes.first { $0.name.namespace == nil && $0.name.local == attribute }?.value
  }

  /// The child elements of a local name.
  public func children(_ local: String) -> [XMLNode] { children.filter { $0.name.local == local } }
}
