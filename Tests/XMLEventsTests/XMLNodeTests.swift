import Diagnostics
import TestSupport
import Testing
import XMLEvents

struct XMLNodeTests {
  @Test func tree() throws {
    let text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <model xmlns:x="urn:x"
             name="Fish &amp; chips">
        <entity name="A" x:name="B">one<!-- no --> two<![CDATA[ & three]]></entity>
        <entity
          name="C"/>
      </model>
      """
    let root = try XMLNode.parse(bytes: Array(text.utf8), file: "m.xml")
    #expect(root.name == XMLName("model"))
    #expect(root.line == 2)
    #expect(root["name"] == "Fish & chips")
    let entities = root.children("entity")
    #expect(entities.map(\.line) == [4, 5])
    #expect(entities[0].attributes.map(\.name) == [XMLName("name"), XMLName(namespace: "urn:x", "name")])
    #expect(entities[0].text == "one two & three")
    #expect(entities[1]["name"] == "C")
  }

  @Test func internalEntities() throws {
    let text = """
      <!DOCTYPE a [<!ENTITY co "Acme &amp; Sons"><!ENTITY el "<b k='&co;'>x &co;</b>">]>
      <a t="&co;/&co;">1 &co; 2 &co; 3 &co;&el;&el;!</a>
      """
    let root = try XMLNode.parse(bytes: Array(text.utf8), file: "m.xml")
    #expect(root["t"] == "Acme & Sons/Acme & Sons")
    #expect(root.text == "1 Acme & Sons 2 Acme & Sons 3 Acme & Sons!")
    #expect(root.children.map(\.text) == ["x Acme & Sons", "x Acme & Sons"])
    #expect(root.children.map { $0["k"] } == ["Acme & Sons", "Acme & Sons"])
  }

  static let messages: [Case<String, String>] = [
    Case(
      "cut short", "<a>\n<b>",
      """
      m.xml:2: the document is cut short: it ends inside 2 open elements [xml.malformed]
        The file was not copied or written to its end; get it again.
      """),
    Case(
      "mismatch", "<a>\n<b></c></a>",
      """
      m.xml:2:8: the XML is not well-formed: Opening and ending tag mismatch: b line 2 and c [xml.malformed]
        Nothing behind this place can be read.
      """),
    Case("blank", " \n ", "m.xml:1: there is no element: this is not an XML document [xml.malformed]"),
    Case("nothing", "", "m.xml:1: there is no element: this is not an XML document [xml.malformed]"),
    Case(
      "undeclared entity", "<a>caf&eacute;</a>",
      """
      m.xml:1:15: the entity `eacute` is not declared in the document [xml.entity]
        XML knows amp, lt, gt, quot and apos; write other characters themselves, or as `&#233;`.
      """),
    Case(
      "external entity", "<!DOCTYPE a [<!ENTITY e SYSTEM 'file:///etc/passwd'>]>\n<a>&e;</a>",
      """
      m.xml:2:7: the entity `e` stands outside the document, in `file:///etc/passwd`, which is not read [xml.entity]
        Put its text into the document.
      """),
  ]

  @Test func messageOfBytesThatAreNotUTF8() {
    let error = #expect(throws: Diagnostic.self) {
      try XMLNode.parse(bytes: Array("<a>caf".utf8) + [0xE9] + Array("</a>".utf8), file: "m.xml")
    }
    #expect(
      error?.description == """
        m.xml:1:7: the document is not in the encoding it declares: the bytes 0xE9 0x3C 0x2F 0x61 are not UTF-8 [xml.encoding]
          Correct the encoding in its first line, or save the file in that encoding.
        """)
  }

  @Test(arguments: messages) func message(_ c: Case<String, String>) {
    let error = #expect(throws: Diagnostic.self) { try XMLNode.parse(bytes: Array(c.input.utf8), file: "m.xml") }
    #expect(error?.text(like: c.expected) == c.expected)
  }
}
