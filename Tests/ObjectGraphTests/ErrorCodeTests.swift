import Foundation
import ObjectModel
import TestSupport
import Testing
import Values

@testable import ObjectGraph

/// Each of Core Data's numbers of validation errors, as a save on either store gives it.
@Suite struct ErrorCodeTests {
  /// A model whose entity `Thing` has an attribute or relationship with a limit of every kind.
  private static func model() -> NSManagedObjectModel {
    func limited(
      _ name: String, _ type: NSAttributeType, _ minimum: Value, _ maximum: Value, pattern: String? = nil
    ) -> NSAttributeDescription {
      let attribute = CompanyModel.attribute(name, type)
      attribute.limits.minimum = minimum
      attribute.limits.maximum = maximum
      attribute.limits.regularExpression = pattern
      return attribute
    }
    let (first, last) = (Date(timeIntervalSinceReferenceDate: 0), Date(timeIntervalSinceReferenceDate: 86_400))
    let thing = CompanyModel.entity(
      "Thing",
      [
        CompanyModel.attribute("name", optional: false),
        limited("age", .integer16AttributeType, .integer(16), .integer(99)),
        limited("size", .doubleAttributeType, .real(0.5), .real(1.5)),
        limited("day", .dateAttributeType, .date(first), .date(last)),
        limited("code", .stringAttributeType, .integer(2), .integer(4)),
        limited("plate", .stringAttributeType, .null, .null, pattern: "[A-Z]+[0-9]+"),
        CompanyModel.attribute("site", .URIAttributeType),
      ])
    let part = CompanyModel.entity("Part", [CompanyModel.attribute("name")])
    let parts = CompanyModel.relate(thing, "parts", part, "whole", many: (true, false))
    (parts.minCount, parts.maxCount) = (2, 3)
    CompanyModel.relate(thing, "wards", part, "guard", many: (true, false), rule: .denyDeleteRule)
    let model = NSManagedObjectModel()
    model.entities = [thing, part]
    return model
  }

  private static let wrong:
    [Case<@Sendable (NSManagedObject) -> Void, (code: CocoaError.Code, number: Int, key: String)>] = [
      Case("required", { $0["name"] = nil }, (.validationMissingMandatoryProperty, 1570, "name")),
      Case("too few", { $0["parts"] = parts(1, $0) }, (.validationRelationshipLacksMinimumCount, 1580, "parts")),
      Case("too many", { $0["parts"] = parts(4, $0) }, (.validationRelationshipExceedsMaximumCount, 1590, "parts")),
      Case("large number", { $0["age"] = 100 }, (.validationNumberTooLarge, 1610, "age")),
      Case("small number", { $0["size"] = 0.25 }, (.validationNumberTooSmall, 1620, "size")),
      Case("late", { $0["day"] = Date(timeIntervalSinceReferenceDate: 86_401) }, (.validationDateTooLate, 1630, "day")),
      Case("soon", { $0["day"] = Date(timeIntervalSinceReferenceDate: -1) }, (.validationDateTooSoon, 1640, "day")),
      Case(
        "no date", { $0["day"] = Date(timeIntervalSinceReferenceDate: .nan) }, (.validationInvalidDate, 1650, "day")),
      Case("long", { $0["code"] = "abcde" }, (.validationStringTooLong, 1660, "code")),
      Case("short", { $0["code"] = "a" }, (.validationStringTooShort, 1670, "code")),
      Case("pattern", { $0["plate"] = "12 AB" }, (.validationStringPatternMatching, 1680, "plate")),
    ]

  private static func parts(_ count: Int, _ thing: NSManagedObject) -> Set<NSManagedObject> {
    guard let context = thing.managedObjectContext else { return [] }
    return Set((0..<count).map { _ in NSEntityDescription.insertNewObject(forEntityName: "Part", into: context) })
  }

  private struct Stack {
    let folder: TemporaryFolder
    let context: NSManagedObjectContext
    let thing: NSManagedObject

    /// A store with one sound object.
    init(_ kind: StoreUnderTest) throws {
      folder = try TemporaryFolder()
      let model = ErrorCodeTests.model()
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
      coordinator.add(try kind.make(model, folder))
      context = NSManagedObjectContext(coordinator: coordinator)
      thing = NSEntityDescription.insertNewObject(forEntityName: "Thing", into: context)
      thing["name"] = "a"
      thing["parts"] = parts(2, thing)
      thing["code"] = "ab"
      thing["plate"] = "AB12"
    }
  }

  @Test(arguments: StoreUnderTest.all, wrong)
  private func numbers(
    _ kind: StoreUnderTest,
    _ c: Case<@Sendable (NSManagedObject) -> Void, (code: CocoaError.Code, number: Int, key: String)>
  ) throws {
    // A new object, and one that was saved before.
    for isNew in [true, false] {
      let stack = try Stack(kind)
      if !isNew { try stack.context.save() }
      c.input(stack.thing)
      let error = try #require(#expect(throws: SaveError.self) { try stack.context.save() }) as NSError
      #expect(error.domain == NSCocoaErrorDomain && error.code == c.expected.number)
      #expect(c.expected.code.rawValue == c.expected.number)
      #expect(error.userInfo[NSValidationKeyErrorKey] as? String == c.expected.key)
      #expect(error.userInfo[NSValidationObjectErrorKey] as? NSManagedObject === stack.thing)
      #expect(stack.thing.isInserted == isNew && stack.thing.isUpdated != isNew)
    }
  }

  @Test(arguments: StoreUnderTest.all) func deniedDeletion(_ kind: StoreUnderTest) throws {
    let stack = try Stack(kind)
    stack.thing["wards"] = Self.parts(1, stack.thing)
    try stack.context.save()
    stack.context.delete(stack.thing)
    let error = try #require(#expect(throws: SaveError.self) { try stack.context.save() }) as NSError
    #expect(error.code == 1600 && error.userInfo[NSValidationKeyErrorKey] as? String == "wards")
  }

  /// Others may be deleted only as long as enough are left.
  @Test(arguments: StoreUnderTest.all) func lowerCountsForbidDeletions(_ kind: StoreUnderTest) throws {
    let stack = try Stack(kind)
    let parts = Self.parts(3, stack.thing)
    stack.thing["parts"] = parts
    try stack.context.save()
    let inOrder = parts.sorted { $0.objectID.key < $1.objectID.key }
    stack.context.delete(inOrder[0])
    try stack.context.save()
    stack.context.delete(inOrder[1])
    let error = try #require(#expect(throws: SaveError.self) { try stack.context.save() }) as NSError
    #expect(error.code == 1580 && error.userInfo[NSValidationKeyErrorKey] as? String == "parts")
    stack.context.delete(stack.thing)
    try stack.context.save()
  }

  /// What no save can meet, since no value of another type is ever set, is told of a value alone.
  @Test(arguments: StoreUnderTest.all) func valuesOfAnotherType(_ kind: StoreUnderTest) throws {
    let stack = try Stack(kind)
    func code(_ value: Any?, _ key: String) -> Int? {
      var value = value
      do {
        try stack.thing.validateValue(&value, forKey: key)
        return nil
      } catch { return (error as? ValidationError)?.errorCode }
    }
    #expect(code("no URL", "site") == NSValidationInvalidURIError && NSValidationInvalidURIError == 1690)
    #expect(code("no date", "day") == NSValidationInvalidDateError && code(URL(string: "x:y"), "site") == nil)
    #expect(code("no number", "age") == NSManagedObjectValidationError)
    var text: Any? = "no URL"
    let error = #expect(throws: ValidationError.self) { try stack.thing.validateValue(&text, forKey: "site") }
    #expect(error?.description == "Thing.site is a URL, found no URL")
  }

  /// Foundation on Linux takes no other error for a `CocoaError`, but catches it by its number.
  @Test(arguments: StoreUnderTest.all) func caughtByNumber_DEVIATION(_ kind: StoreUnderTest) throws {
    let stack = try Stack(kind)
    stack.thing["name"] = nil
    func caught() -> String {
      do { try stack.context.save() } catch CocoaError.fileNoSuchFile {
        return "another"
      } catch CocoaError.validationMissingMandatoryProperty {
        return "required"
      } catch {}
      return "not caught"
    }
    #expect(caught() == "required")
    do { try stack.context.save() } catch {
      #expect(error as? CocoaError == nil)
      #expect(((error as NSError) as any Error as? CocoaError)?.code == .validationMissingMandatoryProperty)
    }
  }
}
