import Conversion
import Diagnostics
import Foundation
import ObjectModel
import Values

/// How the values of one attribute are written, and what an import must be told to read them back.
struct ExportedAttribute {
  /// The size in bytes from which on the values of an attribute are files.
  static let largestInline = 4096

  /// The place in the entity's layout.
  let place: Int
  /// The column.
  let name: String
  let type: NSAttributeType
  let writer: FieldWriter
  /// Whether the values are files, and the fields their names.
  let hasFiles: Bool
  /// Whether the store computes the values: they are written and not imported.
  let isDerived: Bool
  /// What an import must be told; empty if it knows all by itself.
  let mapping: [JSONNode.Member]

  /// The kind of value that an attribute keeps, and the attribute that users see; nil where the model names none.
  static func shadow(_ place: Int, of entity: NSEntityDescription) -> (plan: ShadowPlan, kind: StoredKind)? {
    let plans = entity.layout.shadows.values.filter { $0.place == place && $0.kind != nil }
    guard plans.count == 1, let plan = plans.first, let kind = try? plan.storedKind() else { return nil }
    return (plan, kind)
  }

  /// Looks at what the model and the values are like.
  ///
  /// - Parameter hasNulls: whether a row has no value that must have one.
  init(
    _ place: Int, of entity: NSEntityDescription, _ survey: ValueSurvey, _ matching: ColumnMatching, hasNulls: Bool
  ) {
    let stored = entity.layout.attributes[place]
    let type = stored.attribute.attributeType
    let shadow = Self.shadow(place, of: entity)
    let kind = survey.haveTexts ? shadow?.kind : nil
    let name = kind == nil ? stored.path : shadow?.plan.attribute.name ?? stored.path
    let date: FieldWriter.DateForm = !survey.areDates ? .seconds : survey.areDays ? .day : .iso
    self.place = place
    self.name = name
    self.type = type
    isDerived = stored.attribute is NSDerivedAttributeDescription
    writer = FieldWriter(type, date: date, kind: kind)
    hasFiles = kind == nil && survey.largest > Self.largestInline && type.isOfBytes

    var mapping: [JSONNode.Member] = []
    let said = stored.attribute.conversionOptions
    if kind == nil {
      if shadow?.plan.isItsOwnShadow == true { mapping.append(.init("kind", .string("none"))) }
      if type == .dateAttributeType, date == .seconds || said.date != nil {
        mapping.append(.init("date", .string(date == .seconds ? "reference" : "iso8601")))
      }
      // A day alone is a midnight of the zone that the model names, if it names one.
      if type == .dateAttributeType, date == .day, said.timeZone != nil {
        mapping.append(.init("timeZone", .string("UTC")))
      }
      if type.isNumber, said.decimalSign != nil || said.groupingSign != nil {
        mapping.append(.init("decimalSign", .string(".")))
        if said.groupingSign != nil { mapping.append(.init("groupingSign", .string(","))) }
      }
      if survey.hasInfinity { mapping.append(.init("nonFinite", .boolean(true))) }
      if hasFiles { mapping.append(.init("binary", .string("file"))) }
    }
    // Else an import would make the default of what is none.
    if hasNulls, !stored.attribute.defaultValue.isNull { mapping.append(.init("usesDefault", .boolean(false))) }
    // A name that fits several attributes, or that the model gives the column of another, is said; so is that of a stored
    // attribute where the one that users see is looked for.
    let standsForOther =
      kind == nil && entity.layout.shadows.values.contains { $0.place == place && !$0.isItsOwnShadow }
    if !mapping.isEmpty || matching.attributes(for: name) != [name]
      || !(shadow?.plan.attribute ?? stored.attribute).importNames.isEmpty
      || standsForOther
    {
      mapping.insert(.init("column", .string(name)), at: 0)
    }
    self.mapping = mapping
  }

  /// The entry of the step's `map`; nil if none is needed.
  var entry: JSONNode.Member? {
    switch mapping.count {
    case 0: nil
    case 1: JSONNode.Member(name, .string(name))
    default: JSONNode.Member(name, .object(mapping))
    }
  }
}

extension NSAttributeType {
  var isNumber: Bool {
    switch self {
    case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .doubleAttributeType,
      .floatAttributeType, .decimalAttributeType:
      true
    default: false
    }
  }
}
