package import Values

extension NSEntityDescription {
  /// What is wrong with a value of the stored attribute at a place of the layout, if anything is.
  package func validate(_ value: Value, at place: Int) -> ValidationError? {
    layout.rules[place].failure(of: value).map { error($0, layout.attributes[place].path) }
  }

  /// What is wrong with the values of a row, in the order of the layout's attributes.
  package func validate(_ values: [Value]) -> [ValidationError] {
    var errors: [ValidationError] = []
    for (place, rule) in layout.rules.enumerated() {
      if let failure = rule.failure(of: values[place]) { errors.append(error(failure, layout.attributes[place].path)) }
    }
    return errors
  }

  func error(_ failure: ValidationRule.Failure, _ property: String) -> ValidationError {
    ValidationError(
      failure.code, entity: name ?? "", property: property, value: failure.value, limit: failure.limit)
  }
}

extension NSRelationshipDescription {
  /// What is wrong with a number of destinations, if anything is, for an object of an entity.
  ///
  /// An optional relationship may be empty whatever its least number is.
  package func validate(count: Int, of entity: NSEntityDescription) -> ValidationError? {
    func error(_ code: ValidationError.Code, limit: Int) -> ValidationError {
      ValidationError(code, entity: entity.name ?? "", property: name, value: "\(count)", limit: "\(limit)")
    }
    if count == 0 {
      if isOptional { return nil }
      return isToMany
        ? error(.relationshipLacksMinimumCount, limit: max(minCount, 1)) : error(.missingMandatoryProperty, limit: 1)
    }
    if count < minCount { return error(.relationshipLacksMinimumCount, limit: minCount) }
    if maxCount > 0 && count > maxCount { return error(.relationshipExceedsMaximumCount, limit: maxCount) }
    return nil
  }

  /// The error of a deletion that the rule `deny` forbids, for an object of an entity with that many destinations.
  package func deniedDelete(count: Int, of entity: NSEntityDescription) -> ValidationError {
    ValidationError(.relationshipDeniedDelete, entity: entity.name ?? "", property: name, value: "\(count)")
  }
}
