// Made by `gantry model generate`, and made anew each time: nothing written here stays.

public import CoreData

extension Contatto {
  /// A request for the objects of the entity `Contatto`.
  @nonobjc public class func fetchRequest() -> NSFetchRequest<Contatto> {
    NSFetchRequest<Contatto>(entityName: "Contatto")
  }

  /// The attribute `cognome`; it is required.
  public var cognome: String? {
    get { value(forKey: "cognome") as? String }
    set { setValue(newValue, forKey: "cognome") }
  }

  /// The attribute `nick`.
  public var nick: String? {
    get { value(forKey: "nick") as? String }
    set { setValue(newValue, forKey: "nick") }
  }

  /// The attribute `nome`; it is required.
  public var nome: String? {
    get { value(forKey: "nome") as? String }
    set { setValue(newValue, forKey: "nome") }
  }
}

extension Contatto: Identifiable {}
