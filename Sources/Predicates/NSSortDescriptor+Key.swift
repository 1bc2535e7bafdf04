public import Foundation
import Values

/// What gives `NSSortDescriptor` the initialisers with keys; see `PredicateMaking`.
public protocol SortDescriptorMaking {}

extension NSSortDescriptor: SortDescriptorMaking {}

/// How texts are ordered.
public enum TextOrder: Sendable, Hashable {
  /// By their bytes in UTF-8, as SQLite orders them: `compare:`.
  case binary
  /// Without regard to case: `caseInsensitiveCompare:`.
  case caseInsensitive
  /// As people of the user's language expect it: `localizedCompare:`.
  case localized
  /// The same without regard to case: `localizedCaseInsensitiveCompare:`.
  case localizedCaseInsensitive
  /// As a list of files is ordered, numbers by their value: `localizedStandardCompare:`.
  case localizedStandard
}

extension SortDescriptorMaking where Self: NSSortDescriptor {
  /// Sorts by the value of a key or a key path.
  public init(key: String?, ascending: Bool) { self.init(key: key, ascending: ascending, textOrder: .binary) }

  /// Sorts by the value of a key or a key path, texts in an order of their own.
  ///
  /// It stands for Apple's initialiser with a selector, which Swift on Linux does not have.
  public init(key: String?, ascending: Bool, textOrder: TextOrder) {
    guard let descriptor = KeySortDescriptor(key: key, ascending: ascending, textOrder: textOrder) as? Self else {
      preconditionFailure("\(Self.self) is not the class of sort descriptors with keys")
    }
    self = descriptor
  }
}

extension NSSortDescriptor {
  /// The key path that it sorts by; nil for one that was made otherwise.
  public var key: String? { (self as? KeySortDescriptor)?.sortKey }

  /// How it orders texts.
  public var textOrder: TextOrder { (self as? KeySortDescriptor)?.sortOrder ?? .binary }
}

private final class KeySortDescriptor: NSSortDescriptor {
  let sortKey: String
  let sortOrder: TextOrder

  init(key: String?, ascending: Bool, textOrder: TextOrder) {
    sortKey = key ?? "self"
    sortOrder = textOrder
    // Foundation wants a Swift key path, which nothing here asks for.
    super.init(keyPath: \PredicateValue.object, ascending: ascending) { _, _ in .orderedSame }
  }

  override func compare(_ object1: Any, to object2: Any) -> ComparisonResult {
    do {
      let keys = sortKey.split(separator: ".").map(String.init)[...]
      let order = textOrder.compare(
        try PredicateValue(object1).following(keys), try PredicateValue(object2).following(keys))
      return ascending ? order : order.reversed
    } catch {
      preconditionFailure("\(sortKey): \(error)")
    }
  }

  override var reversedSortDescriptor: Any {
    KeySortDescriptor(key: sortKey, ascending: !ascending, textOrder: sortOrder)
  }

  override func copy(with zone: NSZone? = nil) -> Any { self }

  override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? KeySortDescriptor else { return false }
    return other.sortKey == sortKey && other.sortOrder == sortOrder && other.ascending == ascending
  }

  override var hash: Int { sortKey.hashValue }
}

extension TextOrder {
  /// The order of two values; nil comes first.
  package func compare(_ a: PredicateValue, _ b: PredicateValue) -> ComparisonResult {
    guard case .scalar(let a) = a, case .scalar(let b) = b else { return .orderedSame }
    return compare(ComparedValue(a), ComparedValue(b))
  }

  /// The order of two values in their stored form.
  package func compare(_ a: ComparedValue, _ b: ComparedValue) -> ComparisonResult {
    guard self != .binary, case .text(let first) = a, case .text(let second) = b else { return a.sortOrder(b) }
    return switch self {
    case .binary: first.byteOrder(second)
    case .caseInsensitive:
      TextMatching.folded(first, .caseInsensitive).byteOrder(TextMatching.folded(second, .caseInsensitive))
    case .localized: first.localizedCompare(second)
    case .localizedCaseInsensitive: first.localizedCaseInsensitiveCompare(second)
    case .localizedStandard: first.localizedStandardCompare(second)
    }
  }
}
