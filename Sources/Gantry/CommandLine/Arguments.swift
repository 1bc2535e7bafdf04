import Diagnostics

/// The words of a command line, told apart by the command's options.
struct Arguments {
  /// The words that are no options.
  private(set) var operands: [String] = []
  /// The values of the options by key; a flag has none.
  private(set) var values: [String: [String]] = [:]
  /// The options that the command knows.
  private var options: [OptionDescription] { command.options }
  let command: Command

  /// Tells words apart: `--option VALUE`, `--option=VALUE`, `--flag`; `--` ends the options and `-` is an operand.
  init(_ words: some Sequence<String>, of command: Command) throws(Diagnostic) {
    self.command = command
    var words = Array(words)[...]
    while let word = words.popFirst() {
      if word == "--" {
        operands += words
        return
      }
      guard word.hasPrefix("-"), word != "-" else {
        operands.append(word)
        continue
      }
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard let option = options.first(where: { $0.flag == parts[0] }) else {
        throw .unknownOption(parts[0], of: command)
      }
      if option.form == .flag {
        guard parts.count == 1 else { throw .flagWithValue(option) }
        values[option.key] = []
        continue
      }
      // A value may begin with a hyphen (`--delimiter -`), but the name of another option is a value forgotten.
      guard let value = parts.count == 2 ? parts[1] : words.first,
        parts.count == 2 || !options.contains(where: { $0.flag == value })
      else { throw .optionWithoutValue(option) }
      if parts.count == 1 { words.removeFirst() }
      if case .list = option.form {
        values[option.key, default: []].append(value)
      } else {
        guard values[option.key] == nil else { throw .optionTwice(option) }
        values[option.key] = [value]
      }
    }
  }

  /// Whether a flag is given.
  func has(_ key: String) -> Bool { values[key] != nil }

  /// The value of an option.
  func value(_ key: String) -> String? { values[key]?.last }

  /// Throws for another number of operands than the command has.
  func expectOperands(_ count: Int) throws(Diagnostic) {
    guard operands.count == count else { throw .operands(of: command, found: operands.count) }
  }

  /// Throws for a value that is none of its option's, whether the command comes to use it or not, and for an empty operand.
  func validate() throws(Diagnostic) {
    // A variable of a script that is not set: taken for a path it would be the current folder.
    if operands.contains("") { throw .emptyOperand(of: command) }
    _ = try members(of: options)
  }

  /// The given options among some, as members of a pipeline file's object.
  func members(of options: [OptionDescription]) throws(Diagnostic) -> [JSONNode.Member] {
    var members: [JSONNode.Member] = []
    for option in options {
      guard let given = values[option.key] else { continue }
      members.append(.init(option.key, try Self.content(given, of: option)))
    }
    return members
  }

  private static func content(_ given: [String], of option: OptionDescription) throws(Diagnostic) -> JSONNode.Content {
    let value = given.last ?? ""
    for text in given { try option.validate(text) }
    switch option.form {
    case .flag: return .boolean(true)
    case .integer(let least):
      guard let number = Int(value), number >= least else {
        throw .optionValue(option, value, expected: option.form.expectation)
      }
      return .number(value)
    case .count(let word):
      guard value == word || Int(value).map({ $0 >= 0 }) ?? false else {
        throw .optionValue(option, value, expected: option.form.expectation)
      }
      return .string(value)
    case .number:
      guard let number = Double(value), number.isFinite else {
        throw .optionValue(option, value, expected: option.form.expectation)
      }
      return .number("\(number)")
    case .choice(let words):
      guard words.contains(value) else {
        throw .optionValue(option, value, expected: option.form.expectation)
      }
      return .string(value)
    case .text: return .string(value)
    case .list:
      guard option.listsNumbers else { return .array(given.map { JSONNode(.string($0)) }) }
      if let wrong = given.first(where: { Int($0) == nil }) {
        throw .optionValue(option, wrong, expected: "a whole number")
      }
      return .array(given.map { JSONNode(.number($0)) })
    case .object: throw .optionValue(option, value, expected: "a pipeline file to spell it")
    }
  }
}

extension JSONNode {
  /// A value that stands in no file.
  init(_ content: Content) { self.init(content: content, place: nil) }
}

extension JSONNode.Member {
  /// A member that stands in no file.
  init(_ key: String, _ content: JSONNode.Content) {
    self.init(key: key, place: nil, value: JSONNode(content))
  }
}
