import Diagnostics
import Foundation
import TestSupport
import Testing

@testable import KeyedArchives

@Suite struct ArchivedValueTests {
  static let values: [Case<ArchivedValue, [String]>] = [
    Case("null", .null, ["NSNull", "NSObject"]),
    Case("text", .string("Größe"), []),
    Case("integer", .integer(.min), []),
    Case("real", .real(0.1), []),
    Case("boolean", .boolean(true), []),
    Case("bytes", .data(Data([0, 1, 255])), []),
    Case("date", .date(Date(timeIntervalSinceReferenceDate: 1.5)), ["NSDate", "NSObject"]),
    Case("URL", .url("https://example.org/a?b=c"), ["NSURL", "NSObject"]),
    Case("UUID", .uuid(UUID()), ["NSUUID", "NSObject"]),
    Case("array", .array([.integer(1), .string("b"), .array([]), .null]), ["NSArray", "NSObject"]),
    Case("set", .set([.string("x")]), ["NSSet", "NSObject"]),
    Case(
      "dictionary", .dictionary([.init(.string("k"), .real(2.5)), .init(.string("l"), .dictionary([]))]),
      ["NSDictionary", "NSObject"]),
    Case("rect", .geometry(.rect, "{{0, 0}, {10.5, 20}}"), ["NSValue", "NSObject"]),
    Case("point", .geometry(.point, "{1, 2}"), ["NSValue", "NSObject"]),
    Case("size", .geometry(.size, "{1, 2}"), ["NSValue", "NSObject"]),
    Case("range", .range(location: 3, length: 4), ["NSValue", "NSObject"]),
    Case("colour", .colour(.white(0.5, alpha: 1)), ["NSColor", "NSObject"]),
  ]

  @Test(arguments: values) func roundTrips(_ c: Case<ArchivedValue, [String]>) throws {
    let data = try #require(c.input.archive)
    #expect(try ArchivedValue(data) == c.input)
    #expect(try KeyedArchive(data).rootObject?.classes ?? [] == c.expected)
  }

  @Test func anUnknownClassIsKnownByItsNameOnly() throws {
    var archive = KeyedArchive()
    archive.add([.init("text", .string("x"))], classes: ["Content", "NSObject"])
    #expect(try ArchivedValue(archive.data) == .other(className: "Content"))
    #expect(ArchivedValue.array([.other(className: "Content")]).archive == nil)
  }

  @Test func subclassesOfKnownClasses() throws {
    var archive = KeyedArchive()
    archive.add([.init("NS.objects", .array([]))], classes: ["NSMutableArray", "NSArray", "NSObject"])
    #expect(try ArchivedValue(archive.data) == .array([]))
  }

  @Test func aURLWithABase() throws {
    var archive = KeyedArchive()
    archive.add(
      [.init("NS.base", .uid(0)), .init("NS.relative", .string("https://example.org/a/"))],
      classes: ["NSURL", "NSObject"])
    archive.add([.init("NS.base", .uid(1)), .init("NS.relative", .string("b"))], classes: ["NSURL", "NSObject"])
    #expect(try ArchivedValue(archive.data) == .url("https://example.org/a/b"))
  }

  @Test func decimals() throws {
    var archive = KeyedArchive()
    archive.add(
      [
        .init("NS.mantissa", .data(Data([0x39, 0x30, 1, 0]))), .init("NS.mantissa.bo", .integer(1)),
        .init("NS.exponent", .integer(-2)), .init("NS.negative", .boolean(true)),
      ], classes: ["NSDecimalNumber", "NSNumber", "NSValue", "NSObject"])
    #expect(try ArchivedValue(archive.data) == .decimal(Decimal(string: "-778.81") ?? .nan))
  }

  @Test func uiColours() throws {
    let colour = ArchivedColour.rgb(red: 1, green: 0.5, blue: 0, alpha: 0.25)
    let archive = try KeyedArchive(colour.archive(as: .uicolor))
    let root = try #require(archive.rootObject)
    #expect(root.classes == ["UIColor", "NSObject"])
    #expect(root.fields["UIColorComponentCount"] == .integer(4))
    #expect(root.fields["UIRed"] == .real(1) && root.fields["UIAlpha-Double"] == .real(0.25))
    #expect(root.fields["NSRGB"] == .data(Data("1 0.5 0 0.25".utf8)))
    #expect(root.fields["NSColorSpace"] == .integer(2))
    #expect(try ArchivedColour(archive.data) == colour)
    let grey = try KeyedArchive(ArchivedColour.white(0.5, alpha: 1).archive(as: .uicolor))
    #expect(grey.rootObject?.fields["UIWhite"] == .real(0.5) && grey.rootObject?.fields["UIRed"] == nil)
    // UIKit has no CMYK.
    #expect(
      try ArchivedColour(
        ArchivedColour.cmyk(cyan: 1, magenta: 0, yellow: 0, black: 0, alpha: 1).archive(as: .uicolor))
        == .rgb(red: 0, green: 1, blue: 1, alpha: 1))
  }

  static let xml = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0"><dict><key>$archiver</key><string>NSKeyedArchiver</string>
    <key>$objects</key><array><string>$null</string>
      <dict><key>$class</key><dict><key>CF$UID</key><integer>4</integer></dict>
        <key>NS.objects</key><array><dict><key>CF$UID</key><integer>2</integer></dict>
        <dict><key>CF$UID</key><integer>3</integer></dict></array></dict>
      <string>a</string><data>AA
      H/</data>
      <dict><key>$classes</key><array><string>NSArray</string></array><key>$classname</key><string>NSArray</string></dict>
    </array><key>$top</key><dict><key>root</key><dict><key>CF$UID</key><integer>1</integer></dict></dict>
    <key>$version</key><integer>100000</integer></dict></plist>
    """

  @Test func xmlArchives() throws {
    #expect(try ArchivedValue(Data(Self.xml.utf8)) == .array([.string("a"), .data(Data([0, 1, 255]))]))
  }

  static let refused: [Case<Data, String>] = [
    Case("no property list", Data("a;b".utf8), "expected a property list, found other bytes"),
    Case("no bytes", Data(), "expected a property list, found other bytes"),
    Case("other XML", Data("<a/>".utf8), "expected a property list, found other bytes"),
    Case(
      "in circles", circular, "the archived value cannot be read: it is nested too deep, or in circles"),
    Case(
      "billions", billions, "the archived value cannot be read: it unfolds to too many objects"),
    Case(
      "a number", Data("<plist><array><integer>x</integer></array></plist>".utf8),
      "the XML property list is damaged: \"x\" is no integer"),
  ]

  private static var circular: Data {
    var archive = KeyedArchive()
    archive.add([.init("NS.objects", .array([.uid(1)]))], classes: ["NSArray", "NSObject"])
    return archive.data
  }

  private static var billions: Data {
    var archive = KeyedArchive()
    archive.add([.init("NS.objects", .array([]))], classes: ["NSArray", "NSObject"])
    for _ in 0..<40 {
      archive.add(
        [.init("NS.objects", .array([.uid(archive.root), .uid(archive.root)]))], classes: ["NSArray", "NSObject"])
    }
    return archive.data
  }

  @Test(arguments: refused) func refuses(_ c: Case<Data, String>) {
    let error = #expect(throws: Diagnostic.self) { try ArchivedValue(c.input) }
    #expect(error?.message == c.expected)
  }
}
