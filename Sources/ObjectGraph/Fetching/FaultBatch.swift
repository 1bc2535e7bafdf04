/// Faults of one fetch that are read together, when the first of them is used.
final class FaultBatch {
  let objectIDs: [NSManagedObjectID]

  init(_ objectIDs: [NSManagedObjectID]) { self.objectIDs = objectIDs }
}

extension NSManagedObjectContext {
  /// Remembers which faults to read together.
  func readInBatches(_ objectIDs: [NSManagedObjectID], of size: Int) {
    for start in stride(from: 0, to: objectIDs.count, by: size) {
      let batch = FaultBatch(Array(objectIDs[start...].prefix(size)))
      for id in batch.objectIDs { faultBatches[id] = batch }
    }
  }

  /// The faults to be read when one of them is used: those of its batch.
  func batch(of objectID: NSManagedObjectID) -> [NSManagedObjectID] {
    guard let batch = faultBatches[objectID] else { return [objectID] }
    for id in batch.objectIDs { faultBatches[id] = nil }
    // Only those that somebody holds: others would be let go at once.
    return [objectID] + batch.objectIDs.filter { $0 != objectID && registered[$0] != nil }
  }
}
