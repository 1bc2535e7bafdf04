import CoreData
import Foundation
import TestSupport
import Testing

/// The classes that `gantry model generate` has made of a model with every kind of property, in use.
struct GeneratedClassesTests {
  static let stores = [NSSQLiteStoreType, NSInMemoryStoreType]

  @Test(arguments: stores) func attributes(_ store: String) throws {
    let zoo = try Zoo(store)
    defer { withExtendedLifetime(zoo) {} }
    let bird: Bird = try zoo.insert("Bird")
    #expect(bird.canFly && bird.eggs == 0 && bird.weight == 0 && bird.rank == nil && bird.price == nil)
    let (ring, born) = (UUID(), Date(timeIntervalSinceReferenceDate: 1000))
    bird.name = "Pingu"
    bird.default = "a word of Swift's"
    bird.canFly = false
    bird.eggs = .max
    bird.weight = 4.5
    bird.wingspan = 0.25
    bird.rank = 7
    bird.price = NSDecimalNumber(string: "1.10")
    bird.born = born
    bird.ring = ring
    bird.photo = Data([1, 2])
    bird.home = URL(string: "https://example.org")
    let read: Bird = try zoo.savedAndReread(bird)
    #expect(read.name == "Pingu" && read.default == "a word of Swift's" && !read.canFly && read.eggs == .max)
    #expect(
      read.weight == 4.5 && read.wingspan == 0.25 && read.rank == 7
        && read.price?.decimalValue == Decimal(string: "1.10"))
    #expect(read.born == born && read.ring == ring && read.photo == Data([1, 2]))
    #expect(read.home?.absoluteString == "https://example.org")
  }

  @Test(arguments: stores) func enumerationsAndShadows(_ store: String) throws {
    let zoo = try Zoo(store)
    defer { withExtendedLifetime(zoo) {} }
    let bird: Bird = try zoo.insert("Bird")
    bird.name = "Pingu"
    #expect(bird.sex == .unknown && bird.size == nil && bird.nest == nil && bird.color == nil)
    bird.sex = .female
    bird.size = .large
    bird.nest = CGRect(x: 1, y: 2, width: 3, height: 4)
    bird.color = Colour(red: 1, green: 0.5, blue: 0)
    let read: Bird = try zoo.savedAndReread(bird)
    #expect(read.sex == .female && read.sexRawValue == 1)
    #expect(read.size == .large && read.sizeWord == "large")
    #expect(read.nest == CGRect(x: 1, y: 2, width: 3, height: 4) && read.nestAsString == "{{1, 2}, {3, 4}}")
    #expect(read.color?.rgb ?? (0, 0, 0) == (1, 0.5, 0) && read.colorData != nil)
    // Neither a number that is no case nor none at all is lost or trapped on, set here or read from the store.
    read.sexRawValue = 9
    #expect(read.sex == .unknown && read.sexRawValue == 9)
    bird.setValue(9, forKey: "sex")
    let strange: Bird = try zoo.savedAndReread(bird)
    #expect(strange.sex == .unknown && strange.sexRawValue == 9)
    bird.setValue(nil, forKey: "sex")
    #expect(bird.sex == .unknown && bird.sexRawValue == 0)
    #expect(Bird.Sex.allCases == [.unknown, .female, .male])
  }

  /// Of a class and its superclass each has its request.
  @Test(arguments: stores) func fetchRequests(_ store: String) throws {
    let zoo = try Zoo(store)
    defer { withExtendedLifetime(zoo) {} }
    for name in ["Pingu", "Hedwig"] {
      let bird: Bird = try zoo.insert("Bird")
      bird.name = name
    }
    let request: NSFetchRequest<Bird> = Bird.fetchRequest()
    request.predicate = NSPredicate(format: "name BEGINSWITH %@", "P")
    let birds: [Bird] = try zoo.fetch(request)
    let animals: [Animal] = try zoo.fetch(Animal.fetchRequest())
    #expect(birds.map(\.name) == ["Pingu"] && animals.count == 2 && animals.allSatisfy { $0 is Bird })
  }

  @Test(arguments: stores) func relationships(_ store: String) throws {
    let zoo = try Zoo(store)
    defer { withExtendedLifetime(zoo) {} }
    let keeper: Keeper = try zoo.insert("Keeper")
    let birds: [Bird] = try (0..<3).map { _ in try zoo.insert("Bird") }
    for (index, bird) in birds.enumerated() { bird.name = "\(index)" }
    birds[0].keeper = keeper
    keeper.addToAnimals(birds[1])
    keeper.addToAnimals([birds[2]])
    keeper.removeFromAnimals(birds[0])
    let tasks: [Task] = try ["feed", "clean", "count"].map { title in
      let task: Task = try zoo.insert("Task")
      task.title = title
      return task
    }
    keeper.addToTasks(tasks[0])
    keeper.addToTasks([tasks[1]])
    keeper.insertIntoTasks(tasks[2], at: 0)
    let read: Keeper = try zoo.savedAndReread(keeper)
    #expect(Set(read.animals.map(\.name)) == ["1", "2"])
    #expect(read.animals.allSatisfy { $0 is Bird && $0.keeper === read })
    #expect(read.tasks.map(\.title) == ["count", "feed", "clean"])
    read.removeFromTasks(at: 1)
    read.replaceTasks(at: 0, with: read.tasks[1])
    #expect(read.tasks.map(\.title) == ["clean"])
    read.animals = []
    read.removeFromTasks(read.tasks)
    #expect(read.animals.isEmpty && read.tasks.isEmpty)
  }
}

/// A store with a context on it, and the contexts that have read it.
private final class Zoo {
  private let folder: TemporaryFolder
  private let container: NSPersistentContainer
  private let context: NSManagedObjectContext
  private var readers: [NSManagedObjectContext] = []

  init(_ type: String) throws {
    folder = try TemporaryFolder()
    let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let model = try NSManagedObjectModel(contentsOf: url.appendingPathComponent("Everything.xcdatamodel"))
    model.registerClasses()
    container = NSPersistentContainer(name: "Everything", managedObjectModel: model)
    let description = NSPersistentStoreDescription(url: folder.url.appendingPathComponent("s.sqlite"))
    description.type = type
    container.persistentStoreDescriptions = [description]
    container.loadPersistentStores { #expect($1 == nil) }
    context = container.newBackgroundContext()
  }

  func insert<T: NSManagedObject>(_ entity: String) throws -> T {
    try #require(NSEntityDescription.insertNewObject(forEntityName: entity, into: context) as? T)
  }

  func fetch<T>(_ request: NSFetchRequest<T>) throws -> [T] {
    try context.save()
    return try context.fetch(request)
  }

  /// The object as another context reads it.
  func savedAndReread<T: NSManagedObject>(_ object: T) throws -> T {
    try context.save()
    let reader = container.newBackgroundContext()
    readers.append(reader)
    return try #require(try reader.existingObject(with: object.objectID) as? T)
  }
}
