package import ObjectModel
package import Values

extension NSManagedObjectContext {
  /// Inserts an object of the columns' entity with the values of a row; attributes without a column have their defaults.
  ///
  /// `awakeFromInsert` is called first, so that what the row says stands.
  package func insert(_ columns: AttributeColumns, row: Int) -> NSManagedObject {
    let object = make(columns.entity)
    insert(object)
    columns.read(row: row, into: &object.values)
    return object
  }
}

extension NSManagedObject {
  /// Sets the attributes that the columns have to the values of a row, and says whether any of them was another before.
  ///
  /// The object may be of a subentity of the columns'.
  package func update(from columns: AttributeColumns, row: Int) throws -> Bool {
    try realize()
    var changed = false
    for (column, columnPlace) in columns.places.enumerated() {
      let place = columns.entity === entity ? columnPlace : place(of: columnPlace, in: columns.entity)
      let value = columns.value(row: row, column: column)
      if setValue(value, at: place) { changed = true }
    }
    return changed
  }

  private func place(of place: Int, in superentity: NSEntityDescription) -> Int {
    let path = superentity.layout.attributes[place].path
    guard let own = layout.attributeIndex[path] else {
      preconditionFailure(
        "\(entity.name ?? "") has no attribute \(path): it is no subentity of \(superentity.name ?? "")")
    }
    return own
  }

  /// The value of the attribute at a place of the layout.
  package func value(at place: Int) throws -> Value {
    try realize()
    return values[place]
  }

  /// Sets the attribute at a place of the layout, and says whether it was another before. A fault must have been fulfilled.
  @discardableResult package func setValue(_ value: Value, at place: Int) -> Bool {
    precondition(!state.contains(.fault), "fulfill an object before setting its values by place")
    guard !values[place].isStoredAlike(value) else { return false }
    willChangeStored()
    values[place] = value
    if transients != nil { forgetShadowedValues(at: place) }
    if observers != nil { tellObservers(layout.attributes[place].path) }
    return true
  }
}
