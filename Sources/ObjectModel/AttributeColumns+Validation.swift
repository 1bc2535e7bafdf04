extension AttributeColumns {
  /// What is wrong with a row, by the model's limits, in the first column that has a fault; nil when nothing is.
  ///
  /// Only attributes that have a column are checked.
  public func validate(row: Int) -> ValidationError? {
    for column in checkedColumns {
      let place = places[column]
      if let failure = entity.layout.rules[place].failure(in: columns[column], row: row) {
        return entity.error(failure, entity.layout.attributes[place].path)
      }
    }
    return nil
  }
}
