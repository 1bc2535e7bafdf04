import Conversion
import Diagnostics
import ObjectModel
import Records
import Values

/// How the records of one input become objects of one entity: made once, before the first record is read.
struct ImportPlan {
  let entity: NSEntityDescription
  let converter: RecordConverter
  let rule: ConflictRule
  /// The key's attributes: their places in the entity's layout and their columns.
  let key: KeyPlan?
  /// The column of the names that the records give to their objects, for later records and steps.
  let names: KeyColumn?
  /// The uniqueness constraints that the columns can break, beside the key.
  let constraints: [KeyPlan]
  /// The relationships that are filled with the object.
  let links: [LinkPlan]
  /// The relationships to the entity's own hierarchy: they may name objects of records further down, and are filled in a
  /// second pass.
  let ownLinks: [LinkPlan]
  /// The to-one relationships that must not stay empty, by place, and the link that fills them.
  let requiredLinks: [Int]
  /// Whether new objects may go to the store as rows, no object being made: nobody has anything to say to their making, they
  /// are valid without relationships, and the constraints are those that are looked up before.
  let allowsRows: Bool
}

/// Some attributes whose values tell objects apart.
struct KeyPlan {
  /// The entity in whose objects the values are looked for.
  let entity: NSEntityDescription
  /// The attributes' names.
  let names: [String]
  /// Their places in the layout of `entity`.
  let places: [Int]
  /// Their columns in the chunk's `AttributeColumns`.
  let columns: [Int]

  /// The values of a row; nil when one is null.
  func values(_ rows: AttributeColumns, _ row: Int) -> [Value]? {
    var values: [Value] = []
    values.reserveCapacity(columns.count)
    for column in columns {
      let value = rows.value(row: row, column: column)
      if value.isNull { return nil }
      values.append(value)
    }
    return values
  }
}
