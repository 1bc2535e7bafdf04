public import Diagnostics

import Batch
import SQLiteStore

// The options of a run and of a new store stand among the pipeline's own keys.

extension Pipeline {
  private enum CodingKeys: String, CodingKey { case model, version, store, steps }

  /// Reads a pipeline.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      model: try values.decode(String.self, forKey: .model), store: try values.decode(String.self, forKey: .store),
      steps: try values.decode([StepConfiguration].self, forKey: .steps))
    version = try values.decodeIfPresent(String.self, forKey: .version)
    newStore = try SQLiteStoreOptions(from: decoder)
    run = try RunConfiguration(from: decoder)
  }

  /// Writes a pipeline.
  public func encode(to encoder: any Encoder) throws {
    try run.encode(to: encoder)
    try newStore.encode(to: encoder)
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(model, forKey: .model)
    try values.encodeIfPresent(version, forKey: .version)
    try values.encode(store, forKey: .store)
    try values.encode(steps, forKey: .steps)
  }
}

extension Pipeline: OptionDescribing {
  /// The pipeline's own options; those of a run and of a new store follow.
  public static let options: [OptionDescription] =
    [
      OptionDescription(
        "model", .text("MODEL"), "the model: .xcdatamodeld, .xcdatamodel, contents, .momd, .mom or a store"),
      OptionDescription("version", .text("NAME"), "the version of the model", default: "the current one"),
      OptionDescription("store", .text("STORE"), "the store; it is made if it is not there"),
      OptionDescription("steps", .object, "the steps, in order"),
    ] + RunConfiguration.options + SQLiteStoreOptions.options
}
