import ObjectModel

/// The differences of an entity itself, its properties apart.
enum EntityChanges {
  static func of(
    _ a: NSEntityDescription, _ b: NSEntityDescription, _ matching: EntityMatching
  ) -> [ModelChange] {
    var changes: [ModelChange] = []
    if a.name != b.name { changes.append(ModelChange("renamed from \(a.name ?? "")", .inferred, "its rows stay")) }
    if a.isAbstract != b.isAbstract {
      changes.append(
        b.isAbstract
          ? ModelChange("becomes abstract", .conditional, "rows of the entity itself have no place any more")
          : ModelChange("is no longer abstract"))
    }
    changes += hierarchy(a, b, matching)
    if a.versionHashModifier != b.versionHashModifier {
      changes.append(
        ModelChange(
          "hash modifier \(a.versionHashModifier.text) -> \(b.versionHashModifier.text)", .inferred, "the rows stay"))
    }
    changes += constraints(a, b)
    if a.indexes != b.indexes {
      changes.append(.unseen("indexes", "they change when a migration runs for another reason"))
    }
    changes += ModelChange.difference("class", a.managedObjectClassName, b.managedObjectClassName) { .unseen($0) }
    if a.userInfo != b.userInfo { changes.append(.unseen("user info")) }
    return changes
  }

  private static func hierarchy(
    _ a: NSEntityDescription, _ b: NSEntityDescription, _ matching: EntityMatching
  ) -> [ModelChange] {
    let roots = matching.sourceRoots(of: b)
    // Said once, of the entities that leave a table which is not that of their new root.
    let home = matching.source(of: b.rootEntity)?.rootEntity ?? roots.min { ($0.name ?? "") < ($1.name ?? "") }
    if roots.count > 1, a.rootEntity !== home {
      let names = roots.compactMap(\.name).sorted().joined(separator: ", ")
      return [
        ModelChange(
          "parent \(a.superentity.text) -> \(b.superentity.text)", .refused, "the tables of \(names) cannot become one")
      ]
    }
    let before = a.superentity.map { matching.destinations(of: $0) } ?? []
    let isSame = b.superentity.map { parent in before.contains { $0 === parent } } ?? (a.superentity == nil)
    if !isSame {
      return [
        ModelChange(
          "parent \(a.superentity.text) -> \(b.superentity.text)", .inferred, "its rows stay, with their keys")
      ]
    }
    return []
  }

  private static func constraints(_ a: NSEntityDescription, _ b: NSEntityDescription) -> [ModelChange] {
    // By the names that the properties have now.
    let renamed = Dictionary(
      a.properties.compactMap { property in
        b.properties.first { $0.renamingIdentifier == property.renamingIdentifier }.map { (property.name, $0.name) }
      }, uniquingKeysWith: { first, _ in first })
    let before = Set(a.uniquenessConstraints.map { $0.map { renamed[$0] ?? $0 } })
    let after = Set(b.uniquenessConstraints)
    func texts(_ constraints: Set<[String]>) -> [String] { constraints.map { $0.joined(separator: ", ") }.sorted() }
    return texts(after.subtracting(before)).map {
      ModelChange("unique by \($0)", .conditional, "fails where rows have equal values")
    } + texts(before.subtracting(after)).map { ModelChange("no longer unique by \($0)") }
  }
}

extension Optional<NSEntityDescription> {
  fileprivate var text: String { self?.name ?? "none" }
}

extension Optional<String> {
  var text: String { self ?? "none" }
}
