package import Foundation

/// An object of a keyed archive, or a plain value in it: its keys lead to others, as the archive refers to them.
///
/// What is asked for and is not there, or is of another kind, is nil. A path of keys may lead in a circle: whoever follows
/// keys to any depth counts the steps.
package struct ArchivedNode: Sendable {
  private let archive: KeyedArchive
  private let list: PropertyList

  private init(_ archive: KeyedArchive, _ list: PropertyList) {
    self.archive = archive
    self.list = list
  }

  /// What a key refers to; nil for `$null`.
  package subscript(key: String) -> ArchivedNode? { node(list[key]) }

  /// The name of the object's class; nil for a plain value.
  package var className: String? {
    guard case .string(let name) = archive.resolve(list["$class"])?["$classname"] else { return nil }
    return name
  }

  /// The names of the object's class and of those that it inherits from.
  package var classes: [String] { archive.object(list)?.classes ?? [] }

  private func node(_ list: PropertyList?) -> ArchivedNode? { archive.resolve(list).map { ArchivedNode(archive, $0) } }

  private func nodes(_ key: String) -> [ArchivedNode?]? {
    guard case .array(let references) = list[key] else { return nil }
    return references.map(node)
  }
}

extension KeyedArchive {
  /// The archived object, to be followed by its keys.
  package var rootNode: ArchivedNode? { ArchivedNode(root: self) }
}

extension ArchivedNode {
  fileprivate init?(root archive: KeyedArchive) {
    guard let list = archive.resolve(.uid(archive.root)) else { return nil }
    self.init(archive, list)
  }
}

// MARK: - Values

extension ArchivedNode {
  /// A text.
  package var text: String? {
    if case .string(let text) = list { return text }
    if case .string(let text)? = archive.resolve(list["NS.string"]) { return text }
    guard case .data(let bytes)? = archive.resolve(list["NS.bytes"]) else { return nil }
    return String(bytes: bytes, encoding: .utf8)
  }

  /// A whole number.
  package var integer: Int64? {
    switch list {
    case .integer(let integer): integer
    case .real(let real): Int64(exactly: real)
    default: nil
    }
  }

  /// A number.
  package var number: Double? {
    switch list {
    case .integer(let integer): Double(integer)
    case .real(let real): real
    default: nil
    }
  }

  /// True or false; a number other than 0 is true.
  package var flag: Bool? {
    if case .boolean(let flag) = list { return flag }
    return number.map { $0 != 0 }
  }

  /// Bytes.
  package var data: Data? {
    if case .data(let data) = list { return data }
    guard case .data(let data)? = archive.resolve(list["NS.data"]) else { return nil }
    return data
  }

  /// A date.
  package var date: Date? {
    if case .date(let date) = list { return date }
    return self["NS.time"]?.number.map { Date(timeIntervalSinceReferenceDate: $0) }
  }

  /// A decimal number: an integer of 16-bit digits and a power of ten.
  package var decimal: Decimal? {
    guard let mantissa = self["NS.mantissa"]?.data, let length = self["NS.length"]?.integer,
      let exponent = self["NS.exponent"]?.integer.flatMap({ Int(exactly: $0) }), (-128...127).contains(exponent),
      (0...8).contains(length), mantissa.count >= length * 2
    else { return nil }
    let isLittleEndian = self["NS.mantissa.bo"]?.integer != 2
    let bytes = Array(mantissa)
    var significand = Decimal(0)
    for digit in (0..<Int(length)).reversed() {
      let (first, second) = (bytes[digit * 2], bytes[digit * 2 + 1])
      let value = isLittleEndian ? (second, first) : (first, second)
      significand = significand * 65536 + Decimal(Int(value.0) << 8 | Int(value.1))
    }
    return Decimal(
      sign: self["NS.negative"]?.flag == true ? .minus : .plus, exponent: exponent, significand: significand)
  }
}

// MARK: - Collections

extension ArchivedNode {
  /// The members of an array or a set; what is `$null` is left out.
  package var items: [ArchivedNode]? {
    if case .array(let list) = list { return list.compactMap(node) }
    guard list["NS.keys"] == nil else { return nil }
    return nodes("NS.objects")?.compactMap(\.self)
  }

  /// The keys that are texts, and their values, of a dictionary of any kind; what is `$null` is left out.
  package var entries: [(key: String, value: ArchivedNode)]? {
    let keys: [ArchivedNode?]?
    let values: [ArchivedNode?]?
    if let mapping = self["searchMapping"] {
      // A dictionary whose keys are known before, as Core Data makes them.
      keys = mapping["keys"]?.nodes("NS.objects")
      values = self["values"]?.nodes("NS.objects")
    } else {
      keys = nodes("NS.keys")
      values = nodes("NS.objects")
    }
    guard let keys, let values, keys.count == values.count else { return nil }
    return zip(keys, values).compactMap { key, value in
      guard let key = key?.text, let value else { return nil }
      return (key, value)
    }
  }
}
