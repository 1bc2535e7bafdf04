import Batch
import Conversion
import Diagnostics
import Records

/// What may stand where in a pipeline file, made from the declarations of the options.
///
/// Decoders drop unknown keys in silence; here they are errors with a place and the nearest known key.
indirect enum PipelineShape: Sendable {
  /// An object with known keys; some of them have a shape of their own.
  case object([OptionDescription], [String: PipelineShape] = [:])
  /// An object whose keys are the user's own names.
  case names(PipelineShape)
  /// A list.
  case list(PipelineShape)
  /// A text, or an object of a shape.
  case textOr(PipelineShape)
  /// Anything: the decoder knows better.
  case any

  /// The shape of a whole pipeline.
  static let pipeline = object(Pipeline.options, ["steps": .list(step)])

  private static let step = object(
    StepConfiguration.options,
    [
      "read": .object(ReaderConfiguration.options),
      "map": .names(.textOr(.object(AttributeMapping.options))),
      "relationships": .names(.object(RelationshipMapping.options)),
      "link": .object(
        LinkConfiguration.options,
        ["from": .object(LinkConfiguration.End.options), "to": .object(LinkConfiguration.End.options)]),
    ])

  /// Throws for the first thing that does not fit.
  func check(_ node: JSONNode, in file: String, called name: String = "the pipeline") throws(Diagnostic) {
    switch (self, node.content) {
    case (.object(let options, let shapes), .object(let members)):
      for member in members {
        guard let option = options.first(where: { $0.key == member.key }) else {
          throw .unknownKey(
            member.key, in: name, known: options.map(\.key),
            at: SourcePosition(file: file, line: member.line, column: member.column))
        }
        if let shape = shapes[member.key] {
          try shape.check(member.value, in: file, called: member.key)
        } else {
          try Self.check(member.value, is: option, in: file)
        }
      }
    case (.names(let shape), .object(let members)):
      for member in members { try shape.check(member.value, in: file, called: member.key) }
    case (.list(let shape), .array(let elements)):
      for element in elements { try shape.check(element, in: file, called: name) }
    case (.textOr, .string), (.any, _): return
    case (.textOr(let shape), .object): try shape.check(node, in: file, called: name)
    case (.object, _), (.names, _): throw .wrongKind(name, node, expected: "an object", in: file)
    case (.list, _): throw .wrongKind(name, node, expected: "a list", in: file)
    case (.textOr, _): throw .wrongKind(name, node, expected: "a text or an object", in: file)
    }
  }

  private static func check(_ node: JSONNode, is option: OptionDescription, in file: String) throws(Diagnostic) {
    switch (option.form, node.content) {
    case (.flag, .boolean), (.text, .string), (.object, _), (.number, .number): return
    // A text option of which some values are numbers, such as a skip limit.
    case (.text, .number): return
    case (.integer, .number(let text)) where Int(text) != nil: return
    case (.choice(let words), .string(let word)) where words.contains(word): return
    case (.choice(let words), .number(let word)) where words.contains(word): return
    case (.list, .array(let elements)):
      for element in elements {
        switch element.content {
        case .string, .number: continue
        default: throw .wrongKind(option.key, element, expected: "a text in the list", in: file)
        }
      }
    case (.flag, _): throw .wrongKind(option.key, node, expected: "true or false", in: file)
    case (.integer, _): throw .wrongKind(option.key, node, expected: "a whole number", in: file)
    case (.number, _): throw .wrongKind(option.key, node, expected: "a number", in: file)
    case (.text, _): throw .wrongKind(option.key, node, expected: "a text", in: file)
    case (.list, _): throw .wrongKind(option.key, node, expected: "a list of texts", in: file)
    case (.choice(let words), _):
      throw .wrongKind(option.key, node, expected: "one of " + words.joined(separator: ", "), in: file)
    }
  }
}
