public import Foundation

// Core Data's numbers as Foundation spells them in Swift, to be caught and compared: `catch CocoaError.managedObjectMerge`.
//
// Source: Apple, Core Data, `CocoaError.Code`.

/// Whether an error has Cocoa's domain and a number, whatever its type: Foundation on Linux asks for a `CocoaError`, and takes no
/// other for one.
public func ~= (code: CocoaError.Code, error: any Error) -> Bool {
  let error = error as NSError
  return error.domain == NSCocoaErrorDomain && error.code == code.rawValue
}

extension CocoaError.Code {
  /// The number that says: an object is not valid for a reason of its own.
  public static var managedObjectValidation: Self { Self(rawValue: NSManagedObjectValidationError) }
  /// The number that says: there are several errors.
  public static var validationMultipleErrors: Self { Self(rawValue: NSValidationMultipleErrorsError) }
  /// The number that says: a required property has no value.
  public static var validationMissingMandatoryProperty: Self {
    Self(rawValue: NSValidationMissingMandatoryPropertyError)
  }
  /// The number that says: a relationship has too few objects.
  public static var validationRelationshipLacksMinimumCount: Self {
    Self(rawValue: NSValidationRelationshipLacksMinimumCountError)
  }
  /// The number that says: a relationship has too many objects.
  public static var validationRelationshipExceedsMaximumCount: Self {
    Self(rawValue: NSValidationRelationshipExceedsMaximumCountError)
  }
  /// The number that says: a relationship denies the deletion.
  public static var validationRelationshipDeniedDelete: Self {
    Self(rawValue: NSValidationRelationshipDeniedDeleteError)
  }
  /// The number that says: a number is too large.
  public static var validationNumberTooLarge: Self { Self(rawValue: NSValidationNumberTooLargeError) }
  /// The number that says: a number is too small.
  public static var validationNumberTooSmall: Self { Self(rawValue: NSValidationNumberTooSmallError) }
  /// The number that says: a date is too late.
  public static var validationDateTooLate: Self { Self(rawValue: NSValidationDateTooLateError) }
  /// The number that says: a date is too soon.
  public static var validationDateTooSoon: Self { Self(rawValue: NSValidationDateTooSoonError) }
  /// The number that says: a value is no date.
  public static var validationInvalidDate: Self { Self(rawValue: NSValidationInvalidDateError) }
  /// The number that says: a string is too long.
  public static var validationStringTooLong: Self { Self(rawValue: NSValidationStringTooLongError) }
  /// The number that says: a string is too short.
  public static var validationStringTooShort: Self { Self(rawValue: NSValidationStringTooShortError) }
  /// The number that says: a string does not match its pattern.
  public static var validationStringPatternMatching: Self { Self(rawValue: NSValidationStringPatternMatchingError) }
  /// The number that says: a value is no URL.
  public static var validationInvalidURI: Self { Self(rawValue: NSValidationInvalidURIError) }
  /// The number that says: somebody else changed objects meanwhile.
  public static var managedObjectMerge: Self { Self(rawValue: NSManagedObjectMergeError) }
  /// The number that says: objects have the same values where the model demands different ones.
  public static var managedObjectConstraintMerge: Self { Self(rawValue: NSManagedObjectConstraintMergeError) }
  /// The number that says: a store cannot be written.
  public static var persistentStoreSave: Self { Self(rawValue: NSPersistentStoreSaveError) }
}

extension CocoaError {
  /// The number that says: an object is not valid for a reason of its own.
  public static var managedObjectValidation: Code { .managedObjectValidation }
  /// The number that says: there are several errors.
  public static var validationMultipleErrors: Code { .validationMultipleErrors }
  /// The number that says: a required property has no value.
  public static var validationMissingMandatoryProperty: Code { .validationMissingMandatoryProperty }
  /// The number that says: a relationship has too few objects.
  public static var validationRelationshipLacksMinimumCount: Code { .validationRelationshipLacksMinimumCount }
  /// The number that says: a relationship has too many objects.
  public static var validationRelationshipExceedsMaximumCount: Code { .validationRelationshipExceedsMaximumCount }
  /// The number that says: a relationship denies the deletion.
  public static var validationRelationshipDeniedDelete: Code { .validationRelationshipDeniedDelete }
  /// The number that says: a number is too large.
  public static var validationNumberTooLarge: Code { .validationNumberTooLarge }
  /// The number that says: a number is too small.
  public static var validationNumberTooSmall: Code { .validationNumberTooSmall }
  /// The number that says: a date is too late.
  public static var validationDateTooLate: Code { .validationDateTooLate }
  /// The number that says: a date is too soon.
  public static var validationDateTooSoon: Code { .validationDateTooSoon }
  /// The number that says: a value is no date.
  public static var validationInvalidDate: Code { .validationInvalidDate }
  /// The number that says: a string is too long.
  public static var validationStringTooLong: Code { .validationStringTooLong }
  /// The number that says: a string is too short.
  public static var validationStringTooShort: Code { .validationStringTooShort }
  /// The number that says: a string does not match its pattern.
  public static var validationStringPatternMatching: Code { .validationStringPatternMatching }
  /// The number that says: a value is no URL.
  public static var validationInvalidURI: Code { .validationInvalidURI }
  /// The number that says: somebody else changed objects meanwhile.
  public static var managedObjectMerge: Code { .managedObjectMerge }
  /// The number that says: objects have the same values where the model demands different ones.
  public static var managedObjectConstraintMerge: Code { .managedObjectConstraintMerge }
  /// The number that says: a store cannot be written.
  public static var persistentStoreSave: Code { .persistentStoreSave }
}
