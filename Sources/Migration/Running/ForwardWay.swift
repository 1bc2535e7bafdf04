package import Diagnostics
package import ObjectModel

/// How records that are written for one version of a model come into a store of another.
package enum ForwardWay {
  /// The two versions are alike.
  case alike
  /// By what corresponds, which is inferred: each record becomes a row of the newer version as it is read.
  case rows(StoreTransfer)
  /// By a mapping that wants all objects at once, or several: through a store of the older version, which becomes these.
  case store(path: [String])
}

extension KnownVersions {
  /// The way from a version to the one that stores become.
  package func forwardWay(
    from source: Version, mappings: [any VersionMapping]
  ) throws(Diagnostic) -> ForwardWay {
    let legs = try MigrationPath(self, mappings).legs(from: source)
    _ = try MigrationPath.check(mappings, on: legs, from: source, in: self)
    guard let first = legs.first else { return .alike }
    guard legs.count == 1, first.files.isEmpty else {
      return .store(path: [source.name] + legs.map(\.destination.name))
    }
    return .rows(try first.inference.transfer())
  }

  /// A version by its name.
  package func version(named name: String) throws(Diagnostic) -> Version {
    try Self.version(named: name, in: versions, unreadable, path)
  }
}
