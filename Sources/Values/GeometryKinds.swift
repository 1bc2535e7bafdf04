package import Foundation
import KeyedArchives

/// Points: `{x, y}`.
package struct PointKind: GeometryKind {
  package typealias Content = CGPoint
  package static let name = "point"
  package static let shape = GeometryShape("{#, #}", ["x", "y"], archived: .point)
  package let columnFormat: NumberFormat
  package init(columnFormat: NumberFormat) { self.columnFormat = columnFormat }
  package func content(_ numbers: NumberList) -> CGPoint { CGPoint(x: numbers[0], y: numbers[1]) }
  package func numbers(_ content: CGPoint) -> NumberList { NumberList(content.x, content.y) }
}

/// Sizes: `{width, height}`.
package struct SizeKind: GeometryKind {
  package typealias Content = CGSize
  package static let name = "size"
  package static let shape = GeometryShape("{#, #}", ["width", "height"], archived: .size)
  package let columnFormat: NumberFormat
  package init(columnFormat: NumberFormat) { self.columnFormat = columnFormat }
  package func content(_ numbers: NumberList) -> CGSize { CGSize(width: numbers[0], height: numbers[1]) }
  package func numbers(_ content: CGSize) -> NumberList { NumberList(content.width, content.height) }
}

/// Rectangles: `{{x, y}, {width, height}}`.
package struct RectKind: GeometryKind {
  package typealias Content = CGRect
  package static let name = "rect"
  package static let shape = GeometryShape("{{#, #}, {#, #}}", ["x", "y", "width", "height"], archived: .rect)
  package let columnFormat: NumberFormat
  package init(columnFormat: NumberFormat) { self.columnFormat = columnFormat }
  package func content(_ numbers: NumberList) -> CGRect {
    CGRect(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
  }
  package func numbers(_ content: CGRect) -> NumberList {
    // Not `width` and `height`: those are never negative, whatever the rectangle says.
    NumberList(content.origin.x, content.origin.y, content.size.width, content.size.height)
  }
}

/// Ranges: `{location, length}`, whole numbers from 0.
package struct RangeKind: GeometryKind {
  package typealias Content = NSRange
  package static let name = "range"
  package static let shape = GeometryShape("{#, #}", ["location", "length"], archived: nil)
  package static var forms: [StorageForm] { [.string, .json, .nsvalue] }
  package let columnFormat: NumberFormat
  package init(columnFormat: NumberFormat) { self.columnFormat = columnFormat }
  package func content(_ numbers: NumberList) throws(TextTrouble) -> NSRange {
    // Whole numbers of up to 2^53 are exact as doubles.
    guard numbers.allSatisfy({ $0 >= 0 && $0 == $0.rounded() }) else { throw .form }
    guard numbers.allSatisfy({ $0 <= 0x1p53 }) else { throw .range }
    return NSRange(location: Int(numbers[0]), length: Int(numbers[1]))
  }
  package func numbers(_ content: NSRange) -> NumberList {
    NumberList(Double(content.location), Double(content.length))
  }
}

/// Distances from the edges of a rectangle, as UIKit's UIEdgeInsets and AppKit's NSEdgeInsets have them.
public struct EdgeInsets: Hashable, Sendable {
  /// The distance from the top.
  public var top: Double
  /// The distance from the left.
  public var left: Double
  /// The distance from the bottom.
  public var bottom: Double
  /// The distance from the right.
  public var right: Double

  /// Makes insets.
  public init(top: Double, left: Double, bottom: Double, right: Double) {
    (self.top, self.left, self.bottom, self.right) = (top, left, bottom, right)
  }
}

/// Edge insets: `{top, left, bottom, right}`.
package struct EdgeInsetsKind: GeometryKind {
  package typealias Content = EdgeInsets
  package static let name = "edgeInsets"
  package static let shape = GeometryShape("{#, #, #, #}", ["top", "left", "bottom", "right"], archived: nil)
  package let columnFormat: NumberFormat
  package init(columnFormat: NumberFormat) { self.columnFormat = columnFormat }
  package func content(_ numbers: NumberList) -> EdgeInsets {
    EdgeInsets(top: numbers[0], left: numbers[1], bottom: numbers[2], right: numbers[3])
  }
  package func numbers(_ content: EdgeInsets) -> NumberList {
    NumberList(content.top, content.left, content.bottom, content.right)
  }
}

/// An affine transform, as Core Graphics' CGAffineTransform has it.
public struct AffineTransform2D: Hashable, Sendable {
  /// The entry of the first column and row.
  public var a: Double
  /// The entry of the second column and first row.
  public var b: Double
  /// The entry of the first column and second row.
  public var c: Double
  /// The entry of the second column and row.
  public var d: Double
  /// The shift along x.
  public var tx: Double
  /// The shift along y.
  public var ty: Double

  /// Makes a transform.
  public init(a: Double, b: Double, c: Double, d: Double, tx: Double, ty: Double) {
    (self.a, self.b, self.c, self.d, self.tx, self.ty) = (a, b, c, d, tx, ty)
  }
}

/// Affine transforms: `[a, b, c, d, tx, ty]`.
package struct AffineTransformKind: GeometryKind {
  package typealias Content = AffineTransform2D
  package static let name = "affineTransform"
  package static let shape = GeometryShape("[#, #, #, #, #, #]", ["a", "b", "c", "d", "tx", "ty"], archived: nil)
  package let columnFormat: NumberFormat
  package init(columnFormat: NumberFormat) { self.columnFormat = columnFormat }
  package func content(_ numbers: NumberList) -> AffineTransform2D {
    AffineTransform2D(a: numbers[0], b: numbers[1], c: numbers[2], d: numbers[3], tx: numbers[4], ty: numbers[5])
  }
  package func numbers(_ content: AffineTransform2D) -> NumberList {
    NumberList(content.a, content.b, content.c, content.d, content.tx, content.ty)
  }
}
