package import Foundation
import KeyedArchives

/// A kind of value that is a few numbers in Apple's string form, such as `{{0, 0}, {10.5, 20}}`, or as many columns.
package protocol GeometryKind: ValueKind {
  /// The string form: `#` stands for a number.
  static var shape: StaticString { get }
  init()
  var numbers: NumberFormat { get set }
  func content(numbers: [Double]) throws(TextTrouble) -> Content
  func numbers(_ content: Content) -> [Double]
}

/// Points: `{x, y}`.
package struct PointKind: GeometryKind {
  package typealias Content = CGPoint
  package static let name = "point"
  package static let shape: StaticString = "{#,#}"
  package var numbers = NumberFormat.plain
  package init() {}
  package func content(numbers: [Double]) -> CGPoint { CGPoint(x: numbers[0], y: numbers[1]) }
  package func numbers(_ content: CGPoint) -> [Double] { [content.x, content.y] }
}

/// Sizes: `{width, height}`.
package struct SizeKind: GeometryKind {
  package typealias Content = CGSize
  package static let name = "size"
  package static let shape: StaticString = "{#,#}"
  package var numbers = NumberFormat.plain
  package init() {}
  package func content(numbers: [Double]) -> CGSize { CGSize(width: numbers[0], height: numbers[1]) }
  package func numbers(_ content: CGSize) -> [Double] { [content.width, content.height] }
}

/// Rectangles: `{{x, y}, {width, height}}`.
package struct RectKind: GeometryKind {
  package typealias Content = CGRect
  package static let name = "rect"
  package static let shape: StaticString = "{{#,#},{#,#}}"
  package var numbers = NumberFormat.plain
  package init() {}
  package func content(numbers: [Double]) -> CGRect {
    CGRect(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
  }
  package func numbers(_ content: CGRect) -> [Double] {
    // Not `width` and `height`: those are never negative, whatever the rectangle says.
    [content.origin.x, content.origin.y, content.size.width, content.size.height]
  }
}

/// Ranges: `{location, length}`, whole numbers from 0.
package struct RangeKind: GeometryKind {
  package typealias Content = NSRange
  package static let name = "range"
  package static let shape: StaticString = "{#,#}"
  package var numbers = NumberFormat.plain
  package init() {}
  package func content(numbers: [Double]) throws(TextTrouble) -> NSRange {
    // Whole numbers of up to 2^53 are exact as doubles.
    guard numbers.allSatisfy({ $0 >= 0 && $0 == $0.rounded() }) else { throw .form }
    guard numbers.allSatisfy({ $0 <= 0x1p53 }) else { throw .range }
    return NSRange(location: Int(numbers[0]), length: Int(numbers[1]))
  }
  package func numbers(_ content: NSRange) -> [Double] { [Double(content.location), Double(content.length)] }
}

extension GeometryKind {
  package static var forms: [StorageForm] { [.string] }
  package static var columnCounts: Set<Int> { [count] }
  private static var count: Int { "\(shape)".count { $0 == "#" } }

  package init(_ settings: KindSettings) {
    self.init()
    numbers = settings.numbers
  }

  package var expectation: String { "a \(Self.name) such as \(example)" }

  private var example: String { text(numbers: (1...Self.count).map(Double.init)) }

  package func content(_ text: UnsafeRawBufferPointer) throws(TextTrouble) -> Content {
    var numbers: [Double] = []
    var cursor = ByteCursor(text)
    for index in 0..<Self.shape.utf8CodeUnitCount {
      let character = Self.shape.utf8Start[index]
      if character == UInt8(ascii: "#") {
        // The string form has a full stop, whatever the columns have.
        numbers.append(try NumberFormat.plain.real(cursor.take { $0 != 0x20 && $0 != 0x2C && $0 != 0x7D }))
      } else {
        guard cursor.skip(character) else { throw .form }
      }
      if !cursor.isAtEnd { cursor.skipBlanks() }
    }
    guard cursor.isAtEnd, text.last == UInt8(ascii: "}") else { throw .form }
    return try content(numbers: numbers)
  }

  package func content(columns: [UnsafeRawBufferPointer]) throws(TextTrouble) -> Content {
    var numbers: [Double] = []
    for column in columns { numbers.append(try self.numbers.real(column)) }
    return try content(numbers: numbers)
  }

  package func text(_ content: Content) -> String { text(numbers: numbers(content)) }

  private func text(numbers: [Double]) -> String {
    var numbers = numbers[...]
    var text = ""
    for character in "\(Self.shape)" {
      switch character {
      case "#": text += numbers.popFirst()?.archiveText ?? ""
      case ",": text += ", "
      default: text.append(character)
      }
    }
    return text
  }

  package func stored(_ content: Content, as form: StorageForm) -> Value { .string(text(content)) }

  package func content(stored: Value, as form: StorageForm) throws(TextTrouble) -> Content {
    guard case .string(let text) = stored else { throw .form }
    return try text.parsed(by: content)
  }
}
