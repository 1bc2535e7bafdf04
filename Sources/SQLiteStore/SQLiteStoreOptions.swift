public import Diagnostics

/// How a new store is made.
public struct SQLiteStoreOptions: Codable, Hashable, Sendable {
  /// The version of Core Data that the store says wrote it (`NSPersistenceFrameworkVersion`).
  ///
  /// The default is 1345, that of macOS 14 and iOS 17, whose layout a new store has.
  public var frameworkVersion = Self.currentFrameworkVersion

  /// The version of Core Data whose layout new stores have.
  public static let currentFrameworkVersion = 1345

  /// Makes options with the defaults.
  public init() {}

  /// Decodes options; a key that is missing has its default.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    frameworkVersion = try container.decodeIfPresent(Int.self, forKey: .frameworkVersion) ?? frameworkVersion
    guard frameworkVersion > 0 else {
      throw DecodingError.dataCorruptedError(
        forKey: .frameworkVersion, in: container,
        debugDescription: "found \(frameworkVersion), expected a number of Core Data's such as 1345")
    }
  }
}

extension SQLiteStoreOptions: OptionDescribing {
  /// The options of a new store.
  public static let options = [
    OptionDescription(
      "frameworkVersion", .integer, "the version of Core Data that a new store says wrote it",
      default: String(currentFrameworkVersion))
  ]
}
