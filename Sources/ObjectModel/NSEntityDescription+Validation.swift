package import Values

extension NSEntityDescription {
  /// What is wrong with a value of the stored attribute at a place of the layout, if anything is.
  ///
  /// - Parameter hasValue: whether the row has a value at another place; the default is that it has.
  package func validate(
    _ value: Value, at place: Int, where hasValue: (_ place: Int) -> Bool = { _ in true }
  ) -> ValidationError? {
    layout.rules[place].failure(of: value).flatMap { error($0, at: place, where: hasValue) }
  }

  /// What is wrong with the values of a row, in the order of the layout's attributes.
  package func validate(_ values: [Value]) -> [ValidationError] {
    values.indices.compactMap { place in validate(values[place], at: place) { !values[$0].isNull } }
  }

  /// The error of a rule that is not kept; nil for a value that is missing because its composite is nil.
  func error(
    _ failure: ValidationRule.Failure, at place: Int, where hasValue: (_ place: Int) -> Bool
  ) -> ValidationError? {
    let isMissing = failure.code == .missingMandatoryProperty
    guard !isMissing || layout.requiresValue(at: place, where: hasValue) else { return nil }
    return error(failure, layout.attributes[place].path)
  }

  func error(_ failure: ValidationRule.Failure, _ property: String) -> ValidationError {
    ValidationError(
      failure.code, entity: name ?? "", property: property, value: failure.value, limit: failure.limit)
  }
}

extension NSRelationshipDescription {
  /// Whether there can be too few destinations.
  package var hasLeastCount: Bool { isToMany ? minCount > 0 : !isOptional }

  /// Whether there can be too many destinations.
  package var hasGreatestCount: Bool { maxCount > 0 }

  /// What is wrong with a number of destinations, if anything is, for an object of an entity.
  ///
  /// An optional relationship may be empty whatever its least number is. A to-many relationship that is not optional may be
  /// empty, too, where its least number is 0: an empty set is not nil. Core Data saves such objects, SwiftData's arrays
  /// among them.
  package func validate(count: Int, of entity: NSEntityDescription) -> ValidationError? {
    func error(_ code: ValidationError.Code, limit: Int) -> ValidationError {
      ValidationError(code, entity: entity.name ?? "", property: name, value: "\(count)", limit: "\(limit)")
    }
    if count == 0 && isOptional { return nil }
    if count == 0 && !isToMany { return error(.missingMandatoryProperty, limit: 1) }
    if count < minCount { return error(.relationshipLacksMinimumCount, limit: minCount) }
    if maxCount > 0 && count > maxCount { return error(.relationshipExceedsMaximumCount, limit: maxCount) }
    return nil
  }

  /// The error of a deletion that the rule `deny` forbids, for an object of an entity with that many destinations.
  package func deniedDelete(count: Int, of entity: NSEntityDescription) -> ValidationError {
    ValidationError(.relationshipDeniedDelete, entity: entity.name ?? "", property: name, value: "\(count)")
  }
}
