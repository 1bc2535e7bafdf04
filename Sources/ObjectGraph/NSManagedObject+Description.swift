import Foundation
import ObjectModel
import Values

extension NSManagedObject: CustomStringConvertible, CustomReflectable {
  /// The entity, the ID and the stored values that there are, in one line; a fault is not read for that.
  public var description: String {
    let id = knownID?.description ?? "\(entity.name ?? "") not saved"
    guard !isFault else { return "\(id) (fault)" }
    let values = zip(layout.attributes, values).filter { $1 != .null }.map { "\($0.path): \($1.shown())" }
    return "\(id) (\(values.joined(separator: ", ")))"
  }

  /// Nothing but the description: an object leads to its whole graph.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension NSManagedObjectID: CustomStringConvertible, CustomReflectable {
  /// The URI.
  public var description: String { uriRepresentation().absoluteString }

  /// Nothing but the description.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
