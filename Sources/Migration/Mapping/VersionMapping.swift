package import Diagnostics
package import ObjectModel

/// A mapping from one version of a model to another, wherever it is written down.
package protocol VersionMapping {
  /// The file as messages name it.
  var name: String { get }
  /// The name of the version that stores are of.
  var source: String { get }
  /// The name of the version that they become.
  var destination: String { get }
  /// Whether somebody has named it, so that it must be of use; one that lies beside a model may be for other versions.
  var isNamed: Bool { get }
  /// The mapping for the two versions.
  func mappingModel(
    _ source: NSManagedObjectModel, _ destination: NSManagedObjectModel
  ) throws(Diagnostic) -> NSMappingModel
}
