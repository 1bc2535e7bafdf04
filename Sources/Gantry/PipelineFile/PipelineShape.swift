import Batch
import Conversion
import Diagnostics
import Records

/// What may stand where in a pipeline file, made from the declarations of the options.
///
/// Decoders drop unknown keys in silence; here they are errors with a place and the nearest known key.
indirect enum PipelineShape: Sendable {
  /// A value of an option.
  case value(OptionDescription)
  /// An object with known keys; those whose values are objects have a shape of their own.
  case object([OptionDescription], [String: PipelineShape] = [:])
  /// An object whose keys are the user's own names.
  case names(PipelineShape)
  /// A list.
  case list(PipelineShape)
  /// The list of steps.
  case steps(PipelineShape)
  /// One of two that differ in kind.
  case either(PipelineShape, PipelineShape)

  /// The shape of a whole pipeline.
  static let pipeline = object(Pipeline.options, ["steps": .steps(step)])

  private static let text = value(OptionDescription("text", .text("TEXT"), "a text", allowsEmpty: true))
  private static let number = value(OptionDescription("number", .integer(atLeast: .min), "a number"))

  private static let migrateStep = object(
    [OptionDescription("migrate", .object, "how the store is brought up first")],
    ["migrate": .object(MigrateConfiguration.options)])

  /// A value of a mapping between versions that is converted.
  static let conversion = object(
    [OptionDescription("of", .text("EXPRESSION"), "what is converted")]
      + AttributeMapping.options.filter { !["column", "columns", "constant"].contains($0.key) },
    ["cases": .names(number)])

  private static let step = object(
    StepConfiguration.options,
    [
      "read": .object(
        ReaderConfiguration.options,
        ["fields": .either(.list(.object(FixedField.options)), .names(text)), "namespaces": .names(text)]),
      "map": .names(.either(text, .object(AttributeMapping.options, ["cases": .names(number)]))),
      "relationships": .names(.object(RelationshipMapping.options)),
      "link": .object(
        LinkConfiguration.options,
        ["from": .object(LinkConfiguration.End.options), "to": .object(LinkConfiguration.End.options)]),
    ])

  /// Throws for the first thing that does not fit.
  ///
  /// - Parameters:
  ///   - name: how the value is called in messages.
  ///   - step: the step that it stands in, where there are several: ` of step 2`.
  func check(
    _ node: JSONNode, in file: String, called name: String = "the pipeline", of step: String = ""
  ) throws(Diagnostic) {
    guard takes(node) else {
      throw .wrongKind(name, node, expected: expectation, hint: hint, in: file)
    }
    switch (self, node.content) {
    case (.object(let options, let shapes), .object(let members)):
      for member in members {
        guard let option = options.first(where: { $0.key == member.key }) else {
          throw .unknownKey(member.key, in: name, known: options.map(\.key), at: member.position(in: file))
        }
        try (shapes[member.key] ?? .value(option)).check(member.value, in: file, called: member.key + step, of: step)
      }
    case (.names(let shape), .object(let members)):
      for member in members { try shape.check(member.value, in: file, called: member.key + step, of: step) }
    case (.list(let shape), .array(let elements)):
      for element in elements { try shape.check(element, in: file, called: name, of: step) }
    case (.steps(let shape), .array(let elements)):
      for (index, element) in elements.enumerated() {
        let name = elements.count == 1 ? "the step" : "step \(index + 1)"
        let shape = element["migrate"] == nil ? shape : Self.migrateStep
        try shape.check(element, in: file, called: name, of: elements.count == 1 ? "" : " of \(name)")
      }
    case (.value(let option), .array(let elements)):
      for element in elements {
        guard let text = element.text(of: option) else {
          throw .wrongKind(
            name, element, expected: option.listsNumbers ? "a whole number" : "a text", hint: hint, in: file)
        }
        try option.validate(text, at: element, in: file)
      }
    case (.value(let option), .string(let text)), (.value(let option), .number(let text)):
      try option.validate(text, at: node, in: file)
    case (.either(let first, let second), _):
      try (first.takes(node) ? first : second).check(node, in: file, called: name, of: step)
    default: return
    }
  }

  /// Whether a value is of the right kind; what is inside it is another question.
  private func takes(_ node: JSONNode) -> Bool {
    switch (self, node.content) {
    case (.object, .object), (.names, .object), (.list, .array), (.steps, .array): true
    case (.either(let first, let second), _): first.takes(node) || second.takes(node)
    case (.value(let option), let content): option.form.takes(content)
    default: false
    }
  }

  private var expectation: String {
    switch self {
    case .object, .names: "an object"
    case .list, .steps: "a list"
    case .either(let first, let second): "\(first.expectation) or \(second.expectation)"
    case .value(let option) where option.listsNumbers: "a list of whole numbers"
    case .value(let option): option.form.expectation
    }
  }

  private var hint: String {
    if case .value(let option) = self { "It is \(option.help)." } else { "Pipelines/README.md has examples." }
  }
}

extension OptionDescription {
  /// Whether the value is a list of whole numbers.
  var listsNumbers: Bool { form == .list("N") }

  /// Throws for a text that means nothing, with its place.
  fileprivate func validate(_ text: String, at node: JSONNode, in file: String) throws(Diagnostic) {
    do { try validate(text) } catch { throw error.at(node.position(in: file)) }
  }
}

extension OptionDescription.Form {
  /// Whether a value is of the form.
  fileprivate func takes(_ content: JSONNode.Content) -> Bool {
    switch (self, content) {
    case (.flag, .boolean), (.text, .string), (.number, .number), (.list, .array), (.object, .object): true
    case (.integer(let least), .number(let text)): Int(text).map { $0 >= least } ?? false
    case (.count(let word), .number(let text)), (.count(let word), .string(let text)):
      text == word || Int(text).map { $0 >= 0 } ?? false
    // Some words may look like numbers.
    case (.choice(let words), .string(let word)), (.choice(let words), .number(let word)): words.contains(word)
    default: false
    }
  }

  /// What a value must be, for messages.
  var expectation: String {
    switch self {
    case .flag: "true or false"
    case .integer(.min): "a whole number"
    case .integer(let least): "a whole number from \(least)"
    case .count(let word): "a whole number from 0, or \(word)"
    case .number: "a number"
    case .text: "a text"
    case .choice(let words): "one of " + words.joined(separator: ", ")
    case .list: "a list of texts"
    case .object: "an object"
    }
  }
}

extension JSONNode {
  /// The text of an element of an option's list; nil if it is no element of one.
  fileprivate func text(of option: OptionDescription) -> String? {
    switch content {
    case .string(let text) where !option.listsNumbers: text
    case .number(let text) where option.listsNumbers && Int(text) != nil: text
    default: nil
    }
  }
}
