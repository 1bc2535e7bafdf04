// Made by `gantry model generate`, and made anew each time: nothing written here stays.

public import CoreData

extension Animal {
  /// A request for the objects of the entity `Animal`.
  @nonobjc public class func fetchRequest() -> NSFetchRequest<Animal> {
    NSFetchRequest<Animal>(entityName: "Animal")
  }

  /// The attribute `default`.
  public var `default`: String? {
    get { value(forKey: "default") as? String }
    set { setValue(newValue, forKey: "default") }
  }

  /// The object of the relationship `keeper`.
  public var keeper: Keeper? {
    get { value(forKey: "keeper") as? Keeper }
    set { setValue(newValue, forKey: "keeper") }
  }

  /// The attribute `name`; it is required.
  public var name: String? {
    get { value(forKey: "name") as? String }
    set { setValue(newValue, forKey: "name") }
  }
}

extension Animal: Identifiable {}
