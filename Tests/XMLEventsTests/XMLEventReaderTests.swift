import Diagnostics
import TestSupport
import Testing
import XMLEvents

/// Writes down what it is told.
private final class Recorder: XMLEventHandler {
  var lines: [String] = []
  private var text: [UInt8] = []

  func startElement(_ name: XMLNameID, _ attributes: XMLAttributes, at place: XMLPlace, in reader: XMLEventReader)
    throws(Diagnostic)
  {
    endText()
    let values = (0..<attributes.count).map {
      " \(reader.name(attributes.name($0)).local)=\(String(decoding: attributes.value($0), as: UTF8.self))"
    }
    lines.append("\(place.line)/\(place.byte) <\(reader.name(name).local)\(values.joined())>")
    if reader.name(name).local == "stop" { throw Diagnostic(.xmlDepth, "stopped by the handler", hint: "Go on.") }
  }

  func text(_ bytes: UnsafeRawBufferPointer) { text += bytes }

  func endElement() {
    endText()
    lines.append("</>")
  }

  private func endText() {
    if !text.isEmpty { lines.append(String(decoding: text, as: UTF8.self).debugDescription) }
    text = []
  }
}

/// The events of a document that is fed in blocks, and the code of its error.
private func events(_ bytes: [UInt8], block: Int) -> [String] {
  let recorder = Recorder()
  let reader = XMLEventReader(file: "t.xml", handler: recorder)
  do throws(Diagnostic) {
    var rest = bytes[...]
    while !rest.isEmpty {
      var failed: Diagnostic?
      rest.prefix(block).withUnsafeBytes { bytes in
        do throws(Diagnostic) { try reader.feed(bytes) } catch { failed = error }
      }
      if let failed { throw failed }
      rest = rest.dropFirst(block)
    }
    try reader.finish()
  } catch {
    return recorder.lines + ["[\(error.code.name)]"]
  }
  return recorder.lines
}

private func utf16(_ text: String, mark: Bool = true) -> [UInt8] {
  (mark ? [0xFF, 0xFE] : []) + text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
}

struct XMLEventReaderTests {
  static let cases: [Case<[UInt8], [String]>] = [
    Case(
      "places", Array("<?xml version='1.0'?>\n<a>\r\n<b\n k='1\n2'\n>é</b><c/></a>".utf8),
      ["2/22 <a>", "\"\\n\"", "3/27 <b k=1 2>", "\"é\"", "</>", "6/46 <c>", "</>", "</>"]),
    Case("a mark of UTF-8", [0xEF, 0xBB, 0xBF] + Array("<a>x</a>".utf8), ["1/3 <a>", "\"x\"", "</>"]),
    Case(
      "a mark of UTF-8 and another encoding declared",
      [0xEF, 0xBB, 0xBF] + Array("<?xml version='1.0' encoding='ISO-8859-1'?><a>é</a>".utf8), ["[xml.encoding]"]),
    Case("UTF-16", utf16("<?xml version='1.0' encoding='UTF-16'?><a>é😀</a>"), ["1/39 <a>", "\"é😀\"", "</>"]),
    Case("UTF-16 that says UTF-8", utf16("<?xml version='1.0' encoding='UTF-8'?><a>é</a>"), ["[xml.encoding]"]),
    Case("UTF-16 cut inside a character", utf16("<a/>") + [0x20], ["1/0 <a>", "</>", "[xml.encoding]"]),
    Case(
      "an encoding that is not known", Array("<?xml version='1.0' encoding='x-none'?><a/>".utf8), ["[xml.encoding]"]),
    Case(
      "UTF-8 cut inside a character", Array("<a>x</a>".utf8) + [0xC3], ["1/0 <a>", "\"x\"", "</>", "[xml.malformed]"]),
    Case("what the handler throws", Array("<a><stop/><b/></a>".utf8), ["1/0 <a>", "1/3 <stop>", "[xml.depth]"]),
    Case(
      "default attributes",
      Array("<!DOCTYPE a [<!ATTLIST b k CDATA 'v'>]><a><b/><b k='w'/></a>".utf8),
      ["1/39 <a>", "1/42 <b k=v>", "</>", "1/46 <b k=w>", "</>", "</>"]),
    Case(
      "elements in an entity", Array("<!DOCTYPE a [<!ENTITY e '<b>x</b>'>]><a>\n&e;y</a>".utf8),
      ["1/37 <a>", "\"\\n\"", "2/41 <b>", "\"x\"", "</>", "\"y\"", "</>"]),
    Case(
      "an entity that ends an element of the document", Array("<!DOCTYPE a [<!ENTITY e '</a>'>]><a>&e;".utf8),
      ["1/33 <a>", "[xml.malformed]"]),
    Case(
      "an entity from outside in a value",
      Array("<!DOCTYPE a [<!ENTITY e SYSTEM 'f'>]><a k='&e;'/>".utf8), ["[xml.entity]"]),
  ]

  @Test(arguments: cases, [1, 2, 7, 65_536])
  func events(_ c: Case<[UInt8], [String]>, block: Int) {
    #expect(XMLEventsTests.events(c.input, block: block) == c.expected)
  }

  @Test func blowUps() {
    // Entities without any text, and default attributes: what no reference is written for.
    var empty = "<!DOCTYPE a [<!ENTITY e0 ''>"
    for level in 1...9 { empty += "<!ENTITY e\(level) '" + String(repeating: "&e\(level - 1);", count: 10) + "'>" }
    #expect(XMLEventsTests.events(Array((empty + "]><a>&e9;</a>").utf8), block: 65_536).last == "[xml.entity-limit]")
    let value = String(repeating: "v", count: 1000)
    let defaults =
      "<!DOCTYPE a [<!ATTLIST b k CDATA '\(value)'>]><a>" + String(repeating: "<b/>", count: 1000) + "</a>"
    #expect(XMLEventsTests.events(Array(defaults.utf8), block: 65_536).last == "[xml.entity-limit]")
  }

  @Test(arguments: [XMLEventReader.maximumDepth, XMLEventReader.maximumDepth + 1]) func depth(_ depth: Int) {
    let text = String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth)
    let isTooDeep = XMLEventsTests.events(Array(text.utf8), block: 65_536).last == "[xml.depth]"
    #expect(isTooDeep == (depth > XMLEventReader.maximumDepth))
  }

  @Test func threads() async {
    let text = Array("<a>\(String(repeating: "<b k='1'>é</b>", count: 500))&nope;</a>".utf8)
    let expected = XMLEventsTests.events(text, block: 64)
    await withTaskGroup(of: [String].self) { group in
      for _ in 0..<8 { group.addTask { XMLEventsTests.events(text, block: 64) } }
      for await found in group { #expect(found == expected) }
    }
  }

  /// Broken documents give the same events and an error whatever the size of blocks.
  @Test func mutations() {
    let text = Array(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE a [<!ENTITY e "x &amp; <i>y</i>"><!ATTLIST b k CDATA "v">]>
      <a xmlns:p="urn:p"><b p:k="&lt;é&#x41;">1<![CDATA[<&]]>2</b><!-- c --><?pi d?><p:c>&e;</p:c>\r\n</a>
      """.utf8)
    var generator = SeededGenerator(seed: 20_260_102)
    for _ in 0..<600 {
      var broken = text
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        let place = Int.random(in: 0..<broken.count, using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: broken.remove(at: place)
        case 1: broken[place] = UInt8.random(in: 0...255, using: &generator)
        case 2: broken.insert(contentsOf: broken[place...].prefix(5), at: place)
        default: broken.removeSubrange(place...)
        }
        if broken.isEmpty { break }
      }
      let whole = XMLEventsTests.events(broken, block: 65_536)
      for block in [1, 7] {
        let found = XMLEventsTests.events(broken, block: block)
        // How far the library comes before it finds the error depends on what it sees.
        let (ended, expected) = (found.last?.hasPrefix("[") == true, whole.last?.hasPrefix("[") == true)
        #expect(ended == expected, "\(String(decoding: broken, as: UTF8.self)): \(found), \(whole)")
        if !ended, !expected { #expect(found == whole) }
      }
    }
  }
}
