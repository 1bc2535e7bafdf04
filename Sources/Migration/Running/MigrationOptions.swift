public import Diagnostics

/// What a migration may do with values that have no place in the new version.
public struct MigrationOptions: Codable, Hashable, Sendable {
  /// What may be lost, by name: `Entity`, `Entity.property`, `history`, or the name of a trigger, view or table.
  public var allowLoss: [String] = []
  /// Whether values are copied whose meaning has changed, as another version hash modifier says. The default is no.
  public var copyUnchanged = false

  /// Makes options with the defaults.
  public init() {}
}

extension MigrationOptions: OptionDescribing {
  /// The options of a migration.
  public static let options = [
    OptionDescription(
      "allowLoss", .list("NAME"), "what may be lost: ENTITY, ENTITY.PROPERTY, or what the plan calls it; repeatable"),
    OptionDescription(
      "copyUnchanged", .flag, "copy values though the hash modifier says that their meaning has changed"),
  ]
}
