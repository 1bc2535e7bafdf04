package import ObjectModel
import Values

/// How records that are written for an older version of a model become rows of a newer one, as they are read.
package struct ForwardTransfer: Sendable {
  /// What corresponds.
  package let transfer: StoreTransfer
  /// What the newer version is called.
  package let destinationName: String
  /// What may be lost, by name: `Entity.property`.
  package let allowLoss: Set<String>
  /// Whether values are copied whose meaning has changed, as another version hash modifier says.
  package let copyUnchanged: Bool

  package init(_ transfer: StoreTransfer, to name: String, allowLoss: [String] = [], copyUnchanged: Bool = false) {
    self.transfer = transfer
    destinationName = name
    self.allowLoss = Set(allowLoss)
    self.copyUnchanged = copyUnchanged
  }
}

extension EntityTransfer {
  /// Whether the values of every attribute, read from texts or left at the default, are those of the newer version as they are.
  package var isAsRead: Bool {
    attributes.allSatisfy { $0.source == nil || $0.hasTypeAsRead && $0.hasDefaultAsRead }
      && relationships.allSatisfy { new, old in new.isToMany || !old.isToMany }
  }
}

extension AttributeTransfer {
  /// Whether a value that is read for the older version is one of the newer, but for its range.
  fileprivate var hasTypeAsRead: Bool {
    guard let source else { return true }
    let (old, new) = (source.attribute.attributeType, destination.attribute.attributeType)
    return old == new || old.wholeNumbers != nil && new.wholeNumbers != nil
  }

  /// Whether a new object has what it would have kept of the older version's default.
  fileprivate var hasDefaultAsRead: Bool {
    guard let source, !(destination.attribute is NSDerivedAttributeDescription) else { return true }
    let old = source.attribute.defaultValue
    return !(source.attribute is NSDerivedAttributeDescription)
      && (old.isNull ? valueForNull : old) == destination.attribute.defaultValue
  }
}

extension ConversionPlanner {
  /// Lets the plans make rows of the newer version.
  mutating func carry(_ forward: ForwardTransfer) {
    guard let transfer = forward.transfer.transfer(from: entity) else { return }
    let (old, layout) = (plans, entity.layout)
    begin(rowsOf: transfer.destination)
    for plan in old {
      let stored = layout.attributes[plan.place]
      let places = transfer.attributes.indices.filter { transfer.attributes[$0].source?.path == stored.path }
      let name = "\(stored.attribute.entity.name ?? "").\(stored.path)"
      if places.isEmpty, !forward.allowLoss.contains(name) {
        report(
          "\(name) is not in \(forward.destinationName): its values would be lost",
          hint:
            "If they may be lost, say --allow-loss \(name) (in a pipeline `allowLoss`), or list the column under `ignore`."
        )
      }
      for place in places where !(transfer.attributes[place].destination.attribute is NSDerivedAttributeDescription) {
        carry(plan, from: stored, to: place, transfer.attributes[place], forward)
      }
    }
    for (place, attribute) in transfer.attributes.enumerated() where !isFed(place) && !attribute.hasDefaultAsRead {
      report(
        "no column feeds \(attribute.source?.path ?? ""), whose default is not the one of \(attribute.destination.path) in "
          + forward.destinationName,
        hint: "Map it to a column or a `constant`.")
    }
  }

  private mutating func carry(
    _ plan: AttributePlan, from stored: EntityLayout.StoredAttribute, to place: Int, _ transfer: AttributeTransfer,
    _ forward: ForwardTransfer
  ) {
    let (old, new) = (stored.attribute, transfer.destination.attribute)
    guard let reader = plan.reader.reading(old.attributeType, as: new.attributeType) else {
      return report(
        "\(plan.attribute) changes from \(old.attributeType.modelName) to \(new.attributeType.modelName)",
        hint: "A new store is filled with such rows; into one that is there they cannot be mapped.")
    }
    if old.versionHashModifier != new.versionHashModifier, !forward.copyUnchanged {
      report(
        "the hash modifier of \(plan.attribute) says that its meaning changes, and no mapping says how",
        hint: "--copy-unchanged copies it.")
    }
    add(
      AttributePlan(
        attribute: plan.attribute, place: place, source: plan.source, reader: reader, nulls: plan.nulls,
        whenNull: plan.whenNull.isNull ? transfer.valueForNull : plan.whenNull))
  }
}

extension FieldReader {
  /// The reader whose values are of another type too; nil if there is none.
  fileprivate func reading(_ old: NSAttributeType, as new: NSAttributeType) -> FieldReader? {
    if old == new { return self }
    guard let range = new.wholeNumbers else { return nil }
    switch self {
    case .integer(let own, let format): return .integer(own.clamped(to: range), format)
    case .boolean: return self
    default: return nil
    }
  }
}
