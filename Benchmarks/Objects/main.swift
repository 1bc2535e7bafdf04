import CoreData
import Foundation

// Objects MODEL STORE insert COUNT     inserts books in contexts of 1,000, as an import would
// Objects MODEL STORE cascade COUNT    makes an author of that many books, then times deleting the author
// Objects MODEL STORE linked COUNT     inserts books in contexts of 1,000, each of which has an author
// Objects MODEL STORE policy COUNT     makes the same at STORE.old, then times making STORE of it by a mapping with a policy
// Objects MODEL STORE TASK COUNT       fetches people: TASK is key, scan, sorted, objects or dictionaries
//
// Prints the seconds of what is measured and the peak memory of the process in MB; of a fetch also what was found.

let arguments = CommandLine.arguments
let tasks = ["insert", "cascade", "linked", "policy", "key", "scan", "sorted", "objects", "dictionaries"]
guard arguments.count == 5, let count = Int(arguments[4]), tasks.contains(arguments[3]) else {
  FileHandle.standardError.write(Data("Objects MODEL STORE \(tasks.joined(separator: "|")) COUNT\n".utf8))
  exit(2)
}
let model = try NSManagedObjectModel(contentsOf: URL(fileURLWithPath: arguments[1]))
let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
let place = URL(fileURLWithPath: arguments[2])
let first = arguments[3] == "policy" ? URL(fileURLWithPath: arguments[2] + ".old") : place
try coordinator.addPersistentStore(type: .sqlite, at: first)

func insert(_ range: Range<Int>, by author: NSManagedObjectID? = nil) throws {
  let context = NSManagedObjectContext(coordinator: coordinator)
  context.isBatch = true
  for index in range {
    let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
    book.setValue("Book \(index)", forKey: "title")
    book.setValue(index % 1000, forKey: "pages")
    book.setValue(Date(timeIntervalSinceReferenceDate: Double(index)), forKey: "published")
    if let author { book.setValue(context.object(with: author), forKey: "author") }
  }
  try context.save()
}

func insertWithAuthor(_ range: Range<Int>) throws {
  let context = NSManagedObjectContext(coordinator: coordinator)
  let author = NSEntityDescription.insertNewObject(forEntityName: "Author", into: context)
  author.setValue("Author \(range.lowerBound)", forKey: "name")
  try context.save()
  try insert(range, by: author.objectID)
}

// MARK: Migrating

/// Does what no mapping model says: a book's length is that of its title in UTF-8.
final class BookPolicy: NSEntityMigrationPolicy {
  override func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: manager.destinationContext)
    for key in ["title", "pages", "published"] { book.setValue(sInstance.value(forKey: key), forKey: key) }
    let title = sInstance.value(forKey: "title") as? String ?? ""
    book.setValue(title.utf8.count, forKey: "length")
    manager.associate(sourceInstance: sInstance, withDestinationInstance: book, for: mapping)
  }
}

/// The next version of the model, beside it, in which books have lengths.
func nextModel() throws -> NSManagedObjectModel {
  let folder = URL(fileURLWithPath: arguments[1]).deletingLastPathComponent()
  return try NSManagedObjectModel(contentsOf: folder.appendingPathComponent("LibraryNext.xcdatamodel"))
}

func mapping(of entity: String, policy: String?, _ attributes: [String], _ relationships: [String: String]) throws
  -> NSEntityMapping
{
  func property(_ name: String, _ expression: String) throws -> NSPropertyMapping {
    let property = NSPropertyMapping()
    property.name = name
    property.valueExpression = try ExpressionTree(format: expression)
    return property
  }
  let mapping = NSEntityMapping()
  mapping.name = "\(entity)To\(entity)"
  (mapping.sourceEntityName, mapping.destinationEntityName) = (entity, entity)
  mapping.entityMigrationPolicyClassName = policy
  mapping.attributeMappings = try attributes.map { try property($0, "$source.\($0)") }
  mapping.relationshipMappings = try relationships.map { name, other in
    try property(
      name,
      "FUNCTION($manager, 'destinationInstancesForEntityMappingNamed:sourceInstances:', '\(other)', $source.\(name))")
  }
  return mapping
}

func migrate() throws {
  BookPolicy.register()
  let mappings = NSMappingModel()
  mappings.entityMappings = [
    try mapping(of: "Author", policy: nil, ["name"], [:]),
    try mapping(of: "Book", policy: "BookPolicy", [], ["author": "AuthorToAuthor"]),
  ]
  let manager = NSMigrationManager(sourceModel: model, destinationModel: try nextModel())
  try manager.migrateStore(from: first, type: .sqlite, mapping: mappings, to: place, type: .sqlite)
}

func chunks(_ body: (Range<Int>) throws -> Void) rethrows {
  for start in stride(from: 0, to: count, by: 1000) { try body(start..<min(start + 1000, count)) }
}

func print(seconds: Duration, _ found: Found? = nil) throws {
  let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
  let peak = status.split(separator: "\n").first { $0.hasPrefix("VmHWM") }?.split(separator: " ").dropFirst().first
  let time = Double(seconds.components.seconds) + Double(seconds.components.attoseconds) / 1e18
  let rows = found.map { " \($0.rows) \($0.sum)" } ?? ""
  Swift.print(String(format: "%.4f %.1f", time, (Double(peak ?? "") ?? .nan) / 1024) + rows)
}

let clock = ContinuousClock()
switch arguments[3] {
case "insert":
  try print(seconds: try clock.measure { try chunks { try insert($0) } })
case "linked":
  try print(seconds: try clock.measure { try chunks { try insertWithAuthor($0) } })
case "policy":
  try chunks { try insertWithAuthor($0) }
  coordinator.persistentStores.forEach(coordinator.remove)
  try print(seconds: try clock.measure { try migrate() })
case "cascade":
  let context = NSManagedObjectContext(coordinator: coordinator)
  let author = NSEntityDescription.insertNewObject(forEntityName: "Author", into: context)
  author.setValue("Ada", forKey: "name")
  try context.save()
  try chunks { try insert($0, by: author.objectID) }
  try print(
    seconds: try clock.measure {
      context.delete(author)
      try context.save()
    })
default:
  var found: Found?
  let seconds = try clock.measure { found = try fetch(arguments[3], count, from: coordinator) }
  try print(seconds: seconds, found)
}
