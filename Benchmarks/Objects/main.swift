import CoreData
import Foundation

// Objects MODEL STORE insert COUNT     inserts books in contexts of 1,000, as an import would
// Objects MODEL STORE cascade COUNT    makes an author of that many books, then times deleting the author
//
// Prints the seconds of what is measured, and the peak memory of the process in MB.

let arguments = CommandLine.arguments
guard arguments.count == 5, let count = Int(arguments[4]), ["insert", "cascade"].contains(arguments[3]) else {
  FileHandle.standardError.write(Data("Objects MODEL STORE insert|cascade COUNT\n".utf8))
  exit(2)
}
let model = try NSManagedObjectModel(contentsOf: URL(fileURLWithPath: arguments[1]))
let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
try coordinator.addPersistentStore(type: .sqlite, at: URL(fileURLWithPath: arguments[2]))

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

func chunks(_ body: (Range<Int>) throws -> Void) rethrows {
  for start in stride(from: 0, to: count, by: 1000) { try body(start..<min(start + 1000, count)) }
}

func print(seconds: Duration) throws {
  let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
  let peak = status.split(separator: "\n").first { $0.hasPrefix("VmHWM") }?.split(separator: " ").dropFirst().first
  let time = Double(seconds.components.seconds) + Double(seconds.components.attoseconds) / 1e18
  Swift.print(String(format: "%.4f %.1f", time, (Double(peak ?? "") ?? .nan) / 1024))
}

let clock = ContinuousClock()
switch arguments[3] {
case "insert":
  try print(seconds: try clock.measure { try chunks { try insert($0) } })
default:  // cascade
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
}
