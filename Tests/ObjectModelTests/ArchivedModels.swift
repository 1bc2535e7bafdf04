import Foundation
import KeyedArchives

/// An object of a keyed archive, as a test spells it.
indirect enum Archived: Sendable {
  case text(String)
  case integer(Int64)
  case real(Double)
  case flag(Bool)
  case data(Data)
  case list([Archived])
  case map([(String, Archived)])
  case object(String, [(String, Archived)])
  /// An object that is there once, by its name.
  case shared(String)

  /// The archive of this, with what `shared` refers to.
  func archive(sharing: [String: Archived] = [:]) -> Data {
    var writer = Writer(sharing: sharing)
    let root = writer.reference(self)
    return PropertyList.dictionary([
      .init("$version", .integer(100_000)), .init("$archiver", .string("NSKeyedArchiver")),
      .init("$top", .dictionary([.init("root", root)])), .init("$objects", .array(writer.objects)),
    ]).binary
  }

  private struct Writer {
    let sharing: [String: Archived]
    var objects: [PropertyList] = [.string("$null")]
    var places: [String: UInt32] = [:]

    init(sharing: [String: Archived]) { self.sharing = sharing }

    mutating func reference(_ node: Archived) -> PropertyList {
      if case .shared(let name) = node {
        if let place = places[name] { return .uid(place) }
        // The place is taken before what refers back to it.
        let place = UInt32(objects.count)
        places[name] = place
        objects.append(.string(name))
        if let shared = sharing[name] { objects[Int(place)] = content(shared) }
        return .uid(place)
      }
      let place = objects.count
      objects.append(.string(""))
      objects[place] = content(node)
      return .uid(UInt32(place))
    }

    private mutating func content(_ node: Archived) -> PropertyList {
      switch node {
      case .text(let text): return .string(text)
      case .integer(let integer): return .integer(integer)
      case .real(let real): return .real(real)
      case .flag(let flag): return .boolean(flag)
      case .data(let data): return .data(data)
      case .list(let items): return instance("NSArray", [.init("NS.objects", .array(items.map { reference($0) }))])
      case .map(let entries):
        return instance(
          "NSDictionary",
          [
            .init("NS.keys", .array(entries.map { reference(.text($0.0)) })),
            .init("NS.objects", .array(entries.map { reference($0.1) })),
          ])
      case .object(let name, let fields):
        return instance(
          name,
          fields.map { key, value in
            switch value {
            // Numbers stand in the object itself.
            case .integer, .real, .flag: .init(key, content(value))
            default: .init(key, reference(value))
            }
          })
      case .shared: return reference(node)
      }
    }

    private mutating func instance(_ name: String, _ fields: [PropertyList.Entry]) -> PropertyList {
      let place = UInt32(objects.count)
      objects.append(
        .dictionary([
          .init("$classname", .string(name)), .init("$classes", .array([.string(name), .string("NSObject")])),
        ]))
      return .dictionary(fields + [.init("$class", .uid(place))])
    }
  }
}

extension Archived {
  static func model(_ entities: [(String, Archived)], _ more: [(String, Archived)] = []) -> Archived {
    .object("NSManagedObjectModel", [("NSEntities", .map(entities))] + more)
  }

  static func entity(
    _ name: String, _ properties: [(String, Archived)] = [], _ more: [(String, Archived)] = []
  ) -> Archived {
    .object("NSEntityDescription", [("NSEntityName", .text(name)), ("NSProperties", .map(properties))] + more)
  }

  static func attribute(_ name: String, _ type: Int64, _ more: [(String, Archived)] = []) -> Archived {
    .object("NSAttributeDescription", [("NSPropertyName", .text(name)), ("NSAttributeType", .integer(type))] + more)
  }

  static func relationship(
    _ name: String, to destination: String, inverse: String? = nil, max: Int64 = 1, _ more: [(String, Archived)] = []
  ) -> Archived {
    .object(
      "NSRelationshipDescription",
      [
        ("NSPropertyName", .text(name)), ("_NSDestinationEntityName", .text(destination)), ("NSMinCount", .integer(0)),
        ("NSMaxCount", .integer(max)),
      ] + (inverse.map { [("_NSInverseRelationshipName", .text($0))] } ?? []) + more)
  }

  // MARK: Expressions

  static let this = Archived.object("NSSelfExpression", [])

  static func path(_ path: String, of operand: Archived = .this) -> Archived {
    .object(
      "NSKeyPathExpression",
      [
        ("NSOperand", operand),
        ("NSArguments", .list([.object("NSKeyPathSpecifierExpression", [("NSKeyPath", .text(path))])])),
      ])
  }

  static func constant(_ value: Archived?) -> Archived {
    .object("NSConstantValueExpression", value.map { [("NSConstantValue", $0)] } ?? [])
  }

  static func function(_ selector: String, _ arguments: Archived...) -> Archived {
    .object(
      "NSFunctionExpression",
      [
        (
          "NSOperand",
          .object("NSConstantValueExpression", [("NSConstantValueClassName", .text("_NSPredicateUtilities"))])
        ), ("NSSelectorName", .text(selector)), ("NSArguments", .list(arguments)),
      ])
  }

  static func comparison(
    _ left: Archived, _ type: Int64, _ right: Archived, options: Int64 = 0, modifier: Int64 = 0
  ) -> Archived {
    .object(
      "NSComparisonPredicate",
      [
        ("NSLeftExpression", left), ("NSRightExpression", right),
        (
          "NSPredicateOperator",
          .object(
            "NSPredicateOperator",
            [("NSOperatorType", .integer(type)), ("NSOptions", .integer(options)), ("NSModifier", .integer(modifier))])
        ),
      ])
  }

  static func compound(_ type: Int64, _ parts: Archived...) -> Archived {
    .object("NSCompoundPredicate", [("NSCompoundPredicateType", .integer(type)), ("NSSubpredicates", .list(parts))])
  }
}
