import Diagnostics

extension Diagnostic.Code {
  static let usage = Self("usage", .usage)
  static let usageOption = Self("usage.option", .usage)
  static let usageValue = Self("usage.value", .usage)
}

extension Diagnostic {
  static func unknownOption(_ word: String, known: [OptionDescription]) -> Diagnostic {
    let near = NearestName.of(word, in: known.map(\.flag)).map { "Did you mean \($0)?" }
    return Diagnostic(.usageOption, "unknown option \(word)", hint: near ?? "`gantry help` lists the options.")
  }

  static func flagWithValue(_ option: OptionDescription) -> Diagnostic {
    Diagnostic(.usageOption, "\(option.flag) takes no value", hint: "Write \(option.flag) alone.")
  }

  static func optionWithoutValue(_ option: OptionDescription) -> Diagnostic {
    Diagnostic(.usageOption, "\(option.flag) needs a value", hint: option.help + ".")
  }

  static func optionTwice(_ option: OptionDescription) -> Diagnostic {
    Diagnostic(.usageOption, "\(option.flag) is given twice", hint: "Give it once.")
  }

  static func optionValue(_ option: OptionDescription, _ value: String, expected: String) -> Diagnostic {
    Diagnostic(.usageValue, "\(option.flag) is \"\(value)\", expected \(expected)", hint: option.help + ".")
  }

  static func mappedTwice(_ attribute: String) -> Diagnostic {
    Diagnostic(.usageValue, "--map names the attribute \(attribute) twice", hint: "Give it one column.")
  }

  static func severalPipelines(_ count: Int) -> Diagnostic {
    Diagnostic(.usage, "a pipeline file stands alone, found \(count) files", hint: "Import one after the other.")
  }

  static func operands(_ expected: String, found count: Int) -> Diagnostic {
    let found = count == 0 ? "no operand" : count == 1 ? "1 operand" : "\(count) operands"
    return Diagnostic(.usage, "expected \(expected), found \(found)")
  }

  static func usage(_ message: String, hint: String? = nil) -> Diagnostic {
    Diagnostic(.usage, message, hint: hint)
  }
}
