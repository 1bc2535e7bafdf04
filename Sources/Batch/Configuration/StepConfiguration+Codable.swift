public import Diagnostics

import Conversion
import Values
import Records

// Keys that are missing have their defaults, and the conversion options stand among the step's own keys.

extension StepConfiguration {
  private enum CodingKeys: String, CodingKey {
    case name, read, entity, map, ignore, id, linkedLater, key, onConflict, relationships, link
  }

  /// Reads a step.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(read: try values.decode(ReaderConfiguration.self, forKey: .read))
    name = try values.decodeIfPresent(String.self, forKey: .name)
    entity = try values.decodeIfPresent(String.self, forKey: .entity)
    map = try values.decodeIfPresent([String: AttributeMapping].self, forKey: .map) ?? [:]
    ignore = try values.decodeIfPresent([String].self, forKey: .ignore) ?? []
    id = try values.decodeIfPresent(String.self, forKey: .id)
    linkedLater = try values.decodeIfPresent(Bool.self, forKey: .linkedLater) ?? false
    key = try values.decodeIfPresent([String].self, forKey: .key) ?? []
    onConflict = try values.decodeIfPresent(ConflictRule.self, forKey: .onConflict)
    relationships = try values.decodeIfPresent([String: RelationshipMapping].self, forKey: .relationships) ?? [:]
    link = try values.decodeIfPresent(LinkConfiguration.self, forKey: .link)
    conversion = try ConversionOptions(from: decoder)
    do { try conversion.check() } catch {
      let place = DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "", underlyingError: error)
      throw DecodingError.dataCorrupted(place)
    }
  }

  /// Writes a step.
  public func encode(to encoder: any Encoder) throws {
    try conversion.encode(to: encoder)
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encodeIfPresent(name, forKey: .name)
    try values.encode(read, forKey: .read)
    try values.encodeIfPresent(entity, forKey: .entity)
    try values.encode(map, forKey: .map)
    try values.encode(ignore, forKey: .ignore)
    try values.encodeIfPresent(id, forKey: .id)
    if linkedLater { try values.encode(true, forKey: .linkedLater) }
    try values.encode(key, forKey: .key)
    try values.encodeIfPresent(onConflict, forKey: .onConflict)
    try values.encode(relationships, forKey: .relationships)
    try values.encodeIfPresent(link, forKey: .link)
  }
}

extension StepConfiguration: OptionDescribing {
  /// The step's own options; those of conversion follow.
  public static let options: [OptionDescription] =
    [
      OptionDescription("name", .text("NAME"), "the step's name in summaries and reject files", default: "the file's"),
      OptionDescription("read", .object, "the input and how it is read"),
      OptionDescription("entity", .text("NAME"), "the entity that the records become objects of"),
      OptionDescription("map", .object, "for attributes, the column they are made from"),
      OptionDescription(
        "ignore", .list("COLUMN"), "a column that is not imported; * for all that match nothing",
        allowsEmpty: true),
      OptionDescription(
        "id", .text("COLUMN"), "a column of names by which the run knows the objects; `by: \"_id\"` finds them"),
      OptionDescription(
        "linkedLater", .flag, "later steps fill required relationships: that is checked when all steps are done",
        default: "false"),
      OptionDescription("key", .list("ATTRIBUTE"), "an attribute that tells objects apart; several make one key"),
      OptionDescription(
        "onConflict", .choice(ConflictRule.allCases.map(\.rawValue)), "what becomes of a record whose key exists",
        default: "fail with a key, insert without"),
      OptionDescription("relationships", .object, "for relationships, the column that holds the destination's key"),
      OptionDescription("link", .object, "the relationship that the records are links of"),
    ] + ConversionOptions.options
}

extension RelationshipMapping: OptionDescribing {
  // Not private: `encode(to:)` is made in the file of the type.
  enum CodingKeys: String, CodingKey { case column, by, missing, separator }

  /// Reads a mapping.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      column: try values.decode(String.self, forKey: .column), by: try values.decodeIfPresent(String.self, forKey: .by))
    missing = try values.decodeIfPresent(MissingRule.self, forKey: .missing) ?? missing
    separator = try values.decodeIfPresent(String.self, forKey: .separator)
  }

  /// The options of a relationship's mapping.
  public static let options = [
    OptionDescription("column", .text("COLUMN"), "the column that holds the destination's key"),
    OptionDescription(
      "by", .text("ATTRIBUTE"), "the destination's attribute that the key is compared with",
      default: "relatedByAttribute in the model's userInfo"),
    OptionDescription(
      "missing", .choice(MissingRule.allCases.map(\.rawValue)), "what becomes of a key that no object has",
      default: "reject"),
    OptionDescription(
      "separator", .text("TEXT"),
      "what separates the keys of a to-many relationship in one field; empty for one key a field",
      default: ",", allowsEmpty: true),
  ]
}

extension LinkConfiguration: OptionDescribing {
  enum CodingKeys: String, CodingKey { case entity, relationship, from, to, order, missing }

  /// Reads a link.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      entity: try values.decode(String.self, forKey: .entity),
      relationship: try values.decode(String.self, forKey: .relationship),
      from: try values.decode(End.self, forKey: .from), to: try values.decode(End.self, forKey: .to))
    order = try values.decodeIfPresent(String.self, forKey: .order)
    missing = try values.decodeIfPresent(MissingRule.self, forKey: .missing) ?? missing
  }

  /// The options of a link.
  public static let options = [
    OptionDescription("entity", .text("NAME"), "the entity that has the relationship"),
    OptionDescription("relationship", .text("NAME"), "the relationship that is filled"),
    OptionDescription("from", .object, "the object that gets a destination"),
    OptionDescription("to", .object, "the destination"),
    OptionDescription("order", .text("COLUMN"), "a column of whole numbers that orders the destinations"),
    OptionDescription(
      "missing", .choice(["reject", "null"]), "what becomes of a link whose end does not exist", default: "reject"),
  ]
}

extension LinkConfiguration.End: OptionDescribing {
  /// The options of one end of a link.
  public static let options = [
    OptionDescription("column", .text("COLUMN"), "the column that holds the key"),
    OptionDescription("by", .text("ATTRIBUTE"), "the attribute that the key is compared with"),
  ]
}
