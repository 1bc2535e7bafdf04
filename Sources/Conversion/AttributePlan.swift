import Diagnostics
import ObjectModel
import Values

/// How one column of the rows is filled; a class, since what is followed for each field should not be copied for each.
final class AttributePlan {
  /// Where the text comes from.
  enum Source: Equatable {
    /// A field of the record, by index.
    case field(Int)
    /// Several fields that make one value.
    case fields([Int])
    /// The same value in every record: what stands for null.
    case constant

    /// The indices of the fields.
    var fields: [Int] {
      switch self {
      case .field(let field): [field]
      case .fields(let fields): fields
      case .constant: []
      }
    }
  }

  /// The name of the attribute that users see, or the path.
  let attribute: String
  /// The place of the stored attribute in the entity's layout.
  let place: Int
  let source: Source
  let reader: FieldReader
  let nulls: NullRule
  /// The value where the field is null: declared by the mapping, or the default of a required attribute, unless the mapping says
  /// otherwise.
  let whenNull: Value

  init(
    attribute: String, place: Int, source: Source, reader: FieldReader, nulls: NullRule, whenNull: Value
  ) {
    self.attribute = attribute
    self.place = place
    self.source = source
    self.reader = reader
    self.nulls = nulls
    self.whenNull = whenNull
  }
}
