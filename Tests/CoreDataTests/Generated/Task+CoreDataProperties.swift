// Made by `gantry model generate`, and made anew each time: nothing written here stays.

public import CoreData

extension Task {
  /// A request for the objects of the entity `Task`.
  @nonobjc public class func fetchRequest() -> NSFetchRequest<Task> {
    NSFetchRequest<Task>(entityName: "Task")
  }

  /// The object of the relationship `keeper`.
  public var keeper: Keeper? {
    get { value(forKey: "keeper") as? Keeper }
    set { setValue(newValue, forKey: "keeper") }
  }

  /// The attribute `title`.
  public var title: String? {
    get { value(forKey: "title") as? String }
    set { setValue(newValue, forKey: "title") }
  }
}

extension Task: Identifiable {}
