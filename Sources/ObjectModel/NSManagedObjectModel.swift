public import Diagnostics
package import Foundation

/// A model: the entities that a store keeps.
///
/// Make it from a file with `NSManagedObjectModel(contentsOf:version:)`, or set `entities` in code. Once a coordinator uses
/// it, it must not be changed.
///
/// Source: Apple, Core Data, `NSManagedObjectModel`.
public final class NSManagedObjectModel: @unchecked Sendable {
  /// The entities in declared order.
  public var entities: [NSEntityDescription] = [] {
    didSet {
      for entity in entities { entity.managedObjectModel = self }
      archive = nil
    }
  }
  /// The keyed archive that the model was read from, which a new store keeps of it; nil when it came from elsewhere.
  package internal(set) var archive: Data?
  /// What the model was read from, and the version that was asked for; nil for one that was made in code.
  package var origin: (path: String, version: String?)?
  /// The developer's names of this version. The default is none, which a store keeps as one empty text.
  public var versionIdentifiers: [String] = []
  /// The names of the entities of each configuration; the default configuration is not among them.
  package var configurationEntityNames: [String: [String]] = [:]
  /// The fetch request templates as the model spells them, by name.
  package var fetchRequestTemplates: [String: FetchRequestTemplate] = [:]
  /// What reading the model found that deserves a word: keys that model files do not have, shadows that are not there.
  public internal(set) var warnings: [Diagnostic] = []
  /// The classes of objects that were registered, by the last part of their names.
  package var objectClasses: [String: AnyClass] = [:]

  /// Makes one with the defaults.
  public init() {}

  /// The entities by name.
  public private(set) lazy var entitiesByName: [String: NSEntityDescription] =
    Dictionary(entities.map { ($0.name ?? "", $0) }, uniquingKeysWith: { first, _ in first })

  /// The names of the configurations.
  public var configurations: [String] { configurationEntityNames.keys.sorted() }

  /// The entities of a configuration; all of them for nil and for an unknown name none.
  public func entities(forConfigurationName configuration: String?) -> [NSEntityDescription]? {
    guard let configuration else { return entities }
    return configurationEntityNames[configuration]?.compactMap { entitiesByName[$0] }
  }
}

/// A fetch request template as the model spells it.
package struct FetchRequestTemplate: Hashable, Sendable {
  package var entityName: String
  package var predicateString: String?
  package var attributes: [String: String]
}
