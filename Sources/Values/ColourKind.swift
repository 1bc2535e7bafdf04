package import Diagnostics
import KeyedArchives

/// Colours: as text, or as columns of their components.
package struct ColourKind: DirectValueKind {
  package static let name = "color"
  package static let forms: [StorageForm] = [.nscolor, .uicolor, .hex, .string]

  private let rules: ColourTextRules
  private let numbers: NumberFormat

  package init(_ settings: KindSettings) throws(Diagnostic) {
    let options = settings.options
    rules = ColourTextRules(
      space: options.colorSpace ?? .rgb, scale: options.scale ?? .bytes, alpha: options.hexAlpha ?? .last)
    numbers = try NumberFormat(options)
  }

  package var columnCounts: Set<Int> { [rules.componentCount, rules.componentCount + 1] }

  package var expectation: String {
    switch rules.space {
    case .rgb:
      rules.alpha == .last
        ? "a colour such as #ff8800, #ff8800cc, orange or rgb(255, 136, 0)"
        : "a colour such as #ff8800, #ccff8800, orange or rgb(255, 136, 0)"
    case .grey: "a grey from 0 to \(rules.scale.rawValue)"
    case .cmyk: "a CMYK colour such as #00ff00cc or cmyk(0%, 100%, 0%, 80%)"
    }
  }

  package func content(_ text: UnsafeRawBufferPointer) throws(TextTrouble) -> Colour { try Colour(text: text, rules) }

  package func content(columns: [UnsafeRawBufferPointer]) throws(TextTrouble) -> Colour {
    var list = NumberList()
    for column in columns.prefix(NumberList.limit) { list.append(try numbers.real(column)) }
    return try Colour(list, rules)
  }

  package func text(_ content: Colour) -> String { content.text }

  package func withStored<Result>(
    _ content: Colour, as form: StorageForm, _ body: (UnsafeRawBufferPointer) -> Result
  ) throws(TextTrouble) -> Result {
    switch form {
    case .nscolor: return ArchivedColour(content).withArchive(as: .nscolor, body)
    case .uicolor: return ArchivedColour(content).withArchive(as: .uicolor, body)
    case .hex:
      return withUnsafeTemporaryAllocation(byteCount: 9, alignment: 1) { memory in
        var text = TextBuffer(memory)
        content.writeHex(alpha: rules.alpha, to: &text)
        return body(text.bytes)
      }
    default:
      var text = content.text
      return text.withUTF8 { body(UnsafeRawBufferPointer($0)) }
    }
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
  /// The colour of an archive.
  init(_ archived: ArchivedColour) {
    switch archived {
    case .rgb(let red, let green, let blue, let alpha): self.init(red: red, green: green, blue: blue, alpha: alpha)
    case .white(let white, let alpha): self.init(.grey(white), alpha: alpha)
    case .cmyk(let cyan, let magenta, let yellow, let black, let alpha):
      self.init(.cmyk(cyan: cyan, magenta: magenta, yellow: yellow, black: black), alpha: alpha)
    }
  }
}

extension ArchivedColour {
  fileprivate init(_ colour: Colour) {
    switch colour.components {
    case .rgb(let red, let green, let blue): self = .rgb(red: red, green: green, blue: blue, alpha: colour.alpha)
    case .grey(let grey): self = .white(grey, alpha: colour.alpha)
    case .cmyk(let cyan, let magenta, let yellow, let black):
      self = .cmyk(cyan: cyan, magenta: magenta, yellow: yellow, black: black, alpha: colour.alpha)
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
