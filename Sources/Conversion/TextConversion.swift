package import Diagnostics
import Foundation
package import ObjectModel
package import Values

/// Converts values that stand alone, in no record, to those of one attribute, as an import converts the fields of a column.
package struct TextConversion {
  /// The stored attribute that takes the values, by its place in the entity's layout.
  package let place: Int
  private let attribute: String
  private let plan: AttributePlan

  /// Makes the plan for an attribute, a transient one with a shadow among them.
  package init(
    to attribute: String, of entity: NSEntityDescription, _ mapping: AttributeMapping
  ) throws(Diagnostic) {
    try mapping.options.check()
    var mapping = mapping
    mapping.column = attribute
    var planner = ConversionPlanner(entity: entity, columns: [attribute], options: ConversionOptions(), folder: ".")
    planner.plan([attribute: mapping])
    guard planner.problems.isEmpty, let plan = planner.plans.first else {
      throw Diagnostic(
        .conversionColumns, planner.problems.joined(separator: "; "), hint: planner.hints.joined(separator: " "))
    }
    self.plan = plan
    self.attribute = "\(entity.name ?? "").\(attribute)"
    place = plan.place
  }

  /// The value of the attribute that another value means by its text; of nothing what the mapping or the default says.
  package func value(of value: Value) throws(Diagnostic) -> Value {
    guard !value.isNull else { return plan.whenNull }
    guard let text = value.fieldText else { throw .bytesWithoutText(attribute) }
    let bytes = Array(text.utf8)
    let result = bytes.withUnsafeBytes { bytes -> Result<Value, TextTrouble> in
      // What is stored is a text, even an empty one; a spelling of null is one as in an unquoted field.
      guard let text = plan.nulls.text(bytes, isQuoted: bytes.isEmpty) else { return .success(plan.whenNull) }
      do throws(TextTrouble) { return .success(try plan.reader.value(text)) } catch { return .failure(error) }
    }
    switch result {
    case .success(let value): return value
    case .failure(let trouble): throw .notConverted(trouble, plan.reader, attribute, FieldText(bytes))
    }
  }
}

extension Value {
  /// The value as a field has it; nil for bytes, which no text tells.
  fileprivate var fieldText: String? {
    switch self {
    case .null, .data: nil
    case .string(let text): text
    case .integer(let integer): "\(integer)"
    case .boolean(let flag): flag ? "true" : "false"
    case .real(let real): real.shortestText
    case .decimal(let decimal): "\(decimal)"
    case .date(let date):
      date.timeIntervalSinceReferenceDate.isoDate() ?? date.timeIntervalSinceReferenceDate.shortestText
    case .uuid(let uuid): uuid.uuidString
    case .url(let url): url.absoluteString
    }
  }
}

extension Diagnostic {
  fileprivate static func bytesWithoutText(_ attribute: String) -> Diagnostic {
    Diagnostic(
      .conversionKind, "expected a text for \(attribute), found bytes",
      hint: "Copy them by an expression alone: \"$source.ATTRIBUTE\".")
  }
}
