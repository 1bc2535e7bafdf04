package import Values

extension NSAttributeDescription {
  /// How the model says that texts are read: the keys of its `userInfo` that are named like the conversion options.
  ///
  /// Those of numbers and dates count for every attribute, those of kinds only beside a `kind`: other programs have keys of
  /// such plain names.
  package var conversionOptions: ConversionOptions {
    guard !userInfo.isEmpty else { return ConversionOptions() }
    var options = ConversionOptions()
    options.date = userInfo["dateFormat"].map { Self.form(ofDateFormat: $0) }
    options.timeZone = userInfo["timeZone"]
    options.pivotYear = userInfo["pivotYear"].flatMap { Int($0) }
    options.decimalSign = userInfo["decimalSign"]
    options.groupingSign = userInfo["groupingSign"]
    options.decimalLoss = choice("decimalLoss")
    guard userInfo["kind"] != nil else { return options }
    options.binary = choice("binary")
    options.scale = choice("scale")
    options.colorSpace = choice("colorSpace")
    options.hexAlpha = choice("hexAlpha")
    options.storedUnit = userInfo["storedUnit"]
    return options
  }

  /// MagicalRecord's `dateFormat`: a pattern, or its own word for seconds since 1970.
  private static func form(ofDateFormat format: String) -> String { format == "UnixTime" ? "unix" : format }

  private func choice<Choice: RawRepresentable>(_ key: String) -> Choice? where Choice.RawValue == String {
    userInfo[key].flatMap { Choice(rawValue: $0) }
  }

  /// What of it cannot be read, each in a sentence.
  var optionProblems: [String] {
    var problems: [String] = []
    func check<Choice: RawRepresentable & CaseIterable>(_ key: String, _: Choice.Type) where Choice.RawValue == String {
      guard let text = userInfo[key], Choice(rawValue: text) == nil else { return }
      problems.append("`\(key)` is `\(text)`, expected \(Choice.allCases.map(\.rawValue).joined(separator: " or "))")
    }
    check("decimalLoss", DecimalLoss.self)
    guard userInfo["kind"] != nil else { return problems }
    check("binary", BinaryForm.self)
    check("scale", ColourScale.self)
    check("colorSpace", ColourSpace.self)
    check("hexAlpha", AlphaPlace.self)
    return problems
  }
}
