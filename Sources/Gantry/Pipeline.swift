public import Batch
public import SQLiteStore

/// An import as a whole: the model, the store, and the steps that fill it.
///
/// The same struct in Swift and in a pipeline file (JSON5). Paths are relative to the file's folder.
public struct Pipeline: Codable, Hashable, Sendable {
  /// The model: an `.xcdatamodeld`, an `.xcdatamodel` or a `contents` file.
  public var model: String
  /// The version of the model. The default is the current one.
  public var version: String?
  /// The version of the model that the inputs and steps are written for; their rows are mapped forward to `version`. The default is
  /// `version` itself.
  public var sourceVersion: String?
  /// How rows of `sourceVersion` become those of `version`.
  public var mapping = MappingConfiguration()
  /// The store; it is made if it is not there.
  public var store: String
  /// Brings a store that is there up to `version` before the first step; in a file the first of `steps`. The default is not to.
  public var migrate: MigrateConfiguration?
  /// The steps, in the order in which they run.
  public var steps: [StepConfiguration]
  /// Chunks and refused records.
  public var run = RunConfiguration()

  /// How the store is made, if it is not there.
  public var newStore = SQLiteStoreOptions()

  /// Makes a pipeline with the defaults of a run.
  public init(model: String, store: String, steps: [StepConfiguration]) {
    self.model = model
    self.store = store
    self.steps = steps
  }
}
