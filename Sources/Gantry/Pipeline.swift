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
  /// The store; it is made if it is not there.
  public var store: String
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
