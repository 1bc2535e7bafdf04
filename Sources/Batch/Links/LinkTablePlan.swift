import Conversion
import Diagnostics
import ObjectModel
import Records
import Values

/// How the records of one input become links of one relationship: made once, before the first record is read.
struct LinkTablePlan {
  /// One end: its entity and the column of its keys.
  struct End {
    let entity: NSEntityDescription
    let key: KeyColumn
    let column: String
  }

  let relationship: NSRelationshipDescription
  let owner: End
  let destination: End
  /// The column of the numbers that order the destinations.
  let order: Int?
  let missing: MissingRule
  let file: String

  /// Fits a step to the columns of its input and to the model; throws for everything that does not fit.
  init(
    _ step: StepConfiguration, _ link: LinkConfiguration, entity: NSEntityDescription, reader: any RecordReader,
    hasNames: Bool
  ) throws(Diagnostic) {
    relationship = try entity.relationship(link.relationship)
    if link.missing == .create { throw .linkCreates(relationship) }
    owner = try End(link.from, of: entity, options: step.conversion, reader: reader, hasNames: hasNames)
    destination = try End(
      link.to, of: relationship.destinationEntity, options: step.conversion, reader: reader, hasNames: hasNames)
    if link.order != nil, !relationship.isOrdered { throw .orderOfUnordered(relationship) }
    if let column = link.order { order = try reader.field(of: column) } else { order = nil }
    missing = link.missing
    file = reader.file
  }
}

extension LinkTablePlan.End {
  fileprivate init(
    _ end: LinkConfiguration.End, of entity: NSEntityDescription, options: ConversionOptions, reader: any RecordReader,
    hasNames: Bool
  ) throws(Diagnostic) {
    self.entity = entity
    column = end.column
    key = try KeyColumn(end.column, by: end.by, of: entity, options: options, reader: reader, hasNames: hasNames)
  }
}
