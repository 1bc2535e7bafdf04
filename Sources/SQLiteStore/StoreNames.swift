import Diagnostics
import ObjectModel

/// Hands out names, each once: a name that is taken gets the first free number behind it.
struct NameSupply {
  private var taken: Set<String>
  /// The last number behind each name: what is taken stays so, and the search goes on behind it.
  private var lastNumber: [String: Int] = [:]

  init(taken: Set<String> = []) { self.taken = taken }

  mutating func take(_ name: String) -> String {
    var candidate = name
    var number = lastNumber[name] ?? 0
    if number > 0 { candidate = "\(name)\(number)" }
    while !taken.insert(candidate).inserted {
      number += 1
      candidate = "\(name)\(number)"
    }
    lastNumber[name] = number
    return candidate
  }
}

extension String {
  /// Whether the text comes first by code points: Core Data's order of properties, which knows no equivalence of letters.
  func precedesByCodePoint(_ other: String) -> Bool {
    unicodeScalars.lexicographicallyPrecedes(other.unicodeScalars)
  }
}

extension NSEntityDescription {
  /// Core Data's order of entities: by name without regard to case.
  static func precedes(_ a: NSEntityDescription, _ b: NSEntityDescription) -> Bool {
    let (first, second) = (a.name ?? "", b.name ?? "")
    let (folded, other) = (first.lowercased(), second.lowercased())
    return folded == other ? first.precedesByCodePoint(second) : folded.precedesByCodePoint(other)
  }

  /// The entity, its superentity, and so on to the root.
  var chain: [NSEntityDescription] {
    Array(sequence(first: self, next: \.superentity))
  }

  /// The property of a name, own before inherited.
  func property(named name: String) -> NSPropertyDescription? { propertiesByName[name] }

  /// The stored relationships that the entity itself declares, by name.
  var ownStoredRelationships: [NSRelationshipDescription] {
    ownProperties.compactMap { $0 as? NSRelationshipDescription }.filter { !$0.isTransient }
      .sorted { $0.name.precedesByCodePoint($1.name) }
  }

  /// The stored attributes that the entity itself declares, by name, composites flattened in declared order.
  var ownStoredAttributes: [(path: String, attribute: NSAttributeDescription)] {
    ownProperties.compactMap { $0 as? NSAttributeDescription }.filter { !$0.isTransient }
      .sorted { $0.name.precedesByCodePoint($1.name) }
      .flatMap { $0.leaves(prefix: "") }
  }
}

extension NSAttributeDescription {
  fileprivate func leaves(prefix: String) -> [(path: String, attribute: NSAttributeDescription)] {
    guard let composite = self as? NSCompositeAttributeDescription else { return [(prefix + name, self)] }
    return composite.elements.flatMap { $0.leaves(prefix: prefix + name + ".") }
  }
}

extension StoreSchema {
  /// Checks that every name can stand in SQL without quotes, as Core Data writes it, and that no two tables are one.
  static func checkNames(of entities: [NSEntityDescription]) throws(Diagnostic) {
    var tables: [String: String] = [:]
    for entity in entities {
      let name = entity.name ?? ""
      guard name.isIdentifier else { throw .storeName(name, of: "entity") }
      if entity.superentity == nil, let other = tables.updateValue(name, forKey: name.uppercased()) {
        throw .tableClash(other, name)
      }
      for property in entity.ownProperties where !property.isTransient && !property.name.isIdentifier {
        throw .storeName(property.name, of: "property of \(name)")
      }
    }
  }
}

extension String {
  /// Whether the text is letters, digits and underscores, which SQLite takes as a name behind the letter Z.
  fileprivate var isIdentifier: Bool {
    !isEmpty
      && unicodeScalars.allSatisfy { scalar in
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "_": true
        default: !scalar.isASCII
        }
      }
  }
}
