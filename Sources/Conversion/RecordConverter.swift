import Bytes
public import Diagnostics
public import ObjectModel
public import Records
public import Values

/// Converts records to rows of typed values; a plan made once per header, which records follow by index.
///
/// Columns named in `mappings` feed their attributes; a column left over feeds the attribute whose name or `importName` is
/// the same but for case, blanks, `_` and `-`. Null is what an absent field means, an unquoted empty one, a quoted empty one
/// of any other type than String, and a spelling declared by `nulls`; no word means null by itself. A null of an attribute
/// that is required and has a default is the default.
public final class RecordConverter {
  /// The entity of the rows.
  public let entity: NSEntityDescription
  /// The names of the columns, in the order of the fields.
  public let columns: [String]
  /// The name of the input, for messages.
  public let file: String
  /// The name of the entity that the columns are fitted to, for messages.
  private let entityName: String
  private let plans: [AttributePlan]
  private var doubledTimes: DoubledTimes

  /// Makes the plan for a header.
  ///
  /// Everything that does not fit is reported at once: unmatched columns that are neither ignored nor used elsewhere,
  /// required attributes without a column, mappings of unknown attributes or columns, options that contradict each other.
  ///
  /// - Parameters:
  ///   - mappings: the sources of attributes by name; a composite's element is `composite.element`.
  ///   - ignoring: the columns that feed nothing on purpose; `*` means all that are left over.
  ///   - usedElsewhere: the columns that feed relationships and links.
  ///   - folder: the folder of files that texts name.
  public convenience init(
    entity: NSEntityDescription, columns: [String], mappings: [String: AttributeMapping] = [:],
    options: ConversionOptions = ConversionOptions(), ignoring: Set<String> = [], usedElsewhere: Set<String> = [],
    file: String = "-", folder: String = "."
  ) throws(Diagnostic) {
    try self.init(
      entity: entity, columns: columns, mappings: mappings, options: options, ignoring: ignoring,
      usedElsewhere: usedElsewhere, file: file, folder: folder, forward: nil)
  }

  /// Makes the plan for a header of records that are written for an older version of the model, if `forward` says so.
  package init(
    entity: NSEntityDescription, columns: [String], mappings: [String: AttributeMapping], options: ConversionOptions,
    ignoring: Set<String>, usedElsewhere: Set<String>, file: String, folder: String, forward: ForwardTransfer?
  ) throws(Diagnostic) {
    var planner = ConversionPlanner(entity: entity, columns: columns, options: options, folder: folder)
    planner.plan(mappings)
    planner.planRemaining(ignoring: ignoring, usedElsewhere: usedElsewhere)
    planner.checkRequired()
    if let forward, planner.problems.isEmpty {
      planner.carry(forward)
      planner.checkRequired()
    }
    if !planner.problems.isEmpty {
      throw .columnsDoNotFit(entity.name ?? "", planner.problems, hints: planner.hints, file: file)
    }
    entityName = entity.name ?? ""
    self.entity = planner.entity
    self.columns = columns
    self.file = file
    plans = planner.plans.sorted { $0.place < $1.place }
    doubledTimes = DoubledTimes(plans)
  }

  /// Makes empty columns for the attributes that the plan feeds; the others keep their defaults.
  public func makeColumns(capacity: Int = 1024) -> AttributeColumns {
    AttributeColumns(entity: entity, places: plans.map(\.place), capacity: capacity)
  }

  /// Appends one record as a row, or takes it back and says of all its fields what is wrong with them.
  public func convert(_ chunk: RecordChunk, _ record: Int, into columns: AttributeColumns) -> Diagnostic? {
    let troubles = chunk.withFields(of: record) { fields -> [(column: Int, trouble: FieldTrouble)] in
      // Empty as long as all is well, which costs nothing.
      var troubles: [(column: Int, trouble: FieldTrouble)] = []
      for (index, plan) in plans.enumerated() {
        do throws(FieldTrouble) {
          try append(plan, fields, columns, columns.columns[index], index)
        } catch {
          troubles.append((index, error))
        }
      }
      return troubles
    }
    if !troubles.isEmpty {
      let invalid = columns.errors(row: columns.rowCount, except: Set(troubles.map(\.column)))
      columns.dropOpenRow()
      let position = chunk.position(record, 0, file)
      return
        (troubles.map { diagnostic($0.trouble, plans[$0.column], chunk, record) }
        + invalid.map { $0.diagnostic(at: position) }).together
    }
    columns.endRow(record: record)
    doubledTimes.note(plans, chunk, record, file)
    return nil
  }

  /// What deserves a word so far, one warning for each attribute with its count, and forgets it.
  public func takeWarnings() -> [Diagnostic] { doubledTimes.takeWarnings(plans, entity: entityName) }
}

// MARK: One field

/// What is wrong with which field.
struct FieldTrouble: Error {
  var trouble: TextTrouble?
  /// The index of the field.
  var field: Int
  /// Whether it has several occurrences where one is wanted.
  var isRepeated: Bool { trouble == nil }
}

extension RecordConverter {
  private func append(
    _ plan: AttributePlan, _ fields: RecordFields, _ columns: AttributeColumns, _ column: RawColumn, _ index: Int
  ) throws(FieldTrouble) {
    switch plan.source {
    case .field(let field):
      guard let text = plan.nulls.text(fields, field) else { break }
      if fields.flags(field).contains(.repeated) { throw FieldTrouble(trouble: nil, field: field) }
      do throws(TextTrouble) {
        try plan.reader.append(text, to: column)
      } catch {
        throw FieldTrouble(trouble: error, field: field)
      }
      return
    case .fields(let several):
      guard let texts = try texts(plan, several, fields), case .kind(let kind) = plan.reader else { break }
      do throws(TextTrouble) {
        columns.append(try kind.stored(columns: texts), column: index)
      } catch {
        throw FieldTrouble(trouble: error, field: several[0])
      }
      return
    case .constant: break
    }
    if plan.whenNull.isNull {
      column.appendNull()
    } else {
      columns.append(plan.whenNull, column: index)
    }
  }

  /// The texts of several fields; nil when all are null. Some of them alone are no value.
  private func texts(
    _ plan: AttributePlan, _ several: [Int], _ fields: RecordFields
  ) throws(FieldTrouble) -> [UnsafeRawBufferPointer]? {
    var texts: [UnsafeRawBufferPointer] = []
    var missing: Int?
    for field in several {
      if let text = plan.nulls.text(fields, field) {
        if fields.flags(field).contains(.repeated) { throw FieldTrouble(trouble: nil, field: field) }
        texts.append(text)
      } else {
        missing = missing ?? field
      }
    }
    if texts.isEmpty { return nil }
    if let missing { throw FieldTrouble(trouble: .form, field: missing) }
    return texts
  }

  private func diagnostic(
    _ trouble: FieldTrouble, _ plan: AttributePlan, _ chunk: RecordChunk, _ record: Int
  ) -> Diagnostic {
    let field = FieldDescription(
      column: columns[trouble.field], attribute: "\(entityName).\(plan.attribute)",
      text: FieldText(chunk, record, plan.source.fields), position: chunk.position(record, trouble.field, file))
    if let text = trouble.trouble { return .notAValue(text, plan.reader, field) }
    return .repeatedField(field)
  }
}

extension RecordChunk {
  /// The place of a field.
  func position(_ record: Int, _ field: Int, _ file: String) -> SourcePosition {
    let position = positions[record]
    return SourcePosition(
      file: file, record: position.record, line: position.line, byte: position.byte, column: field + 1)
  }
}
