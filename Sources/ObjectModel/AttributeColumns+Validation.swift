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

  /// Everything that is wrong with a row: what a person wants to read who mends it.
  ///
  /// The row may be the open one; of columns that it has no value in yet nothing is said.
  package func errors(row: Int, except missing: Set<Int> = []) -> [ValidationError] {
    checkedColumns.filter { !missing.contains($0) }.compactMap { column in
      entity.layout.rules[places[column]].failure(in: columns[column], row: row).flatMap { failure in
        entity.error(failure, at: places[column]) { place in
          let column = places.firstIndex(of: place)
          return column.map { missing.contains($0) || columns[$0].isValid(row) }
            ?? !entity.layout.defaultValues[place].isNull
        }
      }
    }
  }

  private func hasValue(_ row: Int, at place: Int) -> Bool {
    places.firstIndex(of: place).map { columns[$0].isValid(row) } ?? !entity.layout.defaultValues[place].isNull
  }
}
