import Foundation
import KeyedArchives
import TestSupport
import Testing

@testable import Values

@Suite struct GeometryKindTests {
  static let rects: [Case<String, Outcome<CGRect>>] = [
    text("{{0, 0}, {10.5, 20}}", CGRect(x: 0, y: 0, width: 10.5, height: 20)),
    text("{{1.5, -2}, {0, 4}}", CGRect(x: 1.5, y: -2, width: 0, height: 4)),
    text("{{1,2},{3,4}}", CGRect(x: 1, y: 2, width: 3, height: 4)),
    text("{ { 1 , 2 } , { 3 , 4 } }", CGRect(x: 1, y: 2, width: 3, height: 4)),
    text("{{1e3, 2}, {-3, 4}}", CGRect(origin: CGPoint(x: 1000, y: 2), size: CGSize(width: -3, height: 4))),
    refused("", .form), refused("garbage", .form), refused("{{1, 2}, {3}}", .form), refused("{{1, 2}, {3, 4}", .form),
    refused("{{1, 2}, {3, 4}}}", .form), refused("{{1, 2}, {3, 4}} ", .form), refused("{{1,5; 2}, {3, 4}}", .form),
    refused("{{1, 2}, {3, nan}}", .form), refused("{{1, 2}, {3, }}", .form), refused("{{1 2}, {3, 4}}", .form),
    refused("{{1, 2, 3}, {3, 4}}", .form), refused("1, 2, 3, 4", .form), refused("{{1, 2}, {3, 1e999}}", .range),
    text(#"{"x": 1, "y": 2, "width": 3, "height": 4.5}"#, CGRect(x: 1, y: 2, width: 3, height: 4.5)),
    text(
      #"{"origin": {"x": 1, "y": 2}, "size": {"width": 3, "height": 4}}"#, CGRect(x: 1, y: 2, width: 3, height: 4)),
    text("[1, 2, 3, 4]", CGRect(x: 1, y: 2, width: 3, height: 4)),
    text("[[1, 2], [3, 4]]", CGRect(x: 1, y: 2, width: 3, height: 4)),
    refused(#"{"x": 1, "y": 2, "width": 3}"#, .form), refused(#"{"x":1,"y":2,"width":3,"height":4,"z":5}"#, .form),
    refused(#"{"x":"1","y":2,"width":3,"height":4}"#, .form), refused("[1, 2, 3]", .form),
    refused("[1, 2, 3, 4", .form),
    refused(#"{"x":1,"x":2,"y":2,"width":3,"height":4}"#, .form), refused("[1, 2, 3, null]", .form),
  ]

  @Test(arguments: rects) func rect(_ c: Case<String, Outcome<CGRect>>) throws {
    let kind = try RectKind(KindSettings())
    #expect(read(c.input) { bytes throws(TextTrouble) in try kind.content(bytes) } == c.expected)
  }

  static let points: [Case<String, Outcome<CGPoint>>] = [
    text("{1, 2}", CGPoint(x: 1, y: 2)), text("{-1, 0.25}", CGPoint(x: -1, y: 0.25)),
    text(#"{"x":1,"y":2}"#, CGPoint(x: 1, y: 2)),
    refused("{1,5; 2,5}", .form), refused("{1}", .form), refused("{1, 2", .form), refused("1, 2}", .form),
  ]

  @Test(arguments: points) func point(_ c: Case<String, Outcome<CGPoint>>) throws {
    let kind = try PointKind(KindSettings())
    #expect(read(c.input) { bytes throws(TextTrouble) in try kind.content(bytes) } == c.expected)
  }

  static let ranges: [Case<String, Outcome<NSRange>>] = [
    text("{3, 4}", NSRange(location: 3, length: 4)), text("{0, 0}", NSRange(location: 0, length: 0)),
    text("{3.0, 4}", NSRange(location: 3, length: 4)),
    refused("{5.9, 2}", .form), refused("{-3, 4}", .form), refused("{3}", .form), refused("{1e300, 4}", .range),
  ]

  @Test(arguments: ranges) func range(_ c: Case<String, Outcome<NSRange>>) throws {
    let kind = try RangeKind(KindSettings())
    #expect(read(c.input) { bytes throws(TextTrouble) in try kind.content(bytes) } == c.expected)
  }

  static let transforms: [Case<String, Outcome<AffineTransform2D>>] = [
    text("[1, 0, 0, 1, 10, 20.5]", AffineTransform2D(a: 1, b: 0, c: 0, d: 1, tx: 10, ty: 20.5)),
    text(#"{"a":1,"b":0,"c":0,"d":1,"tx":0,"ty":0}"#, AffineTransform2D(a: 1, b: 0, c: 0, d: 1, tx: 0, ty: 0)),
    refused("[1, 0, 0, 1, 10]", .form), refused("{1, 0, 0, 1, 10, 20}", .form), refused("[1, 0, 0, 1, 10, 20", .form),
  ]

  @Test(arguments: transforms) func transform(_ c: Case<String, Outcome<AffineTransform2D>>) throws {
    let kind = try AffineTransformKind(KindSettings())
    #expect(read(c.input) { bytes throws(TextTrouble) in try kind.content(bytes) } == c.expected)
  }

  /// As `NSStringFromRect` and its relatives print.
  @Test func texts() throws {
    func kind<Kind: GeometryKind>(_: Kind.Type) throws -> Kind { try Kind(KindSettings()) }
    let rect = try kind(RectKind.self)
    #expect(rect.text(CGRect(x: 0, y: 0, width: 10.5, height: 20)) == "{{0, 0}, {10.5, 20}}")
    #expect(try kind(PointKind.self).text(CGPoint(x: 0.1, y: -2)) == "{0.1, -2}")
    #expect(try kind(SizeKind.self).text(CGSize(width: 1e20, height: -0.0)) == "{1e+20, -0}")
    #expect(try kind(RangeKind.self).text(NSRange(location: 3, length: 4)) == "{3, 4}")
    #expect(
      try kind(EdgeInsetsKind.self).text(EdgeInsets(top: 1, left: 2, bottom: 3, right: 4.5)) == "{1, 2, 3, 4.5}")
    #expect(
      try kind(AffineTransformKind.self).text(AffineTransform2D(a: 1, b: 0, c: 0, d: 1, tx: 5, ty: 6))
        == "[1, 0, 0, 1, 5, 6]")
    #expect(rect.expectation == "a rect such as {{1, 2}, {3, 4}}")
    #expect(
      try rect.stored(CGRect(x: 0, y: 1, width: 2.5, height: 3), as: .json)
        == .string(#"{"x":0,"y":1,"width":2.5,"height":3}"#))
  }

  @Test func valueArchives() throws {
    let rect = try RectKind(KindSettings())
    let stored = try rect.stored(CGRect(x: 0, y: 0, width: 10.5, height: 20), as: .nsvalue)
    guard case .data(let data) = stored else { return #expect(Bool(false)) }
    let root = try #require(try KeyedArchive(data).rootObject)
    #expect(root.classes == ["NSValue", "NSObject"] && root.fields["NS.special"] == .integer(3))
    #expect(try ArchivedValue(data) == .geometry(.rect, "{{0, 0}, {10.5, 20}}"))
    // A size is no point, though its text is alike.
    let size = try SizeKind(KindSettings()).stored(CGSize(width: 1, height: 2), as: .nsvalue)
    #expect(throws: TextTrouble.form) { try PointKind(KindSettings()).content(stored: size, as: .nsvalue) }
  }

  @Test func columns() throws {
    var settings = KindSettings()
    settings.options.decimalSign = ","
    let insets = try EdgeInsetsKind(settings)
    #expect(
      readColumns(["1,5", "2", "3", "4"]) { b throws(TextTrouble) in try insets.content(columns: b) }
        == .value(EdgeInsets(top: 1.5, left: 2, bottom: 3, right: 4)))
    #expect(insets.columnCounts == [4])
    #expect(try AffineTransformKind(settings).columnCounts == [6])
  }
}
