import Diagnostics
import Foundation
import Values

extension ModelReader {
  /// An attribute; `inside` are the composites that it is an element of, outermost first.
  mutating func attribute(_ element: ModelElement, inside: [String] = []) throws(Diagnostic) -> NSAttributeDescription {
    let isMarked = try element.flag("derived")
    let isDerived = isMarked || element.text("derivationExpression") != nil
    let type = try type(of: element)
    let attribute: NSAttributeDescription
    if isDerived {
      let derived = NSDerivedAttributeDescription()
      derived.derivationExpressionFormat = try element.required("derivationExpression")
      attribute = derived
    } else if type == .compositeAttributeType {
      let composite = NSCompositeAttributeDescription()
      composite.elements = try elements(of: element, inside: inside)
      attribute = composite
    } else {
      attribute = NSAttributeDescription()
    }
    try fill(attribute, from: element)
    attribute.attributeType = type
    guard type != .undefinedAttributeType || attribute.isTransient else { throw .modelUntyped(element) }
    attribute.attributeValueClassName = element.text("customClassName")
    attribute.valueTransformerName = element.text("valueTransformerName")
    attribute.allowsExternalBinaryDataStorage = try element.flag("allowsExternalBinaryDataStorage")
    attribute.preservesValueInHistoryOnDeletion = try element.flag("preserveAfterDeletion")
    attribute.allowsCloudEncryption = try element.flag("allowsCloudEncryption")
    if element["usesScalarValueType"] != nil {
      attribute.usesScalarValueType = try element.flag("usesScalarValueType")
    }
    try readDefault(of: attribute, element)
    try readLimits(of: attribute, element)
    return attribute
  }

  private func type(of element: ModelElement) throws(Diagnostic) -> NSAttributeType {
    guard let name = element.text("attributeType") else { return .undefinedAttributeType }
    guard let type = NSAttributeType(modelName: name) else { throw .modelUnknownType(name, element) }
    return type
  }

  private mutating func elements(of element: ModelElement, inside: [String]) throws(Diagnostic)
    -> [NSAttributeDescription]
  {
    let name = try element.required("composite")
    guard let composite = composites[name] else {
      throw .modelUnknownComposite(name, known: composites.keys.sorted(), element)
    }
    guard !inside.contains(name) else { throw .modelCyclicComposite(inside + [name], element) }
    guard inside.count < Self.deepestInheritance else { throw .modelNesting(Self.deepestInheritance, element) }
    var elements: [NSAttributeDescription] = []
    var names: Set<String> = []
    for child in composite.children("attribute") {
      elementsLeft -= 1
      guard elementsLeft > 0 else { throw .modelEndlessComposite(element) }
      let attribute = try attribute(child, inside: inside + [name])
      guard names.insert(attribute.name).inserted else { throw .modelDuplicate("element", child) }
      elements.append(attribute)
    }
    return elements
  }

  // MARK: Default and limits

  private func readDefault(of attribute: NSAttributeDescription, _ element: ModelElement) throws(Diagnostic) {
    let text = element["defaultValueString"]
    switch attribute.attributeType {
    case .undefinedAttributeType, .compositeAttributeType: return
    case .stringAttributeType: attribute.defaultValue = text.map { .string($0) } ?? .null
    case .dateAttributeType: attribute.defaultValue = try date("default", element)
    default:
      guard let text, !text.isEmpty else { return }
      guard let value = ModelText(text).value(of: attribute.attributeType), attribute.inRange(value) else {
        throw .modelDefault(text, attribute.attributeType, element)
      }
      attribute.defaultValue = value
    }
  }

  private func readLimits(of attribute: NSAttributeDescription, _ element: ModelElement) throws(Diagnostic) {
    attribute.limits.minimum = try limit("min", of: attribute.attributeType, element)
    attribute.limits.maximum = try limit("max", of: attribute.attributeType, element)
    guard attribute.attributeType == .stringAttributeType, let pattern = element.text("regularExpressionString") else {
      return
    }
    // Without the brackets that make it match all of a string, in which `a)(b` would pass.
    guard (try? NSRegularExpression(pattern: pattern)) != nil else {
      throw .modelValue(pattern, of: "regularExpressionString", expected: "a regular expression", in: element)
    }
    attribute.limits.regularExpression = pattern
  }

  private func limit(
    _ bound: String, of type: NSAttributeType, _ element: ModelElement
  ) throws(Diagnostic) -> Value {
    let number: NSAttributeType
    switch type {
    case .dateAttributeType: return try date(bound, element)
    case .stringAttributeType: number = .integer64AttributeType
    case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .decimalAttributeType,
      .doubleAttributeType, .floatAttributeType:
      number = type
    default: return .null
    }
    guard let text = element.text("\(bound)ValueString") else { return .null }
    guard let value = ModelText(text).value(of: number) else {
      throw .modelValue(text, of: "\(bound)ValueString", expected: "a number", in: element)
    }
    return value
  }

  /// A date is written twice: as seconds, which count, and in older files only as text.
  private func date(_ kind: String, _ element: ModelElement) throws(Diagnostic) -> Value {
    if let text = element.text("\(kind)DateTimeInterval") {
      guard case .real(let seconds)? = ModelText(text).value(of: .doubleAttributeType) else {
        throw .modelValue(text, of: "\(kind)DateTimeInterval", expected: "seconds since 2001-01-01", in: element)
      }
      return .date(Date(timeIntervalSinceReferenceDate: seconds))
    }
    guard let text = element.text("\(kind)ValueString") else { return .null }
    guard let date = ModelText(text).date else {
      throw .modelValue(text, of: "\(kind)ValueString", expected: "a date as 2001-12-31 23:59:59 +0000", in: element)
    }
    return .date(date)
  }
}

extension NSAttributeDescription {
  /// Whether the type, its limits apart, holds the value.
  func inRange(_ value: Value) -> Bool {
    let unlimited = NSAttributeDescription()
    unlimited.attributeType = attributeType
    return ValidationRule(unlimited).failure(of: value) == nil
  }
}
