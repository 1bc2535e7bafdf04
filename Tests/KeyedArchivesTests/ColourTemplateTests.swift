import Foundation
import Testing

@testable import KeyedArchives

@Suite struct ColourTemplateTests {
  /// An archive made from a template is the one that is written anew, whatever the length of the text.
  @Test func templatesEqualArchives() {
    for length in 0...120 {
      let text = Data((0..<length).map { UInt8(ascii: "0") + UInt8($0 % 10) })
      #expect(ColourTemplate.archive(text) == ColourTemplate.archiveAnew(text), "length \(length)")
    }
  }
}
