public import Foundation

/// What gives `NSPredicate` the initialisers that read the format language.
///
/// Only an initialiser of a protocol can make an object of a subclass: one that keeps its tree.
public protocol PredicateMaking {}

extension NSPredicate: PredicateMaking {}

extension PredicateMaking where Self: NSPredicate {
  /// Reads a predicate in Apple's format language; a text that cannot be read is a programmer's mistake.
  ///
  /// `PredicateTree(format:)` reads text of users, and throws.
  ///
  /// - Parameter arguments: what `%@`, `%K`, `%d` and the like stand for, in their order.
  public init(format: String, _ arguments: Any?...) { self.init(format: format, argumentArray: arguments) }

  /// The same with the arguments in an array.
  public init(format: String, argumentArray arguments: [Any?]?) {
    do {
      self.init(try PredicateTree(format: format, arguments: arguments ?? []))
    } catch {
      preconditionFailure("NSPredicate(format: \"\(format)\"): \(error)")
    }
  }

  /// Makes a predicate of a tree.
  public init(_ tree: PredicateTree) {
    guard let predicate = TreePredicate(tree) as? Self else {
      preconditionFailure("\(Self.self) is not the class of predicates that are read")
    }
    self = predicate
  }
}

extension NSPredicate {
  /// The predicate as a tree; one that was made from a block is a leaf of it.
  public var tree: PredicateTree {
    switch self {
    case let predicate as TreePredicate: return predicate.keptTree
    case let predicate as NSCompoundPredicate:
      let trees = predicate.subpredicates.map(\.tree)
      switch predicate.compoundPredicateType {
      case .and: return .and(trees)
      case .or: return .or(trees)
      case .not: return .not(trees.first ?? .always(true))
      }
    default:
      // Foundation does not tell what a predicate is, but holds those of a value for equal.
      for truth in [true, false] where self == NSPredicate(value: truth) { return .always(truth) }
      return .block(self)
    }
  }

  /// The predicate in the format language as Apple's `predicateFormat` prints it, a name that Foundation keeps on Linux for
  /// something else.
  public var formatString: String { tree.description }

  /// The predicate with values in place of its variables.
  public func withSubstitutionVariables(_ variables: [String: Any]) -> NSPredicate {
    NSPredicate(tree.substituting(variables))
  }
}

/// A predicate that keeps its tree.
private final class TreePredicate: NSPredicate {
  let keptTree: PredicateTree

  init(_ tree: PredicateTree) {
    keptTree = tree
    super.init { _, _ in false }
  }

  /// As with Apple's framework, a key that is not there ends the program.
  override func evaluate(with object: Any?, substitutionVariables bindings: [String: Any]?) -> Bool {
    do {
      return try keptTree.holds(for: object, variables: bindings ?? [:])
    } catch {
      preconditionFailure("\(keptTree): \(error)")
    }
  }

  override func copy(with zone: NSZone? = nil) -> Any { self }

  override func isEqual(_ object: Any?) -> Bool { (object as? TreePredicate)?.keptTree == keptTree }

  override var hash: Int { keptTree.hashValue }

  override var description: String { keptTree.description }
}
