public import Diagnostics

/// How a new store is made.
public struct SQLiteStoreOptions: Codable, Hashable, Sendable {
  /// The version of Core Data that the store says wrote it (`NSPersistenceFrameworkVersion`).
  ///
  /// The default is 1345, that of macOS 14 and iOS 17, whose layout a new store has.
  public var frameworkVersion = Self.currentFrameworkVersion

  /// The version of Core Data whose layout new stores have.
  public static let currentFrameworkVersion = 1345

  /// The journal that the store says it keeps: what SQLite does when an app opens it. The default is `delete`.
  ///
  /// The file of a new store is complete by itself with either.
  public var journal = Journal.delete

  /// How SQLite keeps what a transaction may have to take back.
  public enum Journal: String, Codable, CaseIterable, Sendable {
    /// A file beside the store that each transaction makes and removes.
    case delete
    /// A write-ahead log, with which most apps open their stores.
    case wal
  }

  /// A store that the new one starts from as a copy: its tables, names, caches and metadata are kept.
  ///
  /// The default is none. It must be of the same model, and empty unless `append` is set.
  public var template: String?

  /// Whether the rows of a template are kept, too. The default is no.
  public var append = false

  /// Whether the bytes of the store follow from what is in it alone: the same input makes the same file. The default is no.
  ///
  /// The UUID of such a store, and the names of its files of external storage, are derived from its content.
  public var reproducible = false

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
    journal = try container.decodeIfPresent(Journal.self, forKey: .journal) ?? journal
    template = try container.decodeIfPresent(String.self, forKey: .template)
    append = try container.decodeIfPresent(Bool.self, forKey: .append) ?? append
    reproducible = try container.decodeIfPresent(Bool.self, forKey: .reproducible) ?? reproducible
  }
}

extension SQLiteStoreOptions: OptionDescribing {
  /// The options of a new store.
  public static let options = [
    OptionDescription(
      "frameworkVersion", .integer(atLeast: 1), "the version of Core Data that a new store says wrote it",
      default: String(currentFrameworkVersion)),
    OptionDescription(
      "journal", .choice(Journal.allCases.map(\.rawValue)), "the journal that a new store keeps", default: "delete"),
    OptionDescription(
      "template", .text("STORE"), "an empty store, made by the app itself, that a new store starts from as a copy"),
    OptionDescription("append", .flag, "keep the rows of a template that is not empty"),
    OptionDescription(
      "reproducible", .flag,
      "make the same bytes of the same input: the UUID is derived from the content; a store that is there is refused"),
  ]
}
