package import Foundation

extension ArchivedValue {
  /// The archive of the value; nil when an object of another class is in it, which cannot be written.
  package var archive: Data? {
    var archive = KeyedArchive()
    guard let root = archive.add(self), case .uid(let uid) = root else { return nil }
    archive.setRoot(uid)
    return archive.data
  }
}

extension KeyedArchive {
  /// Adds a value and returns the reference to it; nil for one that cannot be written.
  fileprivate mutating func add(_ value: ArchivedValue) -> PropertyList? {
    switch value {
    case .null: addObject([], ["NSNull"])
    case .string(let text): addPlain(.string(text))
    case .integer(let integer): addPlain(.integer(integer))
    case .real(let real): addPlain(.real(real))
    case .boolean(let boolean): addPlain(.boolean(boolean))
    case .data(let data): addPlain(.data(data))
    case .date(let date): addObject([.init("NS.time", .real(date.timeIntervalSinceReferenceDate))], ["NSDate"])
    case .uuid(let uuid):
      addObject([.init("NS.uuidbytes", .data(withUnsafeBytes(of: uuid.uuid) { Data($0) }))], ["NSUUID"])
    case .url(let text):
      addObject(["NSURL"]) { archive in
        [.init("NS.base", .uid(0)), .init("NS.relative", archive.addPlain(.string(text)))]
      }
    case .array(let items): addObject(["NSArray"]) { $0.members(items).map { [.init("NS.objects", $0)] } }
    case .set(let items): addObject(["NSSet"]) { $0.members(items).map { [.init("NS.objects", $0)] } }
    case .dictionary(let entries):
      addObject(["NSDictionary"]) { archive in
        guard let keys = archive.members(entries.map(\.key)), let values = archive.members(entries.map(\.value)) else {
          return nil
        }
        return [.init("NS.keys", keys), .init("NS.objects", values)]
      }
    case .geometry(let kind, let text):
      addObject(["NSValue"]) { archive in
        [.init("NS.special", .integer(kind.rawValue)), .init(kind.key, archive.addPlain(.string(text)))]
      }
    case .range(let location, let length):
      addObject(["NSValue"]) { archive in
        [
          .init("NS.special", .integer(4)), .init("NS.rangeval.length", archive.addPlain(.integer(length))),
          .init("NS.rangeval.location", archive.addPlain(.integer(location))),
        ]
      }
    case .colour(let colour): addObject(colour.fields(as: .nscolor), ["NSColor"])
    case .decimal, .other: nil
    }
  }

  private mutating func addPlain(_ node: PropertyList) -> PropertyList { .uid(append(node)) }

  private mutating func addObject(_ fields: [PropertyList.Entry], _ classes: [String]) -> PropertyList? {
    addObject(classes) { _ in fields }
  }

  /// Adds an object of a class, then what its fields refer to, then the class, as Apple's archiver has it.
  private mutating func addObject(
    _ classes: [String], _ fields: (inout KeyedArchive) -> [PropertyList.Entry]?
  ) -> PropertyList? {
    let uid = append(.null)
    guard let fields = fields(&self) else { return nil }
    replace(uid, by: .dictionary(fields + [.init("$class", .uid(classReference(classes + ["NSObject"])))]))
    return .uid(uid)
  }

  private mutating func members(_ values: [ArchivedValue]) -> PropertyList? {
    var references: [PropertyList] = []
    for value in values {
      guard let reference = add(value) else { return nil }
      references.append(reference)
    }
    return .array(references)
  }
}

extension ArchivedValue.Geometry {
  fileprivate var key: String {
    switch self {
    case .point: "NS.pointval"
    case .size: "NS.sizeval"
    case .rect: "NS.rectval"
    }
  }
}
