package import Diagnostics
package import Foundation
import Values

/// How two texts are compared, what is overlooked included: the very code that a SQLite store registers as functions.
package enum TextMatching {
  /// A text without the differences that are overlooked.
  package static func folded(_ text: String, _ options: PredicateTree.Options) -> String {
    let options = options.folding
    guard !options.isEmpty else { return text }
    if text.utf8.allSatisfy({ $0 < 0x80 }) {
      return options.contains(.caseInsensitive) ? text.lowercased() : text
    }
    var foundation: String.CompareOptions = []
    if options.contains(.caseInsensitive) { foundation.insert(.caseInsensitive) }
    if options.contains(.diacriticInsensitive) { foundation.insert(.diacriticInsensitive) }
    // Without a locale: the same everywhere. In one normal form, or `é` would differ from `é`.
    return text.precomposedStringWithCanonicalMapping.folding(options: foundation, locale: nil)
      .precomposedStringWithCanonicalMapping
  }

  /// Whether a text compares so with another one; texts are folded already.
  ///
  /// - Throws: when a regular expression is none.
  static func compares(
    _ text: String, _ operation: PredicateTree.Operator, _ other: String, _ options: PredicateTree.Options
  ) throws(Diagnostic) -> Bool? {
    switch operation {
    case .beginsWith: return text.utf8.starts(with: other.utf8)
    case .endsWith: return text.utf8.reversed().starts(with: other.utf8.reversed())
    case .contains: return contains(text, other)
    case .isIn: return contains(other, text)
    case .like: return WildcardPattern(other).matches(text)
    case .matches: return try RegularExpressions.shared.matches(text, other, options)
    default: return operation.holds(text.byteOrder(other))
    }
  }

  private static func contains(_ text: String, _ part: String) -> Bool {
    // A part of the bytes is a part of the text: UTF-8 has no byte that begins within a character.
    let text = Array(text.utf8)
    let part = Array(part.utf8)
    guard let first = part.first else { return true }
    guard text.count >= part.count else { return false }
    return (0...text.count - part.count).contains { start in
      text[start] == first && text[start..<start + part.count].elementsEqual(part)
    }
  }
}

extension PredicateTree.Comparison {
  /// Whether a pattern that is written out is a regular expression.
  package func checkPattern() throws(Diagnostic) {
    guard operation == .matches, case .constant(.scalar(.string(let pattern))) = right else { return }
    _ = try TextMatching.compares("", .matches, pattern, options)
  }
}

extension PredicateTree.Operator {
  /// Whether the operator holds for values in an order; nil for one that does not ask for an order.
  package func holds(_ order: ComparisonResult) -> Bool? {
    switch self {
    case .equal: order == .orderedSame
    case .notEqual: order != .orderedSame
    case .less: order == .orderedAscending
    case .lessOrEqual: order != .orderedDescending
    case .greater: order == .orderedDescending
    case .greaterOrEqual: order != .orderedAscending
    default: nil
    }
  }

  /// Whether it compares texts by their characters.
  package var isOfTexts: Bool {
    switch self {
    case .contains, .beginsWith, .endsWith, .like, .matches: true
    default: false
    }
  }
}

/// A pattern of `LIKE`: `*` stands for any characters, `?` for one; a backslash before them takes them as they are.
struct WildcardPattern {
  private enum Element: Equatable {
    case one
    case any
    case scalar(Unicode.Scalar)
  }

  private let elements: [Element]

  init(_ pattern: String) {
    var elements: [Element] = []
    var isEscaped = false
    for scalar in pattern.unicodeScalars {
      switch scalar {
      case _ where isEscaped:
        elements.append(.scalar(scalar))
        isEscaped = false
      case "\\": isEscaped = true
      case "*": elements.append(.any)
      case "?": elements.append(.one)
      default: elements.append(.scalar(scalar))
      }
    }
    if isEscaped { elements.append(.scalar("\\")) }
    self.elements = elements
  }

  /// Whether the whole text fits: in time of the product of the two lengths at most.
  func matches(_ text: String) -> Bool {
    let text = Array(text.unicodeScalars)
    var (place, element) = (0, 0)
    var star: (element: Int, place: Int)?
    while place < text.count {
      if element < elements.count, elements[element] == .any {
        star = (element, place)
        element += 1
      } else if element < elements.count, elements[element] == .one || elements[element] == .scalar(text[place]) {
        (place, element) = (place + 1, element + 1)
      } else if let last = star {
        // The last star takes one character more.
        star = (last.element, last.place + 1)
        (place, element) = (last.place + 1, last.element + 1)
      } else {
        return false
      }
    }
    return elements[element...].allSatisfy { $0 == .any }
  }
}

/// Regular expressions that were compiled, since a store asks for the same one with every row.
private final class RegularExpressions: @unchecked Sendable {
  static let shared = RegularExpressions()
  private static let limit = 64
  /// How often a search may report that it goes on: the engine does so after some ten thousand steps, and gives up without a
  /// word after some four thousand reports.
  private static let longestWork = 3000

  private struct Key: Hashable {
    let pattern: String
    let isCaseInsensitive: Bool
  }

  private let lock = NSLock()
  private var compiled: [Key: NSRegularExpression] = [:]

  func matches(_ text: String, _ pattern: String, _ options: PredicateTree.Options) throws(Diagnostic) -> Bool {
    let expression = try expression(Key(pattern: pattern, isCaseInsensitive: options.contains(.caseInsensitive)))
    var (isFound, hasGivenUp, work) = (false, false, 0)
    // Without the flags a search that gave up, for want of a stack or of time, looks like one that found nothing.
    expression.enumerateMatches(
      in: text, options: [.reportProgress, .reportCompletion], range: NSRange(text.startIndex..., in: text)
    ) { match, flags, stop in
      isFound = isFound || match != nil
      hasGivenUp = hasGivenUp || flags.contains(.internalError) || work > Self.longestWork
      if flags.contains(.progress) { work += 1 }
      stop.pointee = ObjCBool(isFound || hasGivenUp)
    }
    if hasGivenUp, !isFound { throw .predicateRegularExpressionWork(pattern, length: text.utf16.count) }
    return isFound
  }

  private func expression(_ key: Key) throws(Diagnostic) -> NSRegularExpression {
    lock.lock()
    defer { lock.unlock() }
    if let expression = compiled[key] { return expression }
    let options: NSRegularExpression.Options = key.isCaseInsensitive ? .caseInsensitive : []
    // The whole text must match; a match whose range is compared would take the `a` of `a|ab`. What stands behind the pattern
    // must not be part of its last quotation or comment; and by itself it must be one, or `a)|(?:b` would do.
    guard key.pattern.isEmpty || (try? NSRegularExpression(pattern: key.pattern, options: options)) != nil,
      let expression = ["", "\\E", "\n"].lazy.compactMap({ end in
        try? NSRegularExpression(pattern: "\\A(?:\(key.pattern)\(end))\\z", options: options)
      }).first
    else { throw .predicateRegularExpression(key.pattern) }
    if compiled.count == Self.limit { compiled.removeAll() }
    compiled[key] = expression
    return expression
  }
}
