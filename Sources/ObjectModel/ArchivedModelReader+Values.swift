import Diagnostics
import Foundation
import KeyedArchives
import Values

extension ArchivedModelReader {
  /// Reads the default; one that an attribute of the type cannot have is left out, with a warning.
  mutating func readDefault(of attribute: NSAttributeDescription, _ node: ArchivedNode, _ owner: String) {
    guard let archived = node["NSDefaultValue"] else { return }
    let isEmpty = archived.entries?.isEmpty ?? false
    if attribute.attributeType == .compositeAttributeType && isEmpty { return }
    guard let value = archived.value(of: attribute.attributeType), attribute.inRange(value) else {
      warnings.append(.modelArchiveDefault(owner, attribute.attributeType, archived.className, file))
      return
    }
    attribute.defaultValue = value
  }

  /// Reads the limits, which the archive has as predicates on the value or on its length.
  mutating func readLimits(of attribute: NSAttributeDescription, _ node: ArchivedNode, _ owner: String) {
    for predicate in node["NSValidationPredicates"]?.items ?? [] {
      guard readLimit(predicate, of: attribute, depth: 0) else {
        let text = ArchivedFormat.predicate(predicate) ?? predicate.className ?? "one without a name"
        warnings.append(.modelArchiveLimit(text, owner, file))
        continue
      }
    }
  }

  /// Takes a limit over into the attribute's; false if it is of no form that is known.
  private func readLimit(_ node: ArchivedNode, of attribute: NSAttributeDescription, depth: Int) -> Bool {
    if node.className == "NSCompoundPredicate" {
      guard depth < 4, node["NSCompoundPredicateType"]?.integer == 1, let parts = node["NSSubpredicates"]?.items else {
        return false
      }
      return parts.allSatisfy { readLimit($0, of: attribute, depth: depth + 1) }
    }
    guard let subject = node["NSLeftExpression"].flatMap({ ArchivedFormat.expression($0) }),
      let operation = node["NSPredicateOperator"]?["NSOperatorType"]?.integer,
      let constant = node["NSRightExpression"]?["NSConstantValue"]
    else { return false }
    let isText = attribute.attributeType == .stringAttributeType
    switch (subject, operation) {
    case ("SELF", 6) where isText:
      guard let pattern = constant.text, (try? NSRegularExpression(pattern: pattern)) != nil else { return false }
      attribute.limits.regularExpression = pattern
    case ("length", 1) where isText, ("SELF", 1) where !isText:
      guard let limit = constant.value(of: isText ? .integer64AttributeType : attribute.attributeType) else {
        return false
      }
      attribute.limits.maximum = limit
    case ("length", 3) where isText, ("SELF", 3) where !isText:
      guard let limit = constant.value(of: isText ? .integer64AttributeType : attribute.attributeType) else {
        return false
      }
      attribute.limits.minimum = limit
    default: return false
    }
    return true
  }
}

extension ArchivedNode {
  /// The value that an attribute of a type has of this; nil when it is none.
  fileprivate func value(of type: NSAttributeType) -> Value? {
    switch type {
    case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType:
      (integer ?? flag.map { $0 ? 1 : 0 }).map { .integer($0) }
    case .booleanAttributeType: flag.map { .boolean($0) }
    case .doubleAttributeType, .floatAttributeType:
      (number ?? flag.map { $0 ? 1 : 0 }).flatMap { $0.isFinite ? .real($0) : nil }
    case .decimalAttributeType:
      (decimal ?? integer.map { Decimal($0) } ?? number.flatMap { Decimal(shortestOf: $0) }).map { .decimal($0) }
    case .stringAttributeType: text.map { .string($0) }
    case .dateAttributeType: date.flatMap { $0.timeIntervalSinceReferenceDate.isFinite ? .date($0) : nil }
    case .binaryDataAttributeType: data.map { .data($0) }
    case .UUIDAttributeType: self["NS.uuidbytes"]?.data.flatMap { UUID(sixteenBytes: $0) }.map { .uuid($0) }
    case .URIAttributeType:
      (self["NS.base"] == nil ? self["NS.relative"]?.text : nil)
        .flatMap { URL(string: $0, encodingInvalidCharacters: false) }.map { .url($0) }
    // The object of a transformable's default would have to be made, to be archived again.
    case .undefinedAttributeType, .transformableAttributeType, .objectIDAttributeType, .compositeAttributeType: nil
    }
  }
}
