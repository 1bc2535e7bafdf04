import Diagnostics
import ObjectModel

/// Swift classes of a model's entities, as Xcode makes them: for each class a file of its own that is made once and then
/// belongs to its author, and a file of its properties that is made anew each time.
///
/// The classes compile on Linux and on Apple's systems: accessors go by `value(forKey:)`, and Objective-C is told of the class
/// where there is Objective-C.
struct ClassGenerator {
  /// A file that is made.
  struct File {
    let name: String
    let text: String
    /// Whether a file of the name that is there stays as it is.
    let isKept: Bool
  }

  private static let importLine = "import CoreData"

  /// The entities that name a class, by name.
  let entities: [NSEntityDescription]
  /// The entities without a class of their own.
  let plain: [NSEntityDescription]

  /// Throws for a name that Swift cannot spell.
  init(_ model: NSManagedObjectModel) throws(Diagnostic) {
    let sorted = model.entities.sorted { ($0.name ?? "") < ($1.name ?? "") }
    for entity in sorted {
      let name = entity.name ?? ""
      guard entity.className.isIdentifier else { throw .nameInSwift("the class of \(name)", entity.className) }
      guard name.canBeQuoted else { throw .nameInSwift("the entity", name) }
      for property in entity.ownProperties where !property.name.canBeQuoted {
        throw .nameInSwift("a property of \(name)", property.name)
      }
    }
    // Two entities may share a class; it has the properties of the first.
    var seen: Set<String> = ["NSManagedObject"]
    entities = sorted.filter { seen.insert($0.className).inserted }
    plain = sorted.filter { $0.className == "NSManagedObject" }
  }

  var files: [File] {
    entities.flatMap { [classFile($0), propertiesFile($0)] } + (entities.isEmpty ? [] : [registrationFile])
  }

  private func classFile(_ entity: NSEntityDescription) -> File {
    let name = entity.className
    let access = superclass(of: entity) == "NSManagedObject" ? "public " : ""
    let text = """
      \(access)\(Self.importLine)

      /// An object of the entity `\(entity.name ?? "")`.
      #if canImport(ObjectiveC)
        @objc(\(name))
      #endif
      public class \(name): \(superclass(of: entity)) {}

      """
    return File(name: "\(name)+CoreDataClass.swift", text: text, isKept: true)
  }

  private func propertiesFile(_ entity: NSEntityDescription) -> File {
    let own = entity.ownProperties.sorted { $0.name < $1.name }
    let accessors = own.compactMap { property in
      switch property {
      case let attribute as NSAttributeDescription: AttributeAccessor(attribute, of: entity)?.text
      case let relationship as NSRelationshipDescription: RelationshipAccessors(relationship).text
      default: nil
      }
    }
    let body = ([fetchRequest(entity)] + accessors).joined(separator: "\n\n")
    let foundation = ["Data", "Date", "Decimal", "NSNumber", "NSRange", "URL", "UUID", "CGPoint", "CGRect", "CGSize"]
    let usesFoundation = foundation.contains { body.contains(": \($0)?") || body.contains(": NSDecimalNumber?") }
    var text = "// Made by `gantry model generate`, and made anew each time: nothing written here stays.\n\n"
    text += "public \(Self.importLine)\n"
    text += (usesFoundation ? "public import Foundation\n" : "") + "\n"
    text += "extension \(entity.className) {\n\(body.indented)\n}\n"
    if superclass(of: entity) == "NSManagedObject" {
      text += "\nextension \(entity.className): Identifiable {}\n"
    }
    return File(name: "\(entity.className)+CoreDataProperties.swift", text: text, isKept: false)
  }

  /// What asks for the objects; a subclass says which of its own and its superclass's it means by the type that it expects.
  private func fetchRequest(_ entity: NSEntityDescription) -> String {
    let (type, name) = ("NSFetchRequest<\(entity.className)>", entity.name ?? "")
    return """
      /// A request for the objects of the entity `\(name)`.
      @nonobjc public class func fetchRequest() -> \(type) {
        \(type)(entityName: "\(name)")
      }
      """
  }

  private var registrationFile: File {
    let lines = entities.map { "      register(\($0.className).self)" }.joined(separator: "\n")
    let text = """
      // Made by `gantry model generate`, and made anew each time: nothing written here stays.

      public \(Self.importLine)

      extension NSManagedObjectModel {
        /// Makes the objects of the model's entities instances of their classes, which Objective-C finds by their names.
        public func registerClasses() {
          #if !canImport(ObjectiveC)
      \(lines)
          #endif
        }
      }

      """
    return File(name: "NSManagedObjectModel+Classes.swift", text: text, isKept: false)
  }

  private func superclass(of entity: NSEntityDescription) -> String {
    entity.superentity.map { $0.className == entity.className ? superclass(of: $0) : $0.className } ?? "NSManagedObject"
  }
}

extension NSEntityDescription {
  /// The name of the class without the module before it.
  var className: String {
    managedObjectClassName.split(separator: ".").last.map(String.init) ?? "NSManagedObject"
  }
}

extension String {
  /// The lines, two blanks further in.
  var indented: String {
    split(separator: "\n", omittingEmptySubsequences: false).map { $0.isEmpty ? "" : "  " + $0 }
      .joined(separator: "\n")
  }

  /// The name as Swift spells it: in quotes where it is one of its own words, or no identifier otherwise.
  var escaped: String { Self.words.contains(self) || !isIdentifier ? "`\(self)`" : self }

  /// Whether it is an identifier without quotes.
  fileprivate var isIdentifier: Bool {
    guard let first = unicodeScalars.first, first == "_" || first.properties.isXIDStart else { return false }
    return unicodeScalars.allSatisfy { $0 == "_" || $0.properties.isXIDContinue }
  }

  /// Whether it can stand within quotes, as a raw identifier and as a text.
  fileprivate var canBeQuoted: Bool {
    !isEmpty
      && !unicodeScalars.contains {
        "`\"\\".unicodeScalars.contains($0) || $0.properties.isPatternWhitespace && $0 != " " || $0.value < 0x20
      }
  }

  /// The name with its first letter in upper case.
  var capitalisedFirst: String { prefix(1).uppercased() + dropFirst() }

  private static let words: Set = [
    "as", "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer", "deinit", "do", "else",
    "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if", "import", "in", "init",
    "inout", "internal", "is", "let", "nil", "operator", "package", "private", "protocol", "public", "repeat",
    "rethrows", "return", "self", "static", "struct", "subscript", "super", "switch", "throw", "throws", "true", "try",
    "typealias", "var", "where", "while",
  ]
}

extension Diagnostic {
  fileprivate static func nameInSwift(_ what: String, _ name: String) -> Diagnostic {
    Diagnostic(
      Code("model.class-name", .store), "\(what) is called \"\(ShownText.excerpt(name))\", which Swift cannot spell",
      hint: "Choose a name of letters, digits and underscores.")
  }
}
