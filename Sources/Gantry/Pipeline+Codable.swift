public import Diagnostics

import Batch
import SQLiteStore

// The options of a run and of a new store stand among the pipeline's own keys.

extension Pipeline {
  private enum CodingKeys: String, CodingKey { case model, version, sourceVersion, store, steps }

  /// Reads a pipeline.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let steps = try values.decode([PipelineStep].self, forKey: .steps)
    self.init(
      model: try values.decode(String.self, forKey: .model), store: try values.decode(String.self, forKey: .store),
      steps: steps.compactMap { if case .records(let step) = $0 { step } else { nil } })
    for (index, step) in steps.enumerated() {
      guard case .migrate(let migrate) = step else { continue }
      guard index == 0 else {
        throw DecodingError.dataCorrupted(
          .init(
            codingPath: decoder.codingPath + [CodingKeys.steps], debugDescription: "",
            underlyingError: Diagnostic.migratesLater(step: index + 1)))
      }
      self.migrate = migrate
    }
    version = try values.decodeIfPresent(String.self, forKey: .version)
    sourceVersion = try values.decodeIfPresent(String.self, forKey: .sourceVersion)
    mapping = try MappingConfiguration(from: decoder)
    newStore = try SQLiteStoreOptions(from: decoder)
    run = try RunConfiguration(from: decoder)
  }

  /// Writes a pipeline.
  public func encode(to encoder: any Encoder) throws {
    try run.encode(to: encoder)
    try newStore.encode(to: encoder)
    try mapping.encode(to: encoder)
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(model, forKey: .model)
    try values.encodeIfPresent(version, forKey: .version)
    try values.encodeIfPresent(sourceVersion, forKey: .sourceVersion)
    try values.encode(store, forKey: .store)
    let first = migrate.map { [PipelineStep.migrate($0)] } ?? []
    try values.encode(first + steps.map { .records($0) }, forKey: .steps)
  }
}

/// An element of `steps`: one that reads records, or the one that brings the store up before them.
private enum PipelineStep: Codable {
  case migrate(MigrateConfiguration)
  case records(StepConfiguration)

  private enum CodingKeys: CodingKey { case migrate }

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self =
      if let migrate = try values.decodeIfPresent(MigrateConfiguration.self, forKey: .migrate) {
        .migrate(migrate)
      } else {
        .records(try StepConfiguration(from: decoder))
      }
  }

  func encode(to encoder: any Encoder) throws {
    switch self {
    case .migrate(let migrate):
      var values = encoder.container(keyedBy: CodingKeys.self)
      try values.encode(migrate, forKey: .migrate)
    case .records(let step): try step.encode(to: encoder)
    }
  }
}

extension Diagnostic {
  fileprivate static func migratesLater(step number: Int) -> Diagnostic {
    Diagnostic(
      .pipelineValue, "step \(number) is `migrate`, expected only the first to be",
      hint: "Put it before the others: their rows are of the version that it makes.")
  }
}

extension Pipeline: OptionDescribing {
  /// The pipeline's own options; those of a run and of a new store follow.
  public static let options: [OptionDescription] =
    [
      OptionDescription(
        "model", .text("MODEL"), "the model: .xcdatamodeld, .xcdatamodel, contents, .momd, .mom or a store"),
      OptionDescription("version", .text("NAME"), "the version of the model", default: "the current one"),
      OptionDescription(
        "sourceVersion", .text("NAME"), "the version that the inputs are written for; their rows are mapped forward",
        default: "the same"),
      OptionDescription("store", .text("STORE"), "the store; it is made if it is not there"),
      OptionDescription("steps", .object, "the steps, in order"),
    ] + MappingConfiguration.options + RunConfiguration.options + SQLiteStoreOptions.options
}
