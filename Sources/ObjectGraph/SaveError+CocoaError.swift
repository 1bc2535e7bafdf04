import Diagnostics
public import Foundation
import ObjectModel

// An error of a save as Cocoa knows it: `error as NSError` has Apple's domain, code and `userInfo`.
//
// Source: Apple, Core Data, "Core Data error codes" and "NSError keys".

/// The key of the errors of an error of several (`NSValidationMultipleErrorsError`): an array of `NSError`.
public let NSDetailedErrorsKey = "NSDetailedErrors"
/// The key of the object that is not valid.
public let NSValidationObjectErrorKey = "NSValidationErrorObject"
/// The key of the name of the property that is not valid.
public let NSValidationKeyErrorKey = "NSValidationErrorKey"
/// The key of the value that is not valid.
public let NSValidationValueErrorKey = "NSValidationErrorValue"
/// The key of the limit that is not kept, in words.
public let NSValidationPredicateErrorKey = "NSValidationErrorPredicate"
/// The key of the IDs of the objects that a save did not write.
public let NSAffectedObjectsErrorKey = "NSAffectedObjectsErrorKey"
/// The key of the conflicts that a context has found: an array of `NSMergeConflict` for objects that somebody else changed, of
/// `NSConstraintConflict` for those that would be doubles.
public let NSPersistentStoreSaveConflictsErrorKey = "conflictList"

/// The number of an error of an object that is not valid for a reason of its own.
public let NSManagedObjectValidationError = 1550
/// The number of an error of several.
public let NSValidationMultipleErrorsError = 1560
/// The number of an error of a required property without a value.
public let NSValidationMissingMandatoryPropertyError = 1570
/// The number of an error of a relationship with too few objects.
public let NSValidationRelationshipLacksMinimumCountError = 1580
/// The number of an error of a relationship with too many objects.
public let NSValidationRelationshipExceedsMaximumCountError = 1590
/// The number of an error of a deletion that a relationship denies.
public let NSValidationRelationshipDeniedDeleteError = 1600
/// The number of an error of a number that is too large.
public let NSValidationNumberTooLargeError = 1610
/// The number of an error of a number that is too small.
public let NSValidationNumberTooSmallError = 1620
/// The number of an error of a date that is too late.
public let NSValidationDateTooLateError = 1630
/// The number of an error of a date that is too soon.
public let NSValidationDateTooSoonError = 1640
/// The number of an error of what is no date.
public let NSValidationInvalidDateError = 1650
/// The number of an error of a string that is too long.
public let NSValidationStringTooLongError = 1660
/// The number of an error of a string that is too short.
public let NSValidationStringTooShortError = 1670
/// The number of an error of a string that does not match its pattern.
public let NSValidationStringPatternMatchingError = 1680
/// The number of an error of what is no URL.
public let NSValidationInvalidURIError = 1690
/// The number of an error of objects that somebody else changed meanwhile.
public let NSManagedObjectMergeError = 133020
/// The number of an error of objects that have the same values where the model demands different ones.
public let NSManagedObjectConstraintMergeError = 133021
/// The number of an error of a store that cannot be written.
public let NSPersistentStoreSaveError = 134030

extension SaveError: CustomNSError, LocalizedError {
  /// Cocoa's domain.
  public static var errorDomain: String { NSCocoaErrorDomain }

  /// Core Data's number.
  public var errorCode: Int {
    switch self {
    case .validation(let invalid): invalid.count == 1 ? invalid[0].error.errorCode : NSValidationMultipleErrorsError
    case .conflict: NSManagedObjectMergeError
    case .duplicate: NSManagedObjectConstraintMergeError
    case .store: NSPersistentStoreSaveError
    }
  }

  /// What Core Data tells under its keys, and the description.
  public var errorUserInfo: [String: Any] {
    var userInfo: [String: Any] = [:]
    switch self {
    case .validation(let invalid):
      if invalid.count == 1 {
        userInfo = invalid[0].userInfo
      } else {
        userInfo[NSDetailedErrorsKey] = invalid.map {
          NSError(domain: NSCocoaErrorDomain, code: $0.error.errorCode, userInfo: $0.userInfo)
        }
      }
    case .conflict(let conflicts):
      userInfo[NSAffectedObjectsErrorKey] = conflicts.map(\.objectID)
      userInfo[NSPersistentStoreSaveConflictsErrorKey] = conflicts.compactMap(\.mergeConflict)
    case .duplicate(let duplicates):
      var conflicts: [NSConstraintConflict] = []
      // One conflict may be that of several objects.
      for case let conflict? in duplicates.map(\.constraintConflict)
      where !conflicts.contains(where: { $0 === conflict }) {
        conflicts.append(conflict)
      }
      userInfo[NSAffectedObjectsErrorKey] = duplicates.map(\.objectID)
      userInfo[NSPersistentStoreSaveConflictsErrorKey] = conflicts
    case .store(let diagnostic): userInfo[NSUnderlyingErrorKey] = diagnostic
    }
    if let errorDescription { userInfo[NSLocalizedDescriptionKey] = errorDescription }
    return userInfo
  }

  /// What is wrong, in one line for each object.
  public var errorDescription: String? {
    switch self {
    case .validation(let invalid): invalid.map(\.error.description).joined(separator: "\n")
    case .conflict(let conflicts):
      conflicts.map { "\($0.objectID.uriRepresentation().absoluteString) was changed or deleted by somebody else" }
        .joined(separator: "\n")
    case .duplicate(let duplicates):
      duplicates.map {
        "another \($0.objectID.entity.name ?? "object") has the same \($0.constraint.joined(separator: ", "))"
      }.joined(separator: "\n")
    case .store(let diagnostic): diagnostic.description
    }
  }
}

extension SaveError.Invalid {
  fileprivate var userInfo: [String: Any] {
    var userInfo: [String: Any] = [NSLocalizedDescriptionKey: error.description]
    if !error.property.isEmpty { userInfo[NSValidationKeyErrorKey] = error.property }
    if !error.limit.isEmpty { userInfo[NSValidationPredicateErrorKey] = error.limit }
    if let object {
      userInfo[NSValidationObjectErrorKey] = object
      if object.layout.propertiesByName[error.property] != nil || object.layout.attributeIndex[error.property] != nil {
        userInfo[NSValidationValueErrorKey] = object.value(forKey: error.property)
      }
    }
    if let underlyingError { userInfo[NSUnderlyingErrorKey] = underlyingError }
    return userInfo
  }
}
