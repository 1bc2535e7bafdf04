import ObjectModel

/// The accessor of one attribute.
struct AttributeAccessor {
  /// The Swift of it.
  let text: String

  /// Nil for an attribute of which nothing can be said.
  init?(_ attribute: NSAttributeDescription, of entity: NSEntityDescription) {
    let plan = entity.shadowPlan(for: attribute.name)
    if let plan, plan.kind == "enum", !plan.cases.isEmpty {
      text = Self.enumeration(attribute, plan)
    } else if let plan, !plan.isItsOwnShadow {
      text = Self.shadowed(attribute, plan)
    } else {
      text = Self.plain(attribute)
    }
  }

  // MARK: Attributes as they are

  private static func plain(_ attribute: NSAttributeDescription, named name: String? = nil) -> String {
    let key = attribute.name
    let isDerived = attribute is NSDerivedAttributeDescription
    var comment = "/// The attribute `\(key)`"
    if isDerived { comment += ", which the store derives" }
    if attribute.isTransient { comment += ", which is not stored" }
    if !attribute.isOptional, !isDerived { comment += "; it is required" }
    let type = attribute.swiftType
    if let scalar = attribute.scalar {
      return accessor(
        comment + ".", name ?? key, "\(type)", get: "value(forKey: \"\(key)\") as? \(type) ?? \(scalar)",
        set: isDerived ? nil : "setValue(newValue, forKey: \"\(key)\")")
    }
    let cast = type == "Any" ? "" : " as? \(type)"
    return accessor(
      comment + ".", name ?? key, "\(type)?", get: "value(forKey: \"\(key)\")\(cast)",
      set: isDerived ? nil : "setValue(newValue, forKey: \"\(key)\")")
  }

  private static func accessor(
    _ comment: String, _ name: String, _ type: String, get: String, set: String?
  ) -> String {
    guard let set else { return "\(comment)\npublic var \(name.escaped): \(type) { \(get) }" }
    return "\(comment)\npublic var \(name.escaped): \(type) {\n  get { \(get) }\n  set { \(set) }\n}"
  }

  // MARK: Attributes that are made of others

  private static func shadowed(_ attribute: NSAttributeDescription, _ plan: ShadowPlan) -> String {
    let types = ["color": "Colour", "point": "CGPoint", "rect": "CGRect", "size": "CGSize", "range": "NSRange"]
    let key = attribute.name
    let type = plan.kind.flatMap { types[$0] }
    let comment = "/// The \(plan.kind ?? "value") `\(key)`, which `\(plan.shadow.name)` keeps."
    return withoutObjectiveC(
      accessor(
        comment, key, "\(type ?? "Any")?", get: "value(forKey: \"\(key)\")\(type.map { " as? \($0)" } ?? "")",
        set: "setValue(newValue, forKey: \"\(key)\")"))
  }

  /// Apple's framework leaves such attributes to the class itself.
  private static func withoutObjectiveC(_ text: String) -> String {
    "#if !canImport(ObjectiveC)\n\(text.indented)\n#endif"
  }

  // MARK: Enumerations

  /// The type of the cases, the accessor of the case and, where the attribute is stored itself, that of the number.
  private static func enumeration(_ attribute: NSAttributeDescription, _ plan: ShadowPlan) -> String {
    let key = attribute.name
    let type = key.capitalisedFirst
    let raw = plan.isItsOwnShadow ? attribute.attributeType.integerName ?? "Int64" : "Int64"
    let cases = plan.cases.map { "case \($0.name.escaped) = \($0.value)" }.joined(separator: "\n")
    let unknown = plan.unknown ?? plan.cases.first { $0.name == "unknown" }?.name
    let declaration =
      "/// The cases of `\(key)`.\npublic enum \(type): \(raw), CaseIterable, Sendable {\n\(cases.indented)\n}"
    let found = "(value(forKey: \"\(key)\") as? \(raw)).flatMap(\(type).init)"
    let comment = "/// The case of `\(key)`; "
    let access =
      if let unknown {
        accessor(
          comment + "`\(unknown)` for none and for a number that is no case.", key, type,
          get: "\(found) ?? .\(unknown.escaped)", set: "setValue(newValue.rawValue, forKey: \"\(key)\")")
      } else {
        accessor(
          comment + "nil for none and for a number that is no case.", key, type + "?", get: found,
          set: "setValue(newValue?.rawValue, forKey: \"\(key)\")")
      }
    guard plan.isItsOwnShadow else { return declaration + "\n\n" + withoutObjectiveC(access) }
    guard attribute.attributeType.integerName != nil else { return plain(attribute) }
    return declaration + "\n\n" + access + "\n\n" + plain(attribute, named: key + "RawValue")
  }
}

extension NSAttributeDescription {
  /// The type of the accessor, without the question mark of an optional.
  fileprivate var swiftType: String {
    switch attributeType {
    case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .booleanAttributeType,
      .doubleAttributeType, .floatAttributeType:
      scalarType.flatMap { usesScalarValueType == true ? $0 : nil } ?? "NSNumber"
    case .decimalAttributeType: "NSDecimalNumber"
    case .stringAttributeType: "String"
    case .dateAttributeType: "Date"
    case .binaryDataAttributeType: "Data"
    case .UUIDAttributeType: "UUID"
    case .URIAttributeType: "URL"
    case .objectIDAttributeType: "NSManagedObjectID"
    case .compositeAttributeType: "[String: Any]"
    case .transformableAttributeType, .undefinedAttributeType: "Any"
    }
  }

  /// What a scalar is where there is no value; nil for an object.
  fileprivate var scalar: String? {
    guard usesScalarValueType == true, scalarType != nil else { return nil }
    return attributeType == .booleanAttributeType ? "false" : "0"
  }

  private var scalarType: String? {
    switch attributeType {
    case .booleanAttributeType: "Bool"
    case .doubleAttributeType: "Double"
    case .floatAttributeType: "Float"
    default: attributeType.integerName
    }
  }
}

extension NSAttributeType {
  fileprivate var integerName: String? {
    switch self {
    case .integer16AttributeType: "Int16"
    case .integer32AttributeType: "Int32"
    case .integer64AttributeType: "Int64"
    default: nil
    }
  }
}
