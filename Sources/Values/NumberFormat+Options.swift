package import Diagnostics

extension NumberFormat {
  /// Throws for a text that cannot stand in numbers as a sign.
  static func check(_ text: String, option: String) throws(Diagnostic) {
    guard TextSign(text) != nil, !text.contains(where: { $0.isNumber || "+-eE".contains($0) }) else {
      throw .notASign(text, option: option)
    }
  }

  /// The signs that the options declare.
  package init(_ options: ConversionOptions) throws(Diagnostic) {
    func sign(_ text: String?, _ option: String) throws(Diagnostic) -> TextSign? {
      if let text { try Self.check(text, option: option) }
      return text.flatMap(TextSign.init)
    }
    let decimal = try sign(options.decimalSign, "decimalSign")
    let grouping = try sign(options.groupingSign, "groupingSign")
    if grouping == decimal ?? NumberFormat.plain.decimalSign { throw .sameSigns(options.groupingSign ?? "") }
    self.init(decimalSign: decimal, groupingSign: grouping, allowsNonFinite: options.nonFinite ?? false)
  }
}
