/// One option of a reader, a conversion or a run, declared once for the command line, the pipeline file and the help.
///
/// A pipeline file spells it `delimiter`, the command line `--delimiter`: the same key, with a hyphen before what was an
/// upper-case letter (`skipLines`, `--skip-lines`).
public struct OptionDescription: Sendable {
  /// The form of an option's value.
  public enum Form: Hashable, Sendable {
    /// `true` or `false`; on the command line the bare option means true.
    case flag
    /// A whole number that is not less than another.
    case integer(atLeast: Int)
    /// A whole number that is not less than 0, or a word.
    case count(orWord: String)
    /// A number.
    case number
    /// A text, called by the given name in the help, e.g. `CHAR`.
    case text(String)
    /// One of a few words.
    case choice([String])
    /// Several texts: an array in a pipeline file, a repeated option on the command line.
    case list(String)
    /// A structure that only a pipeline file can spell.
    case object
  }

  /// Throws for a text that means nothing, whether it is used or not: what is wrong today must not come out tomorrow.
  public typealias Check = @Sendable (_ text: String) throws(Diagnostic) -> Void

  /// The key in a pipeline file, in lower camel case.
  public var key: String
  /// The form of the value.
  public var form: Form
  /// What it does, in one line, without the default.
  public var help: String
  /// The default, as a user would write it; nil if there is none.
  public var defaultText: String?
  /// Whether a text may be empty. The default is no: it is what a variable of a script becomes that is not set.
  public var allowsEmpty: Bool
  private let check: Check

  /// Declares an option.
  ///
  /// - Parameter check: throws for a text, or for one of a list, that is none of the option's; the default takes any.
  public init(
    _ key: String, _ form: Form, _ help: String, default defaultText: String? = nil, allowsEmpty: Bool = false,
    check: @escaping Check = { _ in }
  ) {
    self.key = key
    self.form = form
    self.help = help
    self.defaultText = defaultText
    self.allowsEmpty = allowsEmpty
    self.check = check
  }

  /// The spelling on the command line: `--skip-lines`.
  public var flag: String {
    var text = "--"
    for character in key {
      if character.isUppercase { text += "-" }
      text += character.lowercased()
    }
    return text
  }

  /// Throws when a text of the option's form means nothing; of a list it is one of its texts.
  public func validate(_ text: String) throws(Diagnostic) {
    guard allowsEmpty || !text.isEmpty else { throw .optionEmpty(self) }
    try check(text)
  }
}

/// A configuration that declares its options.
///
/// `options` holds one description for each key that its `Codable` form reads; a test compares the two.
public protocol OptionDescribing {
  /// The options, in the order of the help.
  static var options: [OptionDescription] { get }
}

extension Diagnostic.Code {
  package static let optionEmpty = Self("option.empty", .usage)
}

extension Diagnostic {
  fileprivate static func optionEmpty(_ option: OptionDescription) -> Diagnostic {
    Diagnostic(
      .optionEmpty, "the option \(option.key) is empty", hint: "Leave it out, or give it a value: \(option.help).")
  }
}
