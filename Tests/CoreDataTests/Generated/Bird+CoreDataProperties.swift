// Made by `gantry model generate`, and made anew each time: nothing written here stays.

public import CoreData
public import Foundation

extension Bird {
  /// A request for the objects of the entity `Bird`.
  @nonobjc public class func fetchRequest() -> NSFetchRequest<Bird> {
    NSFetchRequest<Bird>(entityName: "Bird")
  }

  /// The attribute `born`.
  public var born: Date? {
    get { value(forKey: "born") as? Date }
    set { setValue(newValue, forKey: "born") }
  }

  /// The attribute `canFly`; it is required.
  public var canFly: Bool {
    get { value(forKey: "canFly") as? Bool ?? false }
    set { setValue(newValue, forKey: "canFly") }
  }

  #if !canImport(ObjectiveC)
    /// The color `color`, which `colorData` keeps.
    public var color: Colour? {
      get { value(forKey: "color") as? Colour }
      set { setValue(newValue, forKey: "color") }
    }
  #endif

  /// The attribute `colorData`.
  public var colorData: Data? {
    get { value(forKey: "colorData") as? Data }
    set { setValue(newValue, forKey: "colorData") }
  }

  /// The attribute `eggs`.
  public var eggs: Int64 {
    get { value(forKey: "eggs") as? Int64 ?? 0 }
    set { setValue(newValue, forKey: "eggs") }
  }

  /// The attribute `home`.
  public var home: URL? {
    get { value(forKey: "home") as? URL }
    set { setValue(newValue, forKey: "home") }
  }

  #if !canImport(ObjectiveC)
    /// The rect `nest`, which `nestAsString` keeps.
    public var nest: CGRect? {
      get { value(forKey: "nest") as? CGRect }
      set { setValue(newValue, forKey: "nest") }
    }
  #endif

  /// The attribute `nestAsString`.
  public var nestAsString: String? {
    get { value(forKey: "nestAsString") as? String }
    set { setValue(newValue, forKey: "nestAsString") }
  }

  /// The attribute `photo`.
  public var photo: Data? {
    get { value(forKey: "photo") as? Data }
    set { setValue(newValue, forKey: "photo") }
  }

  /// The attribute `price`.
  public var price: NSDecimalNumber? {
    get { value(forKey: "price") as? NSDecimalNumber }
    set { setValue(newValue, forKey: "price") }
  }

  /// The attribute `rank`.
  public var rank: NSNumber? {
    get { value(forKey: "rank") as? NSNumber }
    set { setValue(newValue, forKey: "rank") }
  }

  /// The attribute `ring`.
  public var ring: UUID? {
    get { value(forKey: "ring") as? UUID }
    set { setValue(newValue, forKey: "ring") }
  }

  /// The cases of `sex`.
  public enum Sex: Int16, CaseIterable, Sendable {
    case unknown = 0
    case female = 1
    case male = 2
  }

  /// The case of `sex`; `unknown` for none and for a number that is no case.
  public var sex: Sex {
    get { (value(forKey: "sex") as? Int16).flatMap(Sex.init) ?? .unknown }
    set { setValue(newValue.rawValue, forKey: "sex") }
  }

  /// The attribute `sex`; it is required.
  public var sexRawValue: Int16 {
    get { value(forKey: "sex") as? Int16 ?? 0 }
    set { setValue(newValue, forKey: "sex") }
  }

  /// The cases of `size`.
  public enum Size: Int64, CaseIterable, Sendable {
    case small = 1
    case large = 2
  }

  #if !canImport(ObjectiveC)
    /// The case of `size`; nil for none and for a number that is no case.
    public var size: Size? {
      get { (value(forKey: "size") as? Int64).flatMap(Size.init) }
      set { setValue(newValue?.rawValue, forKey: "size") }
    }
  #endif

  /// The attribute `sizeWord`.
  public var sizeWord: String? {
    get { value(forKey: "sizeWord") as? String }
    set { setValue(newValue, forKey: "sizeWord") }
  }

  /// The attribute `weight`.
  public var weight: Double {
    get { value(forKey: "weight") as? Double ?? 0 }
    set { setValue(newValue, forKey: "weight") }
  }

  /// The attribute `wingspan`.
  public var wingspan: Float {
    get { value(forKey: "wingspan") as? Float ?? 0 }
    set { setValue(newValue, forKey: "wingspan") }
  }
}
