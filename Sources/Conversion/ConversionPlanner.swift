import Diagnostics
import ObjectModel
import Values

/// Makes the plan of a converter, and collects everything that does not fit.
struct ConversionPlanner {
  /// The entity of the rows.
  private(set) var entity: NSEntityDescription
  let columns: [String]
  let options: ConversionOptions
  /// The folder of files that texts name.
  let folder: String
  private(set) var plans: [AttributePlan] = []
  /// What does not fit, each in one sentence.
  private(set) var problems: [String] = []
  /// What would help, each said once.
  private(set) var hints: [String] = []
  /// The fields that feed an attribute.
  private var usedFields: Set<Int> = []
  /// The places of the attributes that something feeds, or is meant to.
  private var namedPlaces: Set<Int> = []
  private let matching: ColumnMatching

  init(entity: NSEntityDescription, columns: [String], options: ConversionOptions, folder: String) {
    self.entity = entity
    self.columns = columns
    self.options = options
    self.folder = folder
    matching = ColumnMatching(entity)
  }

  private var entityName: String { entity.name ?? "" }

  mutating func report(_ problem: String, hint: String) {
    problems.append(problem)
    if !hints.contains(hint) { hints.append(hint) }
  }

  // MARK: Columns that a mapping names

  mutating func plan(_ mappings: [String: AttributeMapping]) {
    for (name, mapping) in mappings.sorted(by: { $0.key < $1.key }) {
      let target = target(name, mapping)
      let source = source(name, mapping)
      // A column that is named is not left over, even if what it is named for is wrong.
      usedFields.formUnion(source?.fields ?? [])
      if let target, let source { plan(target, source, mapping) }
    }
  }

  /// Where a mapping takes its text from; nil when that is a problem.
  private mutating func source(_ attribute: String, _ mapping: AttributeMapping) -> AttributePlan.Source? {
    switch (mapping.column, mapping.columns, mapping.constant) {
    case (let column?, nil, nil): return field(column, of: attribute).map { .field($0) }
    case (nil, let names?, nil):
      let fields = names.compactMap { field($0, of: attribute) }
      return fields.count == names.count ? .fields(fields) : nil
    case (nil, nil, _?): return .constant
    case (nil, nil, nil):
      let fitting = columns.indices.filter { matching.attributes(for: columns[$0]).contains(attribute) }
      if fitting.count == 1 { return .field(fitting[0]) }
      report(
        fitting.isEmpty
          ? "no column fits the attribute \(attribute)"
          : "the columns \(quoted(fitting.map { columns[$0] })) all fit the attribute \(attribute)",
        hint: "Name the column of \(attribute) with `column`.")
      return nil
    default:
      report(
        "the attribute \(attribute) is mapped to more than one of `column`, `columns` and `constant`",
        hint: "Keep one of them.")
      return nil
    }
  }

  private mutating func field(_ column: String, of attribute: String) -> Int? {
    let fields = columns.indices.filter { columns[$0] == column }
    if fields.count == 1 { return fields[0] }
    if fields.isEmpty {
      report(
        "the attribute \(attribute) is mapped to the column \"\(column)\", which is not there",
        hint: NearestName.of(column, in: columns).map { "Did you mean the column \"\($0)\"?" }
          ?? "The columns are \(quoted(columns)).")
    } else {
      report(
        "the attribute \(attribute) is mapped to the column \"\(column)\", which is there \(fields.count) times",
        hint: "Give all columns names of their own with `columns`, together with `header: 1`.")
    }
    return nil
  }

  // MARK: Columns that are left over

  mutating func planRemaining(ignoring: Set<String>, usedElsewhere: Set<String>) {
    var fitting: [String: [Int]] = [:]
    for field in columns.indices where !usedFields.contains(field) {
      let column = columns[field]
      guard !ignoring.contains(column) else { continue }
      let attributes = matching.attributes(for: column)
      switch attributes.count {
      case 1: fitting[attributes[0], default: []].append(field)
      case 0: if !ignoring.contains("*") && !usedElsewhere.contains(column) { reportUnmatched(field) }
      default:
        report(
          "the column \"\(column)\" fits the attributes \(attributes.joined(separator: ", "))",
          hint: "Name the column's attribute in `map`.")
      }
    }
    for (attribute, fields) in fitting.sorted(by: { $0.value[0] < $1.value[0] }) {
      let names = quoted(fields.map { columns[$0] })
      if let target = target(attribute, AttributeMapping()) {
        if plans.contains(where: { $0.place == target.place }) {
          guard !ignoring.contains("*"), !fields.allSatisfy({ usedElsewhere.contains(columns[$0]) }) else { continue }
          report(
            "the column \(names) fits the attribute \(attribute), which has its value from elsewhere",
            hint: "List columns that are not imported under `ignore`.")
        } else if fields.count > 1 {
          report(
            "the columns \(names) all fit the attribute \(attribute)",
            hint: "Name the column of \(attribute) in `map`, and list the others under `ignore`.")
        } else {
          plan(target, .field(fields[0]), AttributeMapping())
        }
      }
    }
  }

  private mutating func reportUnmatched(_ field: Int) {
    let column = columns[field]
    guard !column.isEmpty else {
      report("column \(field + 1) has no name", hint: "List columns that are not imported under `ignore`.")
      return
    }
    let derived = entity.layout.attributes.filter { $0.attribute is NSDerivedAttributeDescription }.map(\.path)
    if let attribute = derived.first(where: { ColumnMatching.folded($0) == ColumnMatching.folded(column) }) {
      report(
        "the column \"\(ShownText.excerpt(column))\" fits the attribute \(attribute), which is derived: the store computes it",
        hint: "List columns that are not imported under `ignore`.")
      return
    }
    if let relationship = matching.relationship(for: column, of: entity) {
      report(
        "the column \"\(ShownText.excerpt(column))\" has the name of the relationship \(relationship)",
        hint:
          "A pipeline file fills it: `relationships: { \(relationship): { column: \"\(ShownText.excerpt(column))\", by: "
          + "\"ATTRIBUTE\" } }` in its step, with the attribute of \(entityName(at: relationship)) that the column holds."
      )
      return
    }
    let unfed = entity.layout.attributes.map(\.path).filter { !derived.contains($0) } + entity.layout.shadows.keys
    report(
      "the column \"\(ShownText.excerpt(column))\" fits no attribute",
      hint: NearestName.of(column, in: unfed).map {
        "Did you mean \"\($0)\" instead of \"\(ShownText.excerpt(column))\"?"
      }
        ?? "Name the attribute of a column in `map`, or list the column under `ignore`.")
  }

  private func entityName(at relationship: String) -> String {
    entity.relationshipsByName[relationship]?.destinationEntity.name ?? ""
  }

  // MARK: Attributes without a column

  mutating func checkRequired() {
    let layout = entity.layout
    func hasValue(_ place: Int) -> Bool { namedPlaces.contains(place) || !layout.defaultValues[place].isNull }
    for place in layout.attributes.indices
    where !hasValue(place) && layout.requiresValue(at: place, where: hasValue) {
      report(
        "the required attribute \(layout.attributes[place].path) has no column",
        hint: "Map a required attribute to a column or a `constant`, or give it a default in the model.")
    }
  }

  // MARK: Rows of another version

  /// Forgets the plans: those that follow are for rows of another entity.
  mutating func begin(rowsOf entity: NSEntityDescription) {
    self.entity = entity
    (plans, namedPlaces) = ([], [])
  }

  mutating func add(_ plan: AttributePlan) {
    plans.append(plan)
    namedPlaces.insert(plan.place)
  }

  func isFed(_ place: Int) -> Bool { namedPlaces.contains(place) }

  // MARK: One attribute

  /// A stored attribute, and what is known of the kind of value that it keeps.
  private struct Target {
    var name: String
    var place: Int
    var attribute: NSAttributeDescription
    var shadow: ShadowPlan?

    /// What a mapping says of how texts are read, and for what it leaves open, the model.
    func options(_ mapping: AttributeMapping) -> ConversionOptions {
      mapping.options.over(shadow?.attribute.conversionOptions ?? .init()).over(attribute.conversionOptions)
    }
  }

  /// The stored attribute that an attribute's value goes to; nil when that is a problem.
  private mutating func target(_ name: String, _ mapping: AttributeMapping) -> Target? {
    let layout = entity.layout
    let plan = layout.shadows[name]
    guard let path = mapping.shadow ?? plan.map({ layout.attributes[$0.place].path }) ?? storedPath(name) else {
      return nil
    }
    guard let place = layout.attributeIndex[path] else {
      report(
        "the shadow \(path) of the attribute \(name) is no stored attribute of \(entityName)",
        hint: "The stored attributes are \(ShownText.list(layout.attributes.map(\.path))).")
      return nil
    }
    let attribute = layout.attributes[place].attribute
    guard !(attribute is NSDerivedAttributeDescription) else {
      report("the attribute \(name) is derived: the store computes it", hint: "List its column under `ignore`.")
      return nil
    }
    namedPlaces.insert(place)
    return Target(name: name, place: place, attribute: attribute, shadow: plan)
  }

  /// The path of a stored attribute of that name.
  private mutating func storedPath(_ name: String) -> String? {
    if entity.layout.attributeIndex[name] != nil { return name }
    switch entity.propertiesByName[name] {
    case is NSRelationshipDescription:
      report("\(name) is a relationship", hint: "Name a relationship's column under `relationships`.")
    case is NSCompositeAttributeDescription:
      report("the attribute \(name) is a composite", hint: "Map its elements: \(name).ELEMENT.")
    case is NSAttributeDescription:
      report(
        "the attribute \(name) is transient and has no shadow",
        hint: "Name the stored attribute with `shadow`, in the model's userInfo or in the mapping.")
    default:
      let known = entity.layout.attributes.map(\.path) + entity.layout.shadows.keys
      report(
        "\(entityName) has no attribute \(name)",
        hint: NearestName.of(name, in: known).map { "Did you mean the attribute \($0)?" }
          ?? "The attributes are \(known.sorted().joined(separator: ", ")).")
    }
    return nil
  }

  private mutating func plan(_ target: Target, _ source: AttributePlan.Source, _ mapping: AttributeMapping) {
    if let other = plans.first(where: { $0.place == target.place }) {
      report(
        "the attributes \(other.attribute) and \(target.name) are kept in the same place",
        hint: "Map one of them, and list the column of the other under `ignore`.")
      return
    }
    do throws(Diagnostic) {
      let options = target.options(mapping).over(self.options)
      let reader = try reader(target, source, mapping, options)
      let text = mapping.constant ?? mapping.whenNull
      let hasDefault = !target.attribute.isOptional && mapping.usesDefault != false
      let ownDefault = hasDefault ? target.attribute.defaultValue : .null
      plans.append(
        AttributePlan(
          attribute: target.name, place: target.place, source: source, reader: reader,
          nulls: NullRule(options, keepsEmptyText: reader.keepsEmptyText),
          whenNull: try text.map { text throws(Diagnostic) in try value(text, reader, target) } ?? ownDefault))
    } catch {
      report("the attribute \(target.name): \(error.message)", hint: error.hint)
    }
  }

  private func value(_ text: String, _ reader: FieldReader, _ target: Target) throws(Diagnostic) -> Value {
    let result = Array(text.utf8).withUnsafeBytes { bytes -> Result<Value, TextTrouble> in
      do throws(TextTrouble) { return .success(try reader.value(bytes)) } catch { return .failure(error) }
    }
    switch result {
    case .success(let value): return value
    case .failure:
      throw Diagnostic(
        .conversionColumns, "expected \(reader.expectation), found \"\(text)\"",
        hint: "Correct `constant` or `whenNull`.")
    }
  }

  private func reader(
    _ target: Target, _ source: AttributePlan.Source, _ mapping: AttributeMapping, _ options: ConversionOptions
  ) throws(Diagnostic) -> FieldReader {
    let reader = try kindReader(target, mapping, options)
    if case .fields(let fields) = source {
      guard case .kind(let kind)? = reader, kind.kind.columnCounts.contains(fields.count) else {
        throw Diagnostic(
          .conversionColumns, "\(fields.count) columns do not make one value of it",
          hint: "Several `columns` make a color, point, size, rect or range: one for each of its numbers.")
      }
    }
    if let reader { return reader }
    guard mapping.shadow == nil, target.shadow?.isItsOwnShadow ?? true else {
      throw Diagnostic(
        .conversionColumns, "nothing says of which kind its value is",
        hint:
          "Set `kind`, in the model's userInfo or in the mapping, to one of \(ValueKinds.names.joined(separator: ", "))."
      )
    }
    guard let own = try FieldReader(target.attribute.attributeType, options, folder: folder) else {
      throw Diagnostic(
        .conversionColumns, "no text is a value of the type \(target.attribute.attributeType.modelName)",
        hint: "Give the attribute another type in the model.")
    }
    return own
  }

  /// The reader of a kind, if the mapping or the model names one.
  private func kindReader(
    _ target: Target, _ mapping: AttributeMapping, _ options: ConversionOptions
  ) throws(Diagnostic) -> FieldReader? {
    guard let name = mapping.kind ?? target.shadow?.kind, name != AttributeMapping.noKind else { return nil }
    var settings = target.shadow?.settings ?? KindSettings()
    settings.cases = mapping.cases ?? settings.cases
    settings.unknown = mapping.unknown ?? settings.unknown
    settings.options = options
    settings.folder = folder
    guard let type = target.attribute.attributeType.keptFormType else {
      throw Diagnostic(
        .conversionColumns, "the type \(target.attribute.attributeType.modelName) of its shadow keeps no kind of value",
        hint: "A shadow is a String, Binary, Transformable, Integer, Double or Float attribute.")
    }
    return .kind(
      try StoredKind(
        name, settings: settings, form: mapping.form ?? target.shadow?.form, storedAs: type,
        transformerName: target.attribute.valueTransformerName))
  }

  /// The reader of an attribute without a mapping of its own.
  static func reader(
    of attribute: String, _ entity: NSEntityDescription, _ options: ConversionOptions
  ) throws(Diagnostic) -> FieldReader {
    var planner = ConversionPlanner(entity: entity, columns: [], options: options, folder: ".")
    guard let target = planner.target(attribute, AttributeMapping()) else {
      throw Diagnostic(
        .conversionColumns, planner.problems.joined(separator: "; "), hint: planner.hints.joined(separator: " "))
    }
    let own = target.options(AttributeMapping()).over(options)
    return try planner.reader(target, .constant, AttributeMapping(), own)
  }

  private func quoted(_ names: [String]) -> String {
    names.map { "\"\(ShownText.excerpt($0))\"" }.joined(separator: ", ")
  }
}
