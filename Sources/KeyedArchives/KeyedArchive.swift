package import Diagnostics
package import Foundation

/// The graph of a keyed archive: its objects as property lists that refer to each other. No class is ever instantiated.
package struct KeyedArchive: Hashable, Sendable {
  /// The objects; the first is `$null`, and a `uid` is an index.
  package private(set) var objects: [PropertyList]
  /// The index of the object that was archived.
  package private(set) var root: UInt32

  /// Reads an archive; the root must be among the objects.
  package init(_ bytes: Data) throws(Diagnostic) {
    let list = try PropertyList(bytes)
    guard list["$archiver"] == .string("NSKeyedArchiver") else {
      throw .notKeyedArchive("its $archiver is not NSKeyedArchiver")
    }
    guard case .array(let objects) = list["$objects"] else { throw .notKeyedArchive("it has no $objects") }
    // Some frameworks name what they archive with a capital letter.
    guard case .uid(let root) = list["$top"]?["root"] ?? list["$top"]?["Root"], root < objects.count else {
      throw .notKeyedArchive("it has no root")
    }
    self.objects = objects
    self.root = root
  }

  /// Makes an archive of nothing; add objects, the last becomes the root.
  package init() {
    objects = [.string("$null")]
    root = 0
  }

  /// The archive as a binary property list.
  package var data: Data {
    PropertyList.dictionary([
      .init("$version", .integer(100_000)), .init("$archiver", .string("NSKeyedArchiver")),
      .init("$top", .dictionary([.init("root", .uid(root))])), .init("$objects", .array(objects)),
    ]).binary
  }
}

extension KeyedArchive {
  /// An object of a class: its keys and values.
  package struct Object: Hashable, Sendable {
    /// The name of the class.
    package let className: String
    /// The class and those that it inherits from, the class first.
    package let classes: [String]
    /// The keys and values, `$class` among them.
    package let fields: PropertyList
  }

  /// What a reference means: an object of the archive for a `uid` (nil for `$null`), and any other node itself.
  package func resolve(_ node: PropertyList?) -> PropertyList? {
    guard case .uid(let uid) = node else { return node }
    return uid > 0 && uid < objects.count ? objects[Int(uid)] : nil
  }

  /// The object that a node is or refers to; nil when it is a plain value.
  package func object(_ node: PropertyList?) -> Object? {
    guard let fields = resolve(node), let description = resolve(fields["$class"]),
      case .string(let className) = description["$classname"]
    else { return nil }
    var classes: [String] = []
    if case .array(let names) = description["$classes"] {
      classes = names.compactMap { if case .string(let name) = $0 { name } else { nil } }
    }
    return Object(className: className, classes: classes, fields: fields)
  }

  /// The archived object; nil when a plain value was archived.
  package var rootObject: Object? { object(.uid(root)) }

  /// Adds an object of a class and makes it the root; the class follows it, as Apple's archiver has it.
  ///
  /// - Parameter hints: classes that a decoder without the class may take instead.
  package mutating func add(_ fields: [PropertyList.Entry], classes: [String], hints: [String] = []) {
    root = append(.null)
    replace(root, by: .dictionary(fields + [.init("$class", .uid(classReference(classes, hints: hints)))]))
  }

  /// Adds an object and returns its index.
  mutating func append(_ object: PropertyList) -> UInt32 {
    objects.append(object)
    return UInt32(objects.count - 1)
  }

  mutating func replace(_ index: UInt32, by object: PropertyList) { objects[Int(index)] = object }

  mutating func setRoot(_ index: UInt32) { root = index }

  /// The index of a class's description, which is added if it is not there.
  mutating func classReference(_ classes: [String], hints: [String] = []) -> UInt32 {
    func list(_ names: [String]) -> PropertyList { .array(names.map { .string($0) }) }
    let description = PropertyList.dictionary(
      [.init("$classname", .string(classes.first ?? "NSObject")), .init("$classes", list(classes))]
        + (hints.isEmpty ? [] : [.init("$classhints", list(hints))]))
    if let known = objects.firstIndex(of: description) { return UInt32(known) }
    return append(description)
  }
}
