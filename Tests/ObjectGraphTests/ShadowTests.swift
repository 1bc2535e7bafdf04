import Diagnostics
import Foundation
import ObjectModel
import TestSupport
import Testing
import Values

@testable import ObjectGraph

/// A shape with an instance variable of its own for the rectangle, by primitive accessors.
private final class OutlinedShape: NSManagedObject {
  private var knownFrame: CGRect?

  var frame: CGRect? {
    get {
      willAccessValue(forKey: "frame")
      defer { didAccessValue(forKey: "frame") }
      if let knownFrame { return knownFrame }
      knownFrame = (primitiveValue(forKey: "outline") as? String).flatMap(Self.rect)
      return knownFrame
    }
    set {
      willChangeValue(forKey: "frame")
      knownFrame = newValue
      setPrimitiveValue(
        newValue.map { "\($0.origin.x) \($0.origin.y) \($0.size.width) \($0.size.height)" }, forKey: "outline")
      didChangeValue(forKey: "frame")
    }
  }

  private static func rect(_ text: String) -> CGRect? {
    let parts = text.split(separator: " ").compactMap { Double($0) }
    return parts.count == 4 ? CGRect(x: parts[0], y: parts[1], width: parts[2], height: parts[3]) : nil
  }
}

/// A shape that notes which values it has when it is read.
private final class WatchedShape: NSManagedObject {
  var atFetch: [String: Bool] = [:]
  override func awakeFromFetch() {
    for key in ["now", "later"] { atFetch[key] = primitiveValue(forKey: key) != nil }
  }
}

@Suite struct ShadowTests {
  /// A shape's store: `now` and `late` are colours, the one with an immediate, the other with a delayed setter; `ready` is made
  /// when the object is read.
  private final class Shapes {
    let context: NSManagedObjectContext
    let coordinator: NSPersistentStoreCoordinator
    private let model = NSManagedObjectModel()
    private let folder: TemporaryFolder

    init(_ kind: StoreUnderTest, requiredLate: Bool = false, className: String? = nil) throws {
      func attribute(_ name: String, _ type: NSAttributeType, _ info: [String: String]? = nil) -> NSAttributeDescription
      {
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.attributeType = type
        attribute.isOptional = true
        attribute.isTransient = info != nil
        attribute.userInfo = info ?? [:]
        return attribute
      }
      let lateData = attribute("laterData", .binaryDataAttributeType)
      lateData.isOptional = !requiredLate
      let shape = NSEntityDescription()
      shape.name = "Shape"
      shape.managedObjectClassName = className ?? "NSManagedObject"
      shape.properties = [
        attribute("now", .undefinedAttributeType, ["kind": "color"]), attribute("nowData", .binaryDataAttributeType),
        attribute("later", .undefinedAttributeType, ["kind": "color", "setter": "delayed", "getter": "precomputed"]),
        lateData, attribute("bounds", .undefinedAttributeType, ["kind": "rect"]),
        attribute("boundsAsString", .stringAttributeType), attribute("outline", .stringAttributeType),
        attribute("frame", .undefinedAttributeType, [:]), attribute("name", .stringAttributeType),
      ]
      model.entities = [shape]
      model.register(OutlinedShape.self)
      model.register(WatchedShape.self)
      folder = try TemporaryFolder()
      coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
      coordinator.add(try kind.make(model, folder))
      context = NSManagedObjectContext(coordinator: coordinator)
    }

    func insert() -> NSManagedObject { NSEntityDescription.insertNewObject(forEntityName: "Shape", into: context) }
  }

  private static let red = Colour(red: 1, green: 0, blue: 0)
  private static let blue = Colour(red: 0, green: 0, blue: 1, alpha: 0.5)

  @Test(arguments: StoreUnderTest.all) func immediateSetterAndGetterOnDemand(_ kind: StoreUnderTest) throws {
    let shapes = try Shapes(kind)
    let shape = shapes.insert()
    shape.setValue(Self.red, forKey: "now")
    #expect((shape.value(forKey: "nowData") as? Data)?.prefix(8) == Data("bplist00".utf8))
    shape.setValue(CGRect(x: 0, y: 0, width: 10.5, height: 20), forKey: "bounds")
    #expect(shape.value(forKey: "boundsAsString") as? String == "{{0, 0}, {10.5, 20}}")
    try shapes.context.save()

    let other = NSManagedObjectContext(coordinator: shapes.coordinator)
    let read = try other.existingObject(with: shape.objectID)
    #expect(read.primitiveValue(forKey: "now") == nil)
    #expect(read.value(forKey: "now") as? Colour == Self.red)
    #expect(read.primitiveValue(forKey: "now") as? Colour == Self.red)
    #expect(read.value(forKey: "bounds") as? CGRect == CGRect(x: 0, y: 0, width: 10.5, height: 20))
    #expect(!read.hasChanges)
    read.setValue(nil, forKey: "now")
    #expect(read.value(forKey: "now") == nil && read.value(forKey: "nowData") == nil)
    #expect(read.changedValues().keys.sorted() == ["nowData"])
  }

  @Test(arguments: StoreUnderTest.all) func delayedSetterAndPrecomputedGetter(_ kind: StoreUnderTest) throws {
    let shapes = try Shapes(kind, className: "WatchedShape")
    let shape = shapes.insert()
    shape.setValue(Self.red, forKey: "now")
    shape.setValue(Self.blue, forKey: "later")
    #expect(shape.value(forKey: "later") as? Colour == Self.blue)
    #expect(shape.value(forKey: "laterData") == nil)
    try shapes.context.save()
    #expect(shape.value(forKey: "laterData") != nil)
    #expect(shape.value(forKey: "later") as? Colour == Self.blue)
    #expect(!shapes.context.hasChanges)

    let other = NSManagedObjectContext(coordinator: shapes.coordinator)
    let read = try #require(try other.existingObject(with: shape.objectID) as? WatchedShape)
    #expect(read.atFetch == ["now": false, "later": true])
    #expect(read.value(forKey: "later") as? Colour == Self.blue)
    // Only a delayed value: the object is changed, and its row is at the save.
    read.setValue(Self.red, forKey: "later")
    #expect(read.isUpdated)
    try other.save()
    let third = NSManagedObjectContext(coordinator: shapes.coordinator)
    #expect(try third.existingObject(with: shape.objectID).value(forKey: "later") as? Colour == Self.red)
  }

  /// The transient value and its shadow are one change, whichever setter there is: one step brings both back.
  @Test(arguments: StoreUnderTest.all, ["now", "later"])
  func undoSeesOneChange(_ kind: StoreUnderTest, key: String) throws {
    let shapes = try Shapes(kind)
    let manager = UndoManager()
    shapes.context.undoManager = manager
    let shape = shapes.insert()
    shape.setValue(Self.red, forKey: key)
    try shapes.context.save()
    manager.removeAllActions()
    func values() -> [AnyHashable?] {
      [shape.value(forKey: key) as? Colour, shape.value(forKey: key + "Data") as? Data]
    }
    let before = values()
    shape.setValue(Self.blue, forKey: key)
    shapes.context.processPendingChanges()
    let after = values()
    #expect(shape.value(forKey: key) as? Colour == Self.blue)

    shapes.context.undo()
    #expect(values() == before)
    #expect(!manager.canUndo && manager.canRedo)
    shapes.context.redo()
    #expect(values() == after)
    #expect(!manager.canRedo)
    try shapes.context.save()
    let other = NSManagedObjectContext(coordinator: shapes.coordinator)
    #expect(try other.existingObject(with: shape.objectID).value(forKey: key) as? Colour == Self.blue)

    shapes.context.undo()
    try shapes.context.save()
    let third = NSManagedObjectContext(coordinator: shapes.coordinator)
    #expect(try third.existingObject(with: shape.objectID).value(forKey: key) as? Colour == Self.red)
  }

  /// As Apple documents: validation comes before the late update.
  @Test(arguments: StoreUnderTest.all) func aRequiredLateShadowFailsItsFirstSave(_ kind: StoreUnderTest) throws {
    let shapes = try Shapes(kind, requiredLate: true)
    let shape = shapes.insert()
    shape.setValue(Self.blue, forKey: "later")
    #expect(throws: SaveError.self) { try shapes.context.save() }
    #expect(shape.value(forKey: "later") as? Colour == Self.blue)
    shape.setValue(Data([1]), forKey: "laterData")
    shape.setValue(Self.red, forKey: "later")
    try shapes.context.save()
    #expect(shape.value(forKey: "later") as? Colour == Self.red)
    // From now on there is a value when it is validated.
    shape.setValue(Self.blue, forKey: "later")
    try shapes.context.save()
    // What the late update itself breaks is found by the second validation.
    shape.setValue(nil, forKey: "later")
    #expect(throws: SaveError.self) { try shapes.context.save() }
  }

  @Test(arguments: StoreUnderTest.all) func theLastSettingCounts(_ kind: StoreUnderTest) throws {
    let shapes = try Shapes(kind)
    let shape = shapes.insert()
    shape.setValue(Self.red, forKey: "now")
    let red = shape.value(forKey: "nowData")
    shape.setValue(Self.blue, forKey: "now")
    shape.setValue(red, forKey: "nowData")
    #expect(shape.value(forKey: "now") as? Colour == Self.red)
    shape.setValue(Self.blue, forKey: "later")
    shape.setValue(red, forKey: "laterData")
    try shapes.context.save()
    #expect(shape.value(forKey: "laterData") as? Data == red as? Data)
    #expect(shape.value(forKey: "later") as? Colour == Self.red)
  }

  @Test(arguments: StoreUnderTest.all) func rollbackForgetsWhatWasSet(_ kind: StoreUnderTest) throws {
    let shapes = try Shapes(kind)
    let shape = shapes.insert()
    shape.setValue(Self.red, forKey: "now")
    shape.setValue(Self.red, forKey: "later")
    try shapes.context.save()
    shape.setValue(Self.blue, forKey: "now")
    shape.setValue(Self.blue, forKey: "later")
    shapes.context.rollback()
    #expect(shape.value(forKey: "now") as? Colour == Self.red)
    #expect(shape.value(forKey: "later") as? Colour == Self.red)
    try shapes.context.save()
    #expect(shape.value(forKey: "later") as? Colour == Self.red)
  }

  @Test(arguments: StoreUnderTest.all) func anUnreadableShadowIsGivenAsItIs(_ kind: StoreUnderTest) throws {
    let shapes = try Shapes(kind)
    let shape = shapes.insert()
    shape.setValue(Data([1, 2]), forKey: "nowData")
    #expect(shape.value(forKey: "now") as? Data == Data([1, 2]))
    try shapes.context.save()
    #expect(shape.value(forKey: "nowData") as? Data == Data([1, 2]))
  }

  @Test(arguments: StoreUnderTest.all) func aValueOfAnotherType(_ kind: StoreUnderTest) throws {
    let shapes = try Shapes(kind)
    let error = #expect(throws: Diagnostic.self) { try shapes.insert().setCheckedValue("red", forKey: "now") }
    #expect(error?.message == "Shape.now takes a value of the type Colour, found String red")
  }

  @Test(arguments: StoreUnderTest.all) func aVariableOfItsOwn(_ kind: StoreUnderTest) throws {
    let shapes = try Shapes(kind, className: "OutlinedShape")
    let shape = try #require(shapes.insert() as? OutlinedShape)
    let frame = CGRect(x: 1, y: 2, width: 3, height: 4)
    shape.frame = frame
    #expect(shape.value(forKey: "outline") as? String == "1.0 2.0 3.0 4.0")
    try shapes.context.save()
    let other = NSManagedObjectContext(coordinator: shapes.coordinator)
    let read = try #require(try other.existingObject(with: shape.objectID) as? OutlinedShape)
    #expect(read.frame == frame && !read.hasChanges)
    read.frame = CGRect(x: 0, y: 0, width: 1, height: 1)
    #expect(read.isUpdated)
    try other.save()
    let third = NSManagedObjectContext(coordinator: shapes.coordinator)
    #expect(try third.existingObject(with: shape.objectID).value(forKey: "outline") as? String == "0.0 0.0 1.0 1.0")
  }
}
