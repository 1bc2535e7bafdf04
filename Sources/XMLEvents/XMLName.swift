/// The name of an element or an attribute: its namespace, if it is in one, and its local part.
public struct XMLName: Hashable, Sendable {
  /// The namespace's URI; nil when the name is in none.
  public var namespace: String?
  /// The name without a prefix.
  public var local: String

  /// Makes a name.
  public init(namespace: String? = nil, _ local: String) {
    self.namespace = namespace
    self.local = local
  }
}
