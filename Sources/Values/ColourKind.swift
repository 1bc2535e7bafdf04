import KeyedArchives

/// Colours: as hexadecimal text, or as three or four columns of red, green, blue and alpha.
package struct ColourKind: ValueKind {
  package static let name = "color"
  package static let forms: [StorageForm] = [.nscolor, .hex]
  package static let columnCounts: Set<Int> = [3, 4]

  private let scale: ColourScale
  private let numbers: NumberFormat

  package init(_ settings: KindSettings) {
    scale = settings.scale
    numbers = settings.numbers
  }

  package var expectation: String { "a colour such as #f80, #ff8800 or #ff8800cc" }

  package func content(_ text: UnsafeRawBufferPointer) throws(TextTrouble) -> Colour { try Colour(hex: text) }

  package func content(columns: [UnsafeRawBufferPointer]) throws(TextTrouble) -> Colour {
    var colour = Colour(red: 0, green: 0, blue: 0)
    colour.red = try component(columns[0])
    colour.green = try component(columns[1])
    colour.blue = try component(columns[2])
    if columns.count == 4 { colour.alpha = try component(columns[3]) }
    return colour
  }

  private func component(_ text: UnsafeRawBufferPointer) throws(TextTrouble) -> Double {
    let number = try numbers.real(text)
    let component = scale == .bytes ? number / 255 : number
    guard (0...1).contains(component) else { throw .range }
    return component
  }

  package func text(_ content: Colour) -> String { content.hex }

  package func stored(_ content: Colour, as form: StorageForm) -> Value {
    if form == .hex { return .string(content.hex8) }
    return .data(
      ArchivedColour.archive(red: content.red, green: content.green, blue: content.blue, alpha: content.alpha))
  }

  package func content(stored: Value, as form: StorageForm) throws(TextTrouble) -> Colour {
    switch stored {
    case .string(let text): return try text.parsed(by: content)
    case .data(let data):
      guard let archived = try? ArchivedColour(data) else { throw .form }
      return Colour(archived)
    default: throw .form
    }
  }
}

extension Colour {
  /// The colour of an archive; CMYK by the plain formula, without a profile.
  fileprivate init(_ archived: ArchivedColour) {
    switch archived {
    case .rgb(let red, let green, let blue, let alpha): self.init(red: red, green: green, blue: blue, alpha: alpha)
    case .white(let white, let alpha): self.init(red: white, green: white, blue: white, alpha: alpha)
    case .cmyk(let cyan, let magenta, let yellow, let black, let alpha):
      self.init(
        red: (1 - cyan) * (1 - black), green: (1 - magenta) * (1 - black), blue: (1 - yellow) * (1 - black),
        alpha: alpha)
    }
  }
}

extension String {
  /// What a parser of bytes makes of the text.
  func parsed<Content>(
    by parse: (UnsafeRawBufferPointer) throws(TextTrouble) -> Content
  ) throws(TextTrouble) -> Content {
    var text = self
    // `withUTF8` cannot throw a typed error through.
    return try text.withUTF8 { bytes -> Result<Content, TextTrouble> in
      do throws(TextTrouble) { return .success(try parse(UnsafeRawBufferPointer(bytes))) } catch {
        return .failure(error)
      }
    }.get()
  }
}
