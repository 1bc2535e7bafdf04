import Diagnostics

/// A value of a JSON5 text with the place where it stands, which Foundation's decoder does not tell.
struct JSONNode {
  /// What the value is.
  indirect enum Content {
    case null
    case boolean(Bool)
    /// A number as plain JSON spells it.
    case number(String)
    case string(String)
    case array([JSONNode])
    case object([Member])
  }

  /// A line, and a character in it, from 1.
  struct Place {
    var line: Int
    var column: Int
  }

  /// A key and its value.
  struct Member {
    var key: String
    var place: Place?
    var value: JSONNode

    /// Where the key stands.
    func position(in file: String) -> SourcePosition {
      SourcePosition(file: file, line: place?.line, column: place?.column)
    }
  }

  var content: Content
  /// The place; nil for a value of the command line.
  var place: Place?

  /// Where the value stands.
  func position(in file: String) -> SourcePosition {
    SourcePosition(file: file, line: place?.line, column: place?.column)
  }

  /// The kind of value in a reader's words.
  var kind: String {
    switch content {
    case .null: "null"
    case .boolean: "true or false"
    case .number: "a number"
    case .string: "a text"
    case .array: "a list"
    case .object: "an object"
    }
  }

  /// The value of a key of an object.
  subscript(_ key: String) -> JSONNode? {
    guard case .object(let members) = content else { return nil }
    return members.first { $0.key == key }?.value
  }

  /// The element of an array.
  subscript(_ index: Int) -> JSONNode? {
    guard case .array(let elements) = content, elements.indices.contains(index) else { return nil }
    return elements[index]
  }
}

extension JSONNode {
  /// The value as plain JSON, which every decoder reads.
  var json: String {
    switch content {
    case .null: "null"
    case .boolean(let flag): flag ? "true" : "false"
    case .number(let text): text
    case .string(let text): Self.quoted(text)
    case .array(let elements): "[" + elements.map(\.json).joined(separator: ",") + "]"
    case .object(let members):
      "{" + members.map { "\(Self.quoted($0.key)):\($0.value.json)" }.joined(separator: ",") + "}"
    }
  }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\u{0}"..<" ":
        let hex = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
