public import CoreData

/// An object of the entity `Contatto`.
#if canImport(ObjectiveC)
  @objc(Contatto)
#endif
public class Contatto: NSManagedObject {}
