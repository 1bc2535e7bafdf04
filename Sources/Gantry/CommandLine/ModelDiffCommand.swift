import Diagnostics
import Foundation
import Migration
import ObjectModel

extension Command {
  static let modelDiff = Command(
    words: ["model", "diff"], operands: "A B | MODEL --from NAME --to NAME",
    summary: "Print what differs between two models, and what it means for stores of A that become stores of B.",
    options: ModelDiffCommand.options, run: ModelDiffCommand.run)
}

/// `gantry model diff`.
enum ModelDiffCommand {
  static let options = [
    OptionDescription(
      "from", .text("NAME"), "the version of A, or without B one of the two versions of A", default: "the current one"),
    OptionDescription("to", .text("NAME"), "the version of B", default: "the current one"),
    OptionDescription("json", .flag, "print the differences as JSON"),
  ]

  static func run(_ arguments: Arguments, _ console: Console) throws -> ExitStatus {
    let operands = arguments.operands
    // One model is a pair if two of its versions are meant, the current one among them.
    let hasVersions = arguments.has("from") || arguments.has("to")
    try arguments.expectOperands(operands.count == 1 && hasVersions ? 1 : 2)
    let source = try ModelOperand(operands[0]).model(version: arguments.value("from"))
    let destination = try ModelOperand(operands[operands.count - 1]).model(version: arguments.value("to"))
    for warning in source.warnings + destination.warnings { console.warn(warning) }
    let comparison = ModelComparison(source: source, destination: destination)
    if arguments.has("json") {
      console.write(try Report(comparison).json())
    } else {
      for line in lines(comparison) { console.print(line) }
    }
    return .done
  }

  // MARK: Text

  static func lines(_ comparison: ModelComparison) -> [String] {
    comparison.entities.filter { !$0.isEmpty }.flatMap(lines) + [summary(comparison)]
  }

  private static func lines(_ entity: EntityComparison) -> [String] {
    var lines = ["\(entity.name): \(entity.hashDiffers ? "other hash" : "same hash"), \(entity.kind.rawValue)"]
    lines += entity.changes.map { "  \(text($0))" }
    for property in entity.properties {
      let sign = property.source == nil ? "+" : property.destination == nil ? "-" : "~"
      lines += property.changes.map { "  \(sign) \(property.name): \(text($0))" }
    }
    // The reason lies in a superentity, whose hash is part of this one.
    if lines.count == 1 { lines.append("  by its parent") }
    return lines
  }

  private static func text(_ change: ModelChange) -> String {
    let outcome: String
    switch change.migration {
    case .none: outcome = change.changesHash ? "other hash" : "no migration"
    case .inferred: outcome = "inferred"
    case .conditional: outcome = "depends on the rows"
    case .refused: outcome = "not inferred"
    }
    return "\(change.what) (\(outcome)\(change.note.map { ": \($0)" } ?? ""))"
  }

  private static func summary(_ comparison: ModelComparison) -> String {
    let count = comparison.entitiesWithOtherHash.count
    switch comparison.migration {
    case .none: return "A store of the one opens with the other: all hashes are equal."
    case .inferred: return "\(hashes(count)); the mapping is inferred."
    case .conditional: return "\(hashes(count)); the mapping is inferred, and depends on the rows."
    case .refused: return "\(hashes(count)); no mapping is inferred: one must be written, or several steps be made."
    }
  }

  private static func hashes(_ count: Int) -> String {
    "A store of the one must be migrated: \(count) \(count == 1 ? "entity has" : "entities have") other hashes"
  }

  // MARK: JSON

  private struct Report: Encodable {
    var sameHashes: Bool
    var migration: String
    var entities: [Entity]

    struct Entity: Encodable {
      var name: String
      var from: String?
      var mapping: String
      var hashDiffers: Bool
      var changes: [Change]
      var properties: [Property]
    }

    struct Property: Encodable {
      var name: String
      var from: String?
      var changes: [Change]
    }

    struct Change: Encodable {
      var what: String
      var changesHash: Bool
      var migration: String
      var note: String?

      init(_ change: ModelChange) {
        what = change.what
        changesHash = change.changesHash
        migration = change.migration.rawValue
        note = change.note
      }
    }

    init(_ comparison: ModelComparison) {
      sameHashes = comparison.entitiesWithOtherHash.isEmpty
      migration = comparison.migration.rawValue
      entities = comparison.entities.filter { !$0.isEmpty }.map { entity in
        Entity(
          name: entity.name, from: entity.source?.name, mapping: entity.kind.rawValue, hashDiffers: entity.hashDiffers,
          changes: entity.changes.map(Change.init),
          properties: entity.properties.map { property in
            Property(name: property.name, from: property.source?.name, changes: property.changes.map(Change.init))
          })
      }
    }

    func json() throws -> String { try JSONText.of(self) }
  }
}
