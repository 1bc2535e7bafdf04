public import CoreData

/// An object of the entity `Keeper`.
#if canImport(ObjectiveC)
  @objc(Keeper)
#endif
public class Keeper: NSManagedObject {}
