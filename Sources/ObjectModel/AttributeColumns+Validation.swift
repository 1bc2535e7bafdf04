import Bytes
import Values

extension AttributeColumns {
  /// What is wrong with a row, by the model's limits, in the first column that has a fault; nil when nothing is.
  ///
  /// Only attributes that have a column are checked.
  public func validate(row: Int) -> ValidationError? {
    for column in checkedColumns {
      let place = places[column]
      if let failure = entity.layout.rules[place].failure(in: columns[column], row: row),
        let error = entity.error(failure, at: place, where: { hasValue(row, at: $0) })
      {
        return error
      }
    }
    return nil
  }

  private func hasValue(_ row: Int, at place: Int) -> Bool {
    places.firstIndex(of: place).map { columns[$0].isValid(row) } ?? !entity.layout.defaultValues[place].isNull
  }
}
