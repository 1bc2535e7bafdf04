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

  /// Makes the plan for a header.
  ///
  /// Everything that does not fit is reported at once: unmatched columns that are neither ignored nor used elsewhere,
  /// required attributes without a column, mappings of unknown attributes or columns, options that contradict each other.
  ///
  /// - Parameters:
  ///   - mappings: the sources of attributes by name; a composite's element is `composite.element`.
  ///   - ignoring: the columns that feed nothing on purpose; `*` means all that are left over.
  ///   - usedElsewhere: the columns that feed relationships and links.
  public init(
    entity: NSEntityDescription, columns: [String], mappings: [String: AttributeMapping] = [:],
    options: ConversionOptions = ConversionOptions(), ignoring: Set<String> = [], usedElsewhere: Set<String> = [],
    file: String = "-"
  ) throws(Diagnostic) {
    self.entity = entity
    self.columns = columns
    self.file = file
  }

  /// Makes empty columns for the attributes that the plan feeds; the others keep their defaults.
  public func makeColumns(capacity: Int = 1024) -> AttributeColumns {
    preconditionFailure("not built yet")
  }

  /// Appends one record as a row, or takes it back and says why.
  public func convert(_ chunk: RecordChunk, _ record: Int, into columns: AttributeColumns) -> Diagnostic? {
    preconditionFailure("not built yet")
  }

  /// What deserves a word so far, one warning for each attribute with its count, and forgets it.
  public func takeWarnings() -> [Diagnostic] {
    preconditionFailure("not built yet")
  }
}
