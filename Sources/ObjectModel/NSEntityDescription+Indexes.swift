extension NSEntityDescription {
  /// Adds the indexes that Apple's model compiler makes of what a model's source says; a compiled model has them already.
  ///
  /// An attribute that is marked as indexed, or that alone makes an ascending index, has an index of its own name before the
  /// others; the older compound indexes are named by their properties.
  func addCompiledIndexes() {
    let names = Set(indexes.map(\.name))
    let single = Set(
      indexes.filter { $0.elements.count == 1 }.compactMap(\.elements.first)
        .filter { $0.kind == .binary && $0.isAscending }.compactMap(\.propertyName))
    let implicit =
      VersionHash.sorted(ownProperties, by: \.name)
      .filter { $0.isIndexed || $0 is NSAttributeDescription && single.contains($0.name) }
      .map { NSFetchIndexDescription(name: $0.name, elements: [.init(propertyName: $0.name)]) }
    let compound = compoundIndexes.map { properties in
      NSFetchIndexDescription(
        name: properties.joined(separator: "_"), elements: properties.map { .init(propertyName: $0) })
    }
    indexes = (implicit + compound).filter { !names.contains($0.name) } + indexes
  }
}
