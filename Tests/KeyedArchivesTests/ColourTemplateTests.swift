import Foundation
import TestSupport
import Testing

@testable import KeyedArchives

@Suite struct ColourTemplateTests {
  /// An archive made from a template is the one that is written anew, whatever the class, the space and the numbers.
  @Test(arguments: [ArchivedColour.Form.nscolor, .uicolor], 1...40)
  func templatesEqualArchives(form: ArchivedColour.Form, seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    func number() -> Double {
      Bool.random(using: &random)
        ? .random(in: 0...1, using: &random) : Double(Int.random(in: 0...4, using: &random)) / 4
    }
    let colours: [ArchivedColour] = [
      .rgb(red: number(), green: number(), blue: number(), alpha: number()), .white(number(), alpha: number()),
      .cmyk(cyan: number(), magenta: number(), yellow: number(), black: number(), alpha: number()),
    ]
    for colour in colours {
      let archive = colour.archive(as: form)
      var anew = KeyedArchive()
      anew.add(
        colour.fields(as: form), classes: [form == .nscolor ? "NSColor" : "UIColor", "NSObject"],
        hints: form == .nscolor ? [] : ["NSColor"])
      #expect(archive == anew.data, "seed \(seed)")
      if form == .nscolor || colour.componentCount(as: form) == colour.componentCount(as: .nscolor) {
        #expect(try ArchivedColour(archive) == colour)
        // What a template reads at once is what is read part by part.
        let parts = try KeyedArchive(archive)
        #expect(try ArchivedColour(parts, #require(parts.rootObject)) == colour)
      }
    }
  }
}
