public import Diagnostics

import Migration

/// How the rows of one version of a model become those of another: mappings that are written down, and what may be lost.
public struct MappingConfiguration: Codable, Hashable, Sendable {
  /// Mappings: `.xcmappingmodel` folders or JSON5 files. The default are the `.xcmappingmodel` folders beside the model.
  public var mapping: [String]?
  /// Whether all mappings are inferred, whether there are mapping models or not. The default is no.
  public var infer = false
  /// What may be lost: `Entity`, `Entity.property`, or what the plan of a migration calls it.
  public var allowLoss: [String] = []
  /// Whether values are copied whose meaning has changed, as another version hash modifier says. The default is no.
  public var copyUnchanged = false

  /// Makes a configuration with the defaults.
  public init() {}

  private enum CodingKeys: CodingKey { case mapping, infer, allowLoss, copyUnchanged }

  /// Reads a configuration.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    mapping = try values.decodeIfPresent([String].self, forKey: .mapping)
    infer = try values.decodeIfPresent(Bool.self, forKey: .infer) ?? infer
    allowLoss = try values.decodeIfPresent([String].self, forKey: .allowLoss) ?? allowLoss
    copyUnchanged = try values.decodeIfPresent(Bool.self, forKey: .copyUnchanged) ?? copyUnchanged
  }

  /// Writes what differs from the defaults.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encodeIfPresent(mapping, forKey: .mapping)
    if infer { try values.encode(true, forKey: .infer) }
    if !allowLoss.isEmpty { try values.encode(allowLoss, forKey: .allowLoss) }
    if copyUnchanged { try values.encode(true, forKey: .copyUnchanged) }
  }
}

extension MappingConfiguration: OptionDescribing {
  /// The options of a mapping.
  public static let options =
    [
      OptionDescription(
        "mapping", .list("FILE"), "a mapping: an .xcmappingmodel, or a JSON5 file; repeatable",
        default: "those beside the model"),
      OptionDescription("infer", .flag, "infer all mappings, whether there are mapping models or not"),
    ] + MigrationOptions.options
}

/// What brings the store of a pipeline up to the pipeline's version before the first step: `{ migrate: { } }`, the first of its steps.
public struct MigrateConfiguration: Codable, Hashable, Sendable {
  /// How the rows of the store become those of its next versions.
  public var mapping = MappingConfiguration()
  /// Where the store as it was is kept; `none` for nowhere. The default is `NAME.backup.sqlite` beside it.
  public var backup: String?

  /// Makes a configuration with the defaults.
  public init() {}

  private enum CodingKeys: CodingKey { case backup }

  /// Reads a configuration.
  public init(from decoder: any Decoder) throws {
    mapping = try MappingConfiguration(from: decoder)
    backup = try decoder.container(keyedBy: CodingKeys.self).decodeIfPresent(String.self, forKey: .backup)
  }

  /// Writes what differs from the defaults.
  public func encode(to encoder: any Encoder) throws {
    try mapping.encode(to: encoder)
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encodeIfPresent(backup, forKey: .backup)
  }
}

extension MigrateConfiguration: OptionDescribing {
  /// The options of the step `migrate`.
  public static let options =
    MappingConfiguration.options + [
      OptionDescription(
        "backup", .text("PATH|none"), "where the store as it was is kept", default: "NAME.backup.sqlite beside it")
    ]
}
