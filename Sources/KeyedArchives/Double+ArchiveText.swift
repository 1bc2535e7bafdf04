extension Double {
  /// The shortest decimal that reads as the same number, whole ones without a fraction: `10.5`, `20`, `-0`.
  package var archiveText: String {
    let text = description
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}
