import CoreData

/// An object of the entity `Bird`.
#if canImport(ObjectiveC)
  @objc(Bird)
#endif
public class Bird: Animal {}
