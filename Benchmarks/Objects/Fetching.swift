import CoreData
import Foundation

/// What a fetch found: the rows, and the sum of their ages, by which it is checked.
struct Found {
  var rows = 0
  var sum = 0

  mutating func add(_ object: NSManagedObject) {
    rows += 1
    sum += object.value(forKey: "age") as? Int ?? 0
  }
}

/// The fetches of people that are timed; nil for a task of another name.
func fetch(_ task: String, _ count: Int, from coordinator: NSPersistentStoreCoordinator) throws -> Found? {
  let context = NSManagedObjectContext(coordinator: coordinator)
  context.isBatch = true
  let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
  var found = Found()
  switch task {
  case "key":
    for index in 0..<count {
      request.predicate = NSPredicate(format: "id == %d", index * 7919 % count + 1)
      for person in try context.fetch(request) { found.add(person) }
    }
  case "scan":
    request.predicate = NSPredicate(format: "balance < 0 AND city BEGINSWITH %@", "大")
    for person in try context.fetch(request) { found.add(person) }
  case "sorted":
    let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Person")
    ids.resultType = .managedObjectIDResultType
    ids.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true), NSSortDescriptor(key: "age", ascending: false)]
    found.rows = try context.fetch(ids).count
  case "objects":
    request.fetchLimit = count
    try context.fetch(request, inBatchesOf: 1000) { people in for person in people { found.add(person) } }
  case "dictionaries":
    let rows = NSFetchRequest<NSDictionary>(entityName: "Person")
    rows.resultType = .dictionaryResultType
    rows.propertiesToFetch = ["age", "name", "balance"]
    rows.fetchLimit = count
    for row in try context.fetch(rows) {
      found.rows += 1
      found.sum += row["age"] as? Int ?? 0
    }
  default: return nil
  }
  return found
}
