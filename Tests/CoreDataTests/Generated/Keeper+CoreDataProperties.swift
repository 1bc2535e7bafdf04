// Made by `gantry model generate`, and made anew each time: nothing written here stays.

public import CoreData

extension Keeper {
  /// A request for the objects of the entity `Keeper`.
  @nonobjc public class func fetchRequest() -> NSFetchRequest<Keeper> {
    NSFetchRequest<Keeper>(entityName: "Keeper")
  }

  /// The objects of the relationship `animals`.
  public var animals: Set<Animal> {
    get { value(forKey: "animals") as? Set<Animal> ?? [] }
    set { setValue(newValue, forKey: "animals") }
  }

  /// Adds an object to `animals`.
  public func addToAnimals(_ value: Animal) { addToAnimals([value]) }

  /// Removes an object from `animals`.
  public func removeFromAnimals(_ value: Animal) { removeFromAnimals([value]) }

  /// Adds objects to `animals`.
  public func addToAnimals(_ values: Set<Animal>) {
    #if canImport(ObjectiveC)
      mutableSetValue(forKey: "animals").addObjects(from: Array(values))
    #else
      add(Array(values), toRelationship: "animals")
    #endif
  }

  /// Removes objects from `animals`.
  public func removeFromAnimals(_ values: Set<Animal>) {
    #if canImport(ObjectiveC)
      mutableSetValue(forKey: "animals").minus(values)
    #else
      remove(Array(values), fromRelationship: "animals")
    #endif
  }

  /// The attribute `name`.
  public var name: String? {
    get { value(forKey: "name") as? String }
    set { setValue(newValue, forKey: "name") }
  }

  /// The objects of the relationship `tasks`, in their order.
  public var tasks: [Task] {
    get {
      #if canImport(ObjectiveC)
        (value(forKey: "tasks") as? NSOrderedSet)?.array as? [Task] ?? []
      #else
        value(forKey: "tasks") as? [Task] ?? []
      #endif
    }
    set {
      #if canImport(ObjectiveC)
        setValue(NSOrderedSet(array: newValue), forKey: "tasks")
      #else
        setValue(newValue, forKey: "tasks")
      #endif
    }
  }

  /// Adds an object to `tasks`, at the end.
  public func addToTasks(_ value: Task) { addToTasks([value]) }

  /// Removes an object from `tasks`.
  public func removeFromTasks(_ value: Task) { removeFromTasks([value]) }

  /// Adds objects to `tasks`, at the end.
  public func addToTasks(_ values: [Task]) {
    #if canImport(ObjectiveC)
      mutableOrderedSetValue(forKey: "tasks").addObjects(from: values)
    #else
      add(values, toRelationship: "tasks")
    #endif
  }

  /// Removes objects from `tasks`.
  public func removeFromTasks(_ values: [Task]) {
    #if canImport(ObjectiveC)
      mutableOrderedSetValue(forKey: "tasks").removeObjects(in: values)
    #else
      remove(values, fromRelationship: "tasks")
    #endif
  }

  /// Puts an object into `tasks`.
  public func insertIntoTasks(_ value: Task, at index: Int) { tasks.insert(value, at: index) }

  /// Removes the object at a place of `tasks`.
  public func removeFromTasks(at index: Int) { tasks.remove(at: index) }

  /// Puts another object at a place of `tasks`.
  public func replaceTasks(at index: Int, with value: Task) { tasks[index] = value }
}

extension Keeper: Identifiable {}
