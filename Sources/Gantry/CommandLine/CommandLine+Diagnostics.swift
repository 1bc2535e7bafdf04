import Bytes
import Diagnostics
import Foundation

extension Diagnostic.Code {
  static let usage = Self("usage", .usage)
  static let usageOption = Self("usage.option", .usage)
  static let usageValue = Self("usage.value", .usage)
  static let environmentOutput = Self("environment.output", .environment)
}

extension Diagnostic {
  static func unknownOption(_ word: String, of command: Command) -> Diagnostic {
    let near = NearestName.question(word, in: command.options.map(\.flag))
    return Diagnostic(
      .usageOption, "unknown option \(word)", hint: "\(near)`gantry help \(command.name)` lists the options.")
  }

  static func flagWithValue(_ option: OptionDescription) -> Diagnostic {
    Diagnostic(.usageOption, "\(option.flag) takes no value", hint: "Write \(option.flag) alone.")
  }

  static func optionWithoutValue(_ option: OptionDescription) -> Diagnostic {
    Diagnostic(.usageOption, "\(option.flag) needs a value", hint: "It is \(option.help).")
  }

  static func optionTwice(_ option: OptionDescription) -> Diagnostic {
    Diagnostic(.usageOption, "\(option.flag) is given twice", hint: "Give it once.")
  }

  static func optionValue(_ option: OptionDescription, _ value: String, expected: String) -> Diagnostic {
    Diagnostic(
      .usageValue, "\(option.flag) is \"\(ShownText.excerpt(value))\", expected \(expected)",
      hint: "It is \(option.help).")
  }

  static func mappedTwice(_ attribute: String) -> Diagnostic {
    Diagnostic(.usageValue, "--map names the attribute \(attribute) twice", hint: "Give it one column.")
  }

  static func severalPipelines(_ count: Int) -> Diagnostic {
    Diagnostic(.usage, "a pipeline file stands alone, found \(count) files", hint: "Import one after the other.")
  }

  static func operands(of command: Command, found count: Int) -> Diagnostic {
    let found = count == 0 ? "no operand" : count == 1 ? "1 operand" : "\(count) operands"
    return Diagnostic(
      .usage, "expected \(command.operands), found \(found)", hint: "`gantry help \(command.name)` says more.")
  }

  static func emptyOperand(of command: Command) -> Diagnostic {
    Diagnostic(
      .usage, "expected \(command.operands), found an empty operand",
      hint: "Is a variable of the script not set? `gantry help \(command.name)` says more.")
  }

  /// What could not be written to standard output.
  static func output(_ error: any Error) -> Diagnostic {
    let error = error as NSError
    // Foundation wraps what the system said.
    let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError
    let reason = cause.map { SystemError(code: Int32(clamping: $0.code)).description } ?? error.localizedDescription
    return Diagnostic(
      .environmentOutput, "standard output: \(reason)",
      hint: "What is printed is not whole. Look at where the output goes, then start again.")
  }

  static func usage(_ message: String, hint: String) -> Diagnostic {
    Diagnostic(.usage, message, hint: hint)
  }
}
