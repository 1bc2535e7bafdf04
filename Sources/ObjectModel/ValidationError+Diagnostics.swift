public import Diagnostics

extension ValidationError {
  /// What a run reports of it: the record is refused.
  public func diagnostic(at position: SourcePosition? = nil) -> Diagnostic {
    Diagnostic(Diagnostic.Code("validation.\(code.kind)", .reject), description, hint: code.hint, at: position)
  }
}

extension ValidationError: CustomStringConvertible {
  /// The property, what was found and what was expected, in one line.
  public var description: String {
    let name = "\(entity).\(property)"
    return switch code {
    // What a class of its own says.
    case .generic where property.isEmpty: "\(entity) is not valid: \(value)"
    case .generic: "\(name) takes \(ShownText.withArticle(limit)), found \(value)"
    case .missingMandatoryProperty: "\(name) is required, found no value"
    case .relationshipLacksMinimumCount: "\(name) needs at least \(Self.counted(limit, "object")), found \(value)"
    case .relationshipExceedsMaximumCount: "\(name) takes at most \(Self.counted(limit, "object")), found \(value)"
    case .relationshipDeniedDelete:
      "\(name) still has \(Self.counted(value, "object")), which \(value == "1" ? "forbids" : "forbid") the deletion"
    case .numberTooLarge: "\(name) is at most \(limit), found \(value)"
    case .numberTooSmall: "\(name) is at least \(limit), found \(value)"
    case .dateTooLate: "\(name) is at the latest \(limit), found \(value)"
    case .dateTooSoon: "\(name) is at the earliest \(limit), found \(value)"
    case .invalidURI: "\(name) is a URL, found \(value)"
    case .invalidDate: "\(name) is a date, found \(value)"
    case .stringTooLong: "\(name) has at most \(Self.counted(limit, "character")), found \(value)"
    case .stringTooShort: "\(name) has at least \(Self.counted(limit, "character")), found \(value)"
    case .stringPatternMatching: "\(name) matches \(limit), found \(value)"
    }
  }

  private static func counted(_ number: String, _ noun: String) -> String {
    number == "1" ? "1 \(noun)" : "\(number) \(noun)s"
  }
}

extension ValidationError.Code {
  /// How the trouble is mended.
  fileprivate var hint: String {
    switch self {
    case .missingMandatoryProperty:
      "Give it a value, a `whenNull` in the mapping or a default in the model, or make it optional."
    case .relationshipDeniedDelete: "Delete those objects first, or let them go."
    default: "Correct the value, or the rule in the model: apps refuse such an object, too."
    }
  }

  /// The last part of the diagnostic's code.
  var kind: String {
    switch self {
    case .generic: "value"
    case .missingMandatoryProperty: "required"
    case .relationshipLacksMinimumCount: "too-few"
    case .relationshipExceedsMaximumCount: "too-many"
    case .relationshipDeniedDelete: "denied-delete"
    case .numberTooLarge: "too-large"
    case .numberTooSmall: "too-small"
    case .dateTooLate: "too-late"
    case .dateTooSoon: "too-soon"
    case .invalidDate: "date"
    case .stringTooLong: "too-long"
    case .stringTooShort: "too-short"
    case .stringPatternMatching: "pattern"
    case .invalidURI: "url"
    }
  }
}
