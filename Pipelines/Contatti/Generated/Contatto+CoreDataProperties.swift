// Made by `gantry model generate`, and made anew each time: nothing written here stays.

import CoreData

extension Contatto {
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
