public import CoreData

/// An object of the entity `Task`.
#if canImport(ObjectiveC)
  @objc(Task)
#endif
public class Task: NSManagedObject {}
