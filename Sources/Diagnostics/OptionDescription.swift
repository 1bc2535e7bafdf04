/// One option of a reader, a conversion or a run, declared once for the command line, the pipeline file and the help.
///
/// A pipeline file spells it `delimiter`, the command line `--delimiter`: the same key, with a hyphen before what was an
/// upper-case letter (`skipLines`, `--skip-lines`).
public struct OptionDescription: Hashable, Sendable {
  /// The form of an option's value.
  public enum Form: Hashable, Sendable {
    /// `true` or `false`; on the command line the bare option means true.
    case flag
    /// A whole number.
    case integer
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

  /// The key in a pipeline file, in lower camel case.
  public var key: String
  /// The form of the value.
  public var form: Form
  /// What it does, in one line, without the default.
  public var help: String
  /// The default, as a user would write it; nil if there is none.
  public var defaultText: String?

  /// Declares an option.
  public init(_ key: String, _ form: Form, _ help: String, default defaultText: String? = nil) {
    self.key = key
    self.form = form
    self.help = help
    self.defaultText = defaultText
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
}

/// A configuration that declares its options.
///
/// `options` holds one description for each key that its `Codable` form reads; a test compares the two.
public protocol OptionDescribing {
  /// The options, in the order of the help.
  static var options: [OptionDescription] { get }
}
