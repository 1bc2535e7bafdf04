public import CoreData

/// An object of the entity `Animal`.
#if canImport(ObjectiveC)
  @objc(Animal)
#endif
public class Animal: NSManagedObject {}
