import Batch
import Conversion
import Diagnostics
import Records

/// What may stand where in a pipeline file, made from the declarations of the options.
///
/// Decoders drop unknown keys in silence; here they are errors with a place and the nearest known key.
indirect enum PipelineShape: Sendable {
  /// A value of an option's form.
  case value(OptionDescription.Form)
  /// An object with known keys; those whose values are objects have a shape of their own.
  case object([OptionDescription], [String: PipelineShape] = [:])
  /// An object whose keys are the user's own names.
  case names(PipelineShape)
  /// A list.
  case list(PipelineShape)
  /// One of two that differ in kind.
  case either(PipelineShape, PipelineShape)

  /// The shape of a whole pipeline.
  static let pipeline = object(Pipeline.options, ["steps": .list(step)])

  private static let text = value(.text("TEXT"))

  private static let step = object(
    StepConfiguration.options,
    [
      "read": .object(
        ReaderConfiguration.options,
        ["fields": .either(.list(.object(FixedField.options)), .names(text)), "namespaces": .names(text)]),
      "map": .names(.either(text, .object(AttributeMapping.options, ["cases": .names(.value(.integer))]))),
      "relationships": .names(.object(RelationshipMapping.options)),
      "link": .object(
        LinkConfiguration.options,
        ["from": .object(LinkConfiguration.End.options), "to": .object(LinkConfiguration.End.options)]),
    ])

  /// Throws for the first thing that does not fit.
  func check(_ node: JSONNode, in file: String, called name: String = "the pipeline") throws(Diagnostic) {
    guard takes(node) else { throw .wrongKind(name, node, expected: expectation, in: file) }
    switch (self, node.content) {
    case (.object(let options, let shapes), .object(let members)):
      for member in members {
        guard let option = options.first(where: { $0.key == member.key }) else {
          throw .unknownKey(member.key, in: name, known: options.map(\.key), at: member.position(in: file))
        }
        try (shapes[member.key] ?? .value(option.form)).check(member.value, in: file, called: member.key)
      }
    case (.names(let shape), .object(let members)):
      for member in members { try shape.check(member.value, in: file, called: member.key) }
    case (.list(let shape), .array(let elements)):
      for element in elements { try shape.check(element, in: file, called: name) }
    case (.value(.list(let what)), .array(let elements)):
      let shape = PipelineShape.value(what.isNumber ? .integer : .text(what))
      for element in elements { try shape.check(element, in: file, called: name) }
    case (.either(let first, let second), _):
      try (first.takes(node) ? first : second).check(node, in: file, called: name)
    default: return
    }
  }

  /// Whether a value is of the right kind; what is inside it is another question.
  private func takes(_ node: JSONNode) -> Bool {
    switch (self, node.content) {
    case (.object, .object), (.names, .object), (.list, .array): true
    case (.either(let first, let second), _): first.takes(node) || second.takes(node)
    case (.value(.flag), .boolean), (.value(.text), .string), (.value(.number), .number), (.value(.list), .array): true
    case (.value(.integer), .number(let text)): Int(text) != nil
    // Some texts may be numbers, such as a skip limit.
    case (.value(.text(let what)), .number(let text)): what.isNumber && Int(text) != nil
    case (.value(.choice(let words)), .string(let word)), (.value(.choice(let words)), .number(let word)):
      words.contains(word)
    default: false
    }
  }

  private var expectation: String {
    switch self {
    case .object, .names, .value(.object): "an object"
    case .list: "a list"
    case .either(let first, let second): "\(first.expectation) or \(second.expectation)"
    case .value(.flag): "true or false"
    case .value(.integer): "a whole number"
    case .value(.number): "a number"
    case .value(.text): "a text"
    case .value(.list(let what)): what.isNumber ? "a list of whole numbers" : "a list of texts"
    case .value(.choice(let words)): "one of " + words.joined(separator: ", ")
    }
  }
}

extension String {
  /// Whether the name of an option's value says that it is a number.
  var isNumber: Bool { self == "N" }
}
