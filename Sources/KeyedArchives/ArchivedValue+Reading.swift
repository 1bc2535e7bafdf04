package import Diagnostics
package import Foundation

extension ArchivedValue {
  /// Reads an archive.
  package init(_ bytes: Data) throws(Diagnostic) {
    let archive = try KeyedArchive(bytes)
    var reader = ArchiveReader(archive)
    self = try reader.value(.uid(archive.root), depth: 0)
  }
}

/// Follows the references of an archive; those of a damaged or malicious one may lead in circles, or to billions of objects.
private struct ArchiveReader {
  private static let depthLimit = 100
  private let archive: KeyedArchive
  private var valuesLeft = 1 << 20

  init(_ archive: KeyedArchive) { self.archive = archive }

  mutating func value(_ node: PropertyList?, depth: Int) throws(Diagnostic) -> ArchivedValue {
    guard depth < Self.depthLimit else { throw .archivedValue("it is nested too deep, or in circles") }
    valuesLeft -= 1
    guard valuesLeft > 0 else { throw .archivedValue("it unfolds to too many objects") }
    switch archive.resolve(node) {
    case nil, .null: return .null
    case .boolean(let value): return .boolean(value)
    case .integer(let value): return .integer(value)
    case .real(let value): return .real(value)
    case .date(let value): return .date(value)
    case .data(let value): return .data(value)
    case .string(let value): return .string(value)
    case .uid, .array: throw .archivedValue("it has a property list in the place of an object")
    case .dictionary:
      guard let object = archive.object(node) else { throw .archivedValue("an object has no class") }
      return try value(of: object, depth: depth)
    }
  }

  private mutating func value(of object: KeyedArchive.Object, depth: Int) throws(Diagnostic) -> ArchivedValue {
    // The first class that is known: `NSMutableArray` is an `NSArray`.
    for name in [object.className] + object.classes {
      switch name {
      case "NSNull": return .null
      case "NSString": return .string(try string(object, "NS.string"))
      case "NSData": return .data(try data(object, "NS.data"))
      case "NSDate": return .date(Date(timeIntervalSinceReferenceDate: try number(object, "NS.time")))
      case "NSUUID": return try uuid(object)
      case "NSURL": return try url(object, depth: depth)
      case "NSDecimalNumber": return .decimal(try decimal(object))
      case "NSArray": return .array(try values(object, "NS.objects", depth: depth))
      case "NSSet": return .set(try values(object, "NS.objects", depth: depth))
      case "NSDictionary": return try dictionary(object, depth: depth)
      case "NSValue": return try packed(object)
      case "NSColor", "UIColor": return .colour(try ArchivedColour(archive, object))
      default: continue
      }
    }
    return .other(className: object.className)
  }

  // MARK: Classes

  private mutating func values(
    _ object: KeyedArchive.Object, _ key: String, depth: Int
  ) throws(Diagnostic) -> [ArchivedValue] {
    guard case .array(let items) = object.fields[key] else { throw missing(key, object) }
    var values: [ArchivedValue] = []
    for item in items { values.append(try value(item, depth: depth + 1)) }
    return values
  }

  private mutating func dictionary(_ object: KeyedArchive.Object, depth: Int) throws(Diagnostic) -> ArchivedValue {
    let keys = try values(object, "NS.keys", depth: depth)
    let values = try values(object, "NS.objects", depth: depth)
    guard keys.count == values.count else { throw .archivedValue("a dictionary has keys without values") }
    return .dictionary(zip(keys, values).map { Entry($0, $1) })
  }

  private typealias Entry = ArchivedValue.Entry

  private func uuid(_ object: KeyedArchive.Object) throws(Diagnostic) -> ArchivedValue {
    let bytes = try data(object, "NS.uuidbytes")
    guard bytes.count == 16 else { throw .archivedValue("a UUID has \(bytes.count) bytes") }
    return .uuid(UUID(uuid: Array(bytes).withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) }))
  }

  private mutating func url(_ object: KeyedArchive.Object, depth: Int) throws(Diagnostic) -> ArchivedValue {
    let text = try string(object, "NS.relative")
    guard case .url(let base) = try value(object.fields["NS.base"], depth: depth + 1) else { return .url(text) }
    guard let url = URL(string: text, relativeTo: URL(string: base)) else {
      throw .archivedValue("\"\(text)\" is no URL")
    }
    return .url(url.absoluteString)
  }

  private func packed(_ object: KeyedArchive.Object) throws(Diagnostic) -> ArchivedValue {
    switch archive.resolve(object.fields["NS.special"]) {
    case .integer(1): return .geometry(.point, try string(object, "NS.pointval"))
    case .integer(2): return .geometry(.size, try string(object, "NS.sizeval"))
    case .integer(3): return .geometry(.rect, try string(object, "NS.rectval"))
    case .integer(4):
      return .range(
        location: try integer(object, "NS.rangeval.location"), length: try integer(object, "NS.rangeval.length"))
    default: return .other(className: object.className)
    }
  }

  private func decimal(_ object: KeyedArchive.Object) throws(Diagnostic) -> Decimal {
    let bytes = try Array(data(object, "NS.mantissa"))
    let exponent = try integer(object, "NS.exponent")
    // 1 is NX_LittleEndian, 2 NX_BigEndian.
    let isLittle = try integer(object, "NS.mantissa.bo") != 2
    guard bytes.count % 2 == 0, bytes.count <= 16, let exponent = Int(exactly: exponent),
      (-128...127).contains(exponent)
    else { throw .archivedValue("a decimal is out of range") }
    var significand = Decimal(0)
    for index in stride(from: bytes.count - 2, through: 0, by: -2) {
      let (low, high) = isLittle ? (bytes[index], bytes[index + 1]) : (bytes[index + 1], bytes[index])
      significand = significand * 65_536 + Decimal(Int(high) << 8 | Int(low))
    }
    let isNegative = archive.resolve(object.fields["NS.negative"]) == .boolean(true)
    return Decimal(sign: isNegative ? .minus : .plus, exponent: exponent, significand: significand)
  }

  // MARK: Fields

  private func string(_ object: KeyedArchive.Object, _ key: String) throws(Diagnostic) -> String {
    switch archive.resolve(object.fields[key]) {
    case .string(let text): return text
    case .dictionary:
      guard let inner = archive.object(object.fields[key]), key != "NS.string" else { throw missing(key, object) }
      return try string(inner, "NS.string")
    default: throw missing(key, object)
    }
  }

  private func data(_ object: KeyedArchive.Object, _ key: String) throws(Diagnostic) -> Data {
    guard case .data(let data) = archive.resolve(object.fields[key]) else { throw missing(key, object) }
    return data
  }

  private func number(_ object: KeyedArchive.Object, _ key: String) throws(Diagnostic) -> Double {
    switch archive.resolve(object.fields[key]) {
    case .real(let value): return value
    case .integer(let value): return Double(value)
    default: throw missing(key, object)
    }
  }

  private func integer(_ object: KeyedArchive.Object, _ key: String) throws(Diagnostic) -> Int64 {
    guard case .integer(let value) = archive.resolve(object.fields[key]) else { throw missing(key, object) }
    return value
  }

  private func missing(_ key: String, _ object: KeyedArchive.Object) -> Diagnostic {
    .archivedValue("its \(object.className) has no \(key)")
  }
}
