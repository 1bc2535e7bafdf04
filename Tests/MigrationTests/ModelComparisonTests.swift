import Foundation
import ObjectModel
import TestSupport
import Testing

@testable import Migration

/// Reads a model from what is inside `<model>`.
func model(_ inside: String) throws -> NSManagedObjectModel {
  let folder = try TemporaryFolder()
  let path = try folder.write("<model>\(inside)</model>", to: "contents")
  return try withExtendedLifetime(folder) { try NSManagedObjectModel(contentsOf: URL(fileURLWithPath: path)) }
}

@Suite struct ModelComparisonTests {
  /// The differences in lines: the entity, the property, what is different, `#` where it changes the hash, and the outcome.
  private func lines(_ a: String, _ b: String) throws -> [String] {
    let (source, destination) = (try model(a), try model(b))
    return withExtendedLifetime((source, destination)) {
      ModelComparison(source: source, destination: destination).entities.flatMap { entity in
        func line(_ name: String, _ change: ModelChange) -> String {
          let note = change.note.map { ": \($0)" } ?? ""
          return "\(name) \(change.what)\(change.changesHash ? " #" : "") \(change.migration.rawValue)\(note)"
        }
        return entity.changes.map { line(entity.name, $0) }
          + entity.properties.flatMap { property in
            property.changes.map { line("\(entity.name).\(property.name)", $0) }
          }
      }
    }
  }

  // MARK: Attributes

  static let attributes: [Case<(String, String), [String]>] = [
    Case("nothing", (#"name="a" attributeType="String""#, #"name="a" attributeType="String""#), []),
    Case(
      "added, optional", ("", #"name="a" optional="YES" attributeType="String""#),
      ["E.a added # inferred: rows have no value"]),
    Case(
      "added with a default", ("", #"name="a" attributeType="Integer 16" defaultValueString="3""#),
      ["E.a added # inferred: every row gets the default"]),
    Case(
      "added, required", ("", #"name="a" attributeType="String""#),
      ["E.a added, required without a default # conditional: fails where there are rows"]),
    Case("added, transient", ("", #"name="a" transient="YES""#), ["E.a added none"]),
    Case("removed", (#"name="a" attributeType="String""#, ""), ["E.a removed # inferred: the values are lost"]),
    Case(
      "renamed", (#"name="a" attributeType="String""#, #"name="b" elementID="a" attributeType="String""#),
      ["E.b renamed from a # inferred: the values stay"]),
    Case(
      "renamed again, the identifier kept",
      (#"name="b" elementID="a" attributeType="String""#, #"name="c" elementID="a" attributeType="String""#),
      ["E.c renamed from b # inferred: the values stay"]),
    Case(
      "renamed again, by the last name",
      (
        #"name="b" elementID="a" optional="YES" attributeType="String""#,
        #"name="c" elementID="b" optional="YES" attributeType="String""#
      ), ["E.c added # inferred: rows have no value", "E.b removed # inferred: the values are lost"]),
    Case(
      "an identifier of nothing", ("", #"name="b" elementID="x" optional="YES" attributeType="String""#),
      ["E.b added # inferred: rows have no value"]),
    Case(
      "wider", (#"name="a" attributeType="Integer 32""#, #"name="a" attributeType="Integer 64""#),
      ["E.a type Integer 32 -> Integer 64 # inferred: the values stay"]),
    Case(
      "narrower", (#"name="a" attributeType="Integer 32""#, #"name="a" attributeType="Integer 16""#),
      ["E.a type Integer 32 -> Integer 16 # conditional: values beyond Integer 16 do not fit"]),
    Case(
      "a boolean as a number", (#"name="a" attributeType="Boolean""#, #"name="a" attributeType="Integer 32""#),
      ["E.a type Boolean -> Integer 32 # inferred: the values stay"]),
    Case(
      "another kind of number", (#"name="a" attributeType="Double""#, #"name="a" attributeType="Decimal""#),
      ["E.a type Double -> Decimal # conditional: converted as numbers, which Apple does not promise"]),
    Case(
      "another type", (#"name="a" attributeType="String""#, #"name="a" attributeType="Float""#),
      ["E.a type String -> Float # refused: source and destination attribute types are incompatible"]),
    Case(
      "optional", (#"name="a" attributeType="String""#, #"name="a" optional="YES" attributeType="String""#),
      ["E.a becomes optional # inferred"]),
    Case(
      "required", (#"name="a" optional="YES" attributeType="String""#, #"name="a" attributeType="String""#),
      ["E.a becomes required # conditional: fails where a row has no value"]),
    Case(
      "required with a default",
      (
        #"name="a" optional="YES" attributeType="Boolean""#,
        #"name="a" attributeType="Boolean" defaultValueString="NO""#
      ),
      [
        "E.a becomes required # inferred: rows without a value get the default",
        "E.a default none: rows that exist keep their values",
      ]),
    Case(
      "stored",
      (
        #"name="a" optional="YES" transient="YES" attributeType="Date""#,
        #"name="a" optional="YES" attributeType="Date""#
      ),
      ["E.a is stored # inferred: rows have no value"]),
    Case(
      "transient", (#"name="a" attributeType="Date""#, #"name="a" transient="YES" attributeType="Date""#),
      ["E.a becomes transient # inferred: the values are lost"]),
    Case(
      "transient both",
      (
        #"name="a" transient="YES" attributeType="Date""#,
        #"name="a" optional="YES" transient="YES" attributeType="String""#
      ),
      ["E.a becomes optional none", "E.a type Date -> String none"]),
    Case(
      "external storage",
      (
        #"name="a" attributeType="Binary""#,
        #"name="a" attributeType="Binary" allowsExternalBinaryDataStorage="YES""#
      ), ["E.a external storage allowed # inferred: the values stay, in another form"]),
    Case(
      "history", (#"name="a" attributeType="Date""#, #"name="a" attributeType="Date" preserveAfterDeletion="YES""#),
      ["E.a kept in the history of deletions # inferred"]),
    Case(
      "a modifier", (#"name="a" attributeType="Date""#, #"name="a" attributeType="Date" versionHashModifier="2""#),
      ["E.a hash modifier none -> 2 # inferred: the values stay"]),
    Case(
      "what no hash shows",
      (
        #"name="a" attributeType="Transformable" valueTransformerName="A""#,
        #"name="a" attributeType="Transformable" customClassName="C" allowsCloudEncryption="YES""#
      ),
      [
        "E.a transformer A -> none none: the stored bytes stay as the old one made them", "E.a class none -> C none",
        "E.a encryption in CloudKit none",
      ]),
    Case(
      "limits", (#"name="a" attributeType="Double""#, #"name="a" attributeType="Double" maxValueString="9""#),
      ["E.a limits none: values that exist are checked when they are saved again"]),
    Case(
      "derived",
      (#"name="a" attributeType="Date""#, #"name="a" attributeType="Date" derived="YES" derivationExpression="now()""#),
      ["E.a derived by now() # inferred: it is computed"]),
    Case(
      "another derivation",
      (
        #"name="a" attributeType="String" derived="YES" derivationExpression="x.y""#,
        #"name="a" attributeType="String" derived="YES" derivationExpression="x.z""#
      ), ["E.a derivation x.y -> x.z # inferred: it is computed anew"]),
  ]
  @Test(arguments: attributes) func attribute(_ c: Case<(String, String), [String]>) throws {
    func entity(_ attribute: String) -> String {
      "<entity name=\"E\">\(attribute.isEmpty ? "" : "<attribute \(attribute)/>")</entity>"
    }
    #expect(try lines(entity(c.input.0), entity(c.input.1)) == c.expected)
  }

  @Test func severalOfOneSource() throws {
    let before = #"<entity name="E"><attribute name="a" attributeType="String"/></entity>"#
    let after =
      #"<entity name="E"><attribute name="a" attributeType="Float"/>"#
      + #"<attribute name="b" elementID="a" attributeType="String"/></entity>"#
    #expect(
      try lines(before, after) == [
        "E.a type String -> Float # refused: source and destination attribute types are incompatible",
        "E.b renamed from a # inferred: the values stay",
      ])
  }

  @Test func anAttributeIsNoRelationship() throws {
    let before = #"<entity name="E"><attribute name="a" optional="YES" attributeType="String"/></entity>"#
    let after = #"<entity name="E"><relationship name="a" optional="YES" destinationEntity="E" maxCount="1"/></entity>"#
    #expect(
      try lines(before, after) == [
        "E.a added # inferred: rows have no value", "E.a removed # inferred: the values are lost",
      ])
  }

  @Test func elementsOfAComposite() throws {
    func composite(_ elements: String) -> String {
      #"<entity name="E"><attribute name="at" attributeType="Composite" composite="P"/></entity>"#
        + "<composite name=\"P\">\(elements)</composite>"
    }
    #expect(
      try lines(
        composite(#"<attribute name="x" attributeType="Float"/><attribute name="y" attributeType="Float"/>"#),
        composite(
          #"<attribute name="x" attributeType="String"/><attribute name="z" optional="YES" attributeType="Date"/>"#))
        == [
          "E.at element x: type Float -> String # refused: source and destination attribute types are incompatible",
          "E.at element z: added # inferred: rows have no value",
          "E.at element y: removed # inferred: the values are lost",
        ])
  }

  // MARK: Relationships

  static let relationships: [Case<(String, String), [String]>] = [
    Case(
      "added, required", ("", #"name="r" destinationEntity="D" maxCount="1""#),
      ["E.r added, required # conditional: fails where there are rows"]),
    Case(
      "to-many",
      (#"name="r" destinationEntity="D" maxCount="1""#, #"name="rs" elementID="r" destinationEntity="D" toMany="YES""#),
      [
        "E.rs renamed from r # inferred: the values stay",
        "E.rs becomes to-many # inferred: the destination becomes the only one",
      ]),
    Case(
      "to-one", (#"name="r" destinationEntity="D" toMany="YES""#, #"name="r" destinationEntity="D" maxCount="1""#),
      ["E.r becomes to-one # conditional: which destination stays is open where there are several"]),
    Case(
      "ordered",
      (#"name="r" destinationEntity="D" toMany="YES""#, #"name="r" destinationEntity="D" toMany="YES" ordered="YES""#),
      ["E.r becomes ordered # inferred: in no particular order at first"]),
    Case(
      "counts",
      (
        #"name="r" destinationEntity="D" toMany="YES" maxCount="5""#,
        #"name="r" destinationEntity="D" toMany="YES" minCount="1" maxCount="9""#
      ),
      [
        "E.r least count 0 -> 1 # conditional: fails where a row has fewer",
        "E.r greatest count 5 -> 9 # inferred: the links stay",
      ]),
    Case(
      "stricter counts",
      (
        #"name="r" destinationEntity="D" toMany="YES" minCount="2""#,
        #"name="r" destinationEntity="D" toMany="YES" minCount="1" maxCount="9""#
      ),
      [
        "E.r least count 2 -> 1 # inferred: the links stay",
        "E.r greatest count 0 -> 9 # conditional: fails where a row has more",
      ]),
    Case(
      "the delete rule",
      (
        #"name="r" destinationEntity="D" maxCount="1" deletionRule="Nullify""#,
        #"name="r" destinationEntity="D" maxCount="1" deletionRule="Cascade""#
      ), ["E.r delete rule Nullify -> Cascade none"]),
    Case(
      "the parent of the destination",
      (#"name="r" destinationEntity="D" maxCount="1""#, #"name="r" destinationEntity="B" maxCount="1""#),
      [
        "E.r destination D -> B # conditional: Core Data does not write the entity of the rows linked to: "
          + "an app may fail when it reads them"
      ]),
    Case(
      "another destination",
      (#"name="r" destinationEntity="D" maxCount="1""#, #"name="r" destinationEntity="E" maxCount="1""#),
      ["E.r destination D -> E # refused: no rows of the one are rows of the other"]),
  ]
  @Test(arguments: relationships) func relationship(_ c: Case<(String, String), [String]>) throws {
    func entities(_ relationship: String) -> String {
      "<entity name=\"E\">\(relationship.isEmpty ? "" : "<relationship \(relationship)/>")</entity>"
        + #"<entity name="B"/><entity name="D" parentEntity="B"/>"#
    }
    #expect(try lines(entities(c.input.0), entities(c.input.1)) == c.expected)
  }

  // MARK: Entities

  static let entities: [Case<(String, String), [String]>] = [
    Case(
      "added and removed", (#"<entity name="A"/>"#, #"<entity name="B"/>"#),
      ["B added # inferred: it has no rows", "A removed # inferred: its rows are deleted"]),
    Case(
      "renamed, and with it a destination",
      (
        #"<entity name="A"/><entity name="E"><relationship name="r" destinationEntity="A" maxCount="1"/></entity>"#,
        #"<entity name="B" elementID="A"/><entity name="E"><relationship name="r" destinationEntity="B" maxCount="1"/></entity>"#
      ),
      [
        "B renamed from A # inferred: its rows stay",
        "E.r destination A -> B # inferred: the entity is renamed, the links stay",
      ]),
    Case(
      "abstract", (#"<entity name="A"/>"#, #"<entity name="A" isAbstract="YES"/>"#),
      ["A becomes abstract # conditional: rows of the entity itself have no place any more"]),
    Case(
      "a new parent, and a property that moves to it",
      (
        #"<entity name="A"><attribute name="x" attributeType="Date"/></entity>"#,
        #"<entity name="A" parentEntity="P"/><entity name="P" isAbstract="YES"><attribute name="x" attributeType="Date"/></entity>"#
      ),
      [
        "A parent none -> P # inferred: its rows stay, with their keys",
        "A.x moved from A to P # inferred: the values stay", "P added # inferred",
      ]),
    Case(
      "two tables into one",
      (
        #"<entity name="A"/><entity name="B"/>"#,
        #"<entity name="A" parentEntity="P"/><entity name="B" parentEntity="P"/><entity name="P"/>"#
      ),
      [
        "A parent none -> P # inferred: its rows stay, with their keys",
        "B parent none -> P # refused: the tables of A, B cannot become one", "P added # inferred: it has no rows",
      ]),
    Case(
      "out of a hierarchy",
      (#"<entity name="A"/><entity name="B" parentEntity="A"/>"#, #"<entity name="A"/><entity name="B"/>"#),
      ["B parent A -> none # inferred: its rows stay, with their keys"]),
    Case(
      "a constraint",
      (
        #"<entity name="A"><attribute name="x" attributeType="Date"/></entity>"#,
        #"<entity name="A"><attribute name="x" attributeType="Date"/><uniquenessConstraints><uniquenessConstraint>"#
          + #"<constraint value="x"/></uniquenessConstraint></uniquenessConstraints></entity>"#
      ), ["A unique by x # conditional: fails where rows have equal values"]),
    Case(
      "what no hash shows",
      (
        #"<entity name="A"><attribute name="x" attributeType="Date"/></entity>"#,
        #"<entity name="A" representedClassName="K"><attribute name="x" attributeType="Date"/>"#
          + #"<fetchIndex name="i"><fetchIndexElement property="x"/></fetchIndex></entity>"#
      ),
      [
        "A indexes none: they change when a migration runs for another reason", "A class NSManagedObject -> K none",
      ]),
  ]
  @Test(arguments: entities) func entity(_ c: Case<(String, String), [String]>) throws {
    #expect(try lines(c.input.0, c.input.1) == c.expected)
  }

  @Test func theWhole() throws {
    let (a, b) = (
      try model(#"<entity name="A"><attribute name="x" attributeType="Date"/></entity><entity name="B"/>"#),
      try model(
        #"<entity name="A"><attribute name="x" attributeType="Date" defaultDateTimeInterval="0"/></entity><entity name="B"/>"#
      )
    )
    #expect(ModelComparison(source: a, destination: b).migration == .none)
    #expect(ModelComparison(source: a, destination: b).entities.map(\.kind) == [.copy, .copy])
    let c = try model(#"<entity name="A"/><entity name="B"/>"#)
    #expect(ModelComparison(source: a, destination: c).migration == .inferred)
    #expect(ModelComparison(source: a, destination: c).entities.map(\.kind) == [.transform, .copy])
    #expect(ModelComparison(source: c, destination: a).migration == .conditional)
  }
}

/// The versions of public models, one beside the next: a difference that is told to change a hash does, and no other does.
@Suite(.enabled(if: Shared.isThere, Shared.comment)) struct SharedModelComparisonTests {
  @Test func whatIsToldChangesTheHash() throws {
    var pairs = 0
    let root = try Shared.url("corpus/models")
    for path in try FileManager.default.subpathsOfDirectory(atPath: root.path) where path.hasSuffix(".xcdatamodeld") {
      guard let package = try ModelPackage(root.appendingPathComponent(path)) else { continue }
      let models = package.versions.compactMap { try? NSManagedObjectModel(contentsOf: package.url, version: $0) }
      // Of the models with very many versions some: hashing is slow in debug builds.
      let step = models.count > 20 ? 9 : 1
      for index in stride(from: 0, to: models.count - 1, by: step) {
        let (source, destination) = (models[index], models[index + 1])
        check(ModelComparison(source: source, destination: destination), path)
        check(ModelComparison(source: destination, destination: source), path)
        let same = ModelComparison(source: source, destination: source)
        #expect(same.migration == .none && same.entities.allSatisfy(\.isEmpty), "\(path)")
        pairs += 1
      }
    }
    #expect(pairs == 40)
  }

  private func check(_ comparison: ModelComparison, _ path: String) {
    for entity in comparison.entities {
      let own = entity.changes + entity.properties.flatMap(\.changes)
      // The hash of a parent is part of its children's.
      var parent = entity.destination?.superentity
      var told = own.contains(where: \.changesHash)
      while let name = parent?.name, !told {
        told = comparison.entities.first { $0.destination?.name == name }?.hashDiffers ?? true
        parent = parent?.superentity
      }
      #expect(entity.hashDiffers == told, "\(path) \(entity.name): \(own)")
    }
  }
}
