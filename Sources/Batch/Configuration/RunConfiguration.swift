public import Diagnostics

/// How a run goes about its steps: the sizes of chunks, and what becomes of refused records.
public struct RunConfiguration: Codable, Hashable, Sendable {
  /// How many records are saved in one transaction. The default is 5000.
  public var chunk = 5000
  /// How many records a step may refuse before the run stops. The default is 100.
  public var skipLimit = SkipLimit.upTo(100)
  /// The folder for refused records, one file per step. The default is `STORE.rejects` beside the store.
  public var rejects: String?

  /// Makes a configuration with the defaults.
  public init() {}

  /// Reads a configuration.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    chunk = try values.decodeIfPresent(Int.self, forKey: .chunk) ?? chunk
    skipLimit = try values.decodeIfPresent(SkipLimit.self, forKey: .skipLimit) ?? skipLimit
    rejects = try values.decodeIfPresent(String.self, forKey: .rejects)
  }
}

extension RunConfiguration: OptionDescribing {
  /// The options of a run.
  public static let options = [
    OptionDescription("chunk", .integer(atLeast: 1), "how many records are saved in one transaction", default: "5000"),
    OptionDescription(
      "skipLimit", .count(orWord: "none"), "how many records a step may refuse; none for any number", default: "100"),
    OptionDescription(
      "rejects", .text("DIR"), "the folder for refused records", default: "STORE.rejects beside the store"),
  ]
}

/// How many records a step may refuse.
public enum SkipLimit: Hashable, Sendable {
  /// Up to a number.
  case upTo(Int)
  /// Any number.
  case none

  /// Whether a number of refused records is too many.
  func isExceeded(by count: Int) -> Bool {
    if case .upTo(let limit) = self { count > limit } else { false }
  }
}

extension SkipLimit: Codable {
  /// Reads a number, or the word `none`.
  public init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if let number = try? value.decode(Int.self), number >= 0 {
      self = .upTo(number)
      return
    }
    let text = try? value.decode(String.self)
    if text == "none" {
      self = .none
    } else if let number = text.flatMap({ Int($0) }), number >= 0 {
      self = .upTo(number)
    } else {
      throw DecodingError.dataCorruptedError(in: value, debugDescription: "a whole number from 0, or none")
    }
  }

  /// Writes a number, or the word `none`.
  public func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    switch self {
    case .upTo(let limit): try value.encode(limit)
    case .none: try value.encode("none")
    }
  }
}
