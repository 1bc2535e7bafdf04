/// The encoding of a text input.
public enum TextEncoding: String, Sendable, Hashable, Codable, CaseIterable {
  /// UTF-8, with or without a byte order mark.
  case utf8 = "utf-8"
  /// UTF-16 in the order that its byte order mark tells.
  case utf16 = "utf-16"
  /// UTF-16, low byte first.
  case utf16LittleEndian = "utf-16le"
  /// UTF-16, high byte first.
  case utf16BigEndian = "utf-16be"
  /// ISO 8859-1: the first 256 characters of Unicode.
  case latin1 = "iso-8859-1"
  /// Windows code page 1252; its five bytes without a character are errors.
  case windows1252 = "windows-1252"
  /// 7 bits; other bytes are errors.
  case ascii = "us-ascii"

  /// Finds an encoding by its name or a usual other name, in upper or lower case.
  public init?(named name: String) {
    let name = name.lowercased()
    guard let encoding = TextEncoding(rawValue: name) ?? Self.otherNames[name] else { return nil }
    self = encoding
  }

  /// Decodes a name as `init(named:)` does.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let name = try container.decode(String.self)
    guard let encoding = TextEncoding(named: name) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "unknown encoding \"\(name)\": expected \(Self.names)")
    }
    self = encoding
  }

  /// The names, for messages and help.
  public static let names = allCases.map(\.rawValue).joined(separator: ", ")

  private static let otherNames: [String: TextEncoding] = [
    "utf8": .utf8, "utf16": .utf16, "utf16le": .utf16LittleEndian, "utf16be": .utf16BigEndian,
    "latin1": .latin1, "latin-1": .latin1, "iso8859-1": .latin1, "iso_8859-1": .latin1,
    "cp1252": .windows1252, "windows1252": .windows1252, "ascii": .ascii,
  ]
}
