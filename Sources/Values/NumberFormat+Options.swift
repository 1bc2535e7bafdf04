package import Diagnostics

extension NumberFormat {
  /// The signs that the options declare.
  package init(_ options: ConversionOptions) throws(Diagnostic) {
    func sign(_ text: String?, _ option: String) throws(Diagnostic) -> TextSign? {
      guard let text else { return nil }
      guard let sign = TextSign(text), !text.contains(where: { $0.isNumber || "+-eE".contains($0) }) else {
        throw .notASign(text, option: option)
      }
      return sign
    }
    let decimal = try sign(options.decimalSign, "decimalSign")
    let grouping = try sign(options.groupingSign, "groupingSign")
    if grouping == decimal ?? NumberFormat.plain.decimalSign { throw .sameSigns(options.groupingSign ?? "") }
    self.init(decimalSign: decimal, groupingSign: grouping, allowsNonFinite: options.nonFinite ?? false)
  }
}
