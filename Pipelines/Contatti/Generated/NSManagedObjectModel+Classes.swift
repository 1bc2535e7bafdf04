// Made by `gantry model generate`, and made anew each time: nothing written here stays.

public import CoreData

extension NSManagedObjectModel {
  /// Makes the objects of the model's entities instances of their classes, which Objective-C finds by their names.
  public func registerClasses() {
    #if !canImport(ObjectiveC)
      register(Contatto.self)
    #endif
  }
}
