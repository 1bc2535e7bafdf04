extension JSONNode {
  /// The value as JSON5 for people: short objects and arrays on one line, names without quotes.
  func json5(indent: String = "") -> String {
    let line = inline
    guard line.count + indent.count > 100 else { return line }
    let inner = indent + "  "
    switch content {
    case .array(let elements):
      return "[\n" + elements.map { "\(inner)\($0.json5(indent: inner)),\n" }.joined() + indent + "]"
    case .object(let members):
      return "{\n"
        + members.map { "\(inner)\(Self.name($0.key)): \($0.value.json5(indent: inner)),\n" }.joined() + indent + "}"
    default: return line
    }
  }

  private var inline: String {
    switch content {
    case .array(let elements): "[" + elements.map(\.inline).joined(separator: ", ") + "]"
    case .object(let members):
      members.isEmpty
        ? "{}" : "{ " + members.map { "\(Self.name($0.key)): \($0.value.inline)" }.joined(separator: ", ") + " }"
    default: json
    }
  }

  /// A key, without quotes where it is a name (ECMAScript 5.1, section 7.6).
  private static func name(_ key: String) -> String {
    let isName =
      key.utf8.allSatisfy { byte in
        byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
          || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
      } && key.utf8.first.map { !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } == true
    return isName ? key : JSONNode(.string(key)).json
  }
}
