import Batch
import Diagnostics
import Foundation
import ObjectGraph
import ObjectModel
import SQLiteStore
import TestSupport
import Testing
import Values

/// Runs over one store, one after the other, and what they leave: told as text, for tables of tests.
struct Scenario: Sendable {
  /// The entities, as a model file has them.
  var entities: String
  /// The input files, by name.
  var files: [String: String]
  /// The steps of each run, as a pipeline file has them.
  var runs: [String]

  init(_ entities: String, _ files: [String: String], _ runs: String...) {
    self.entities = entities
    self.files = files
    self.runs = runs
  }
}

/// The ways on which a scenario must come to the same: kinds of store and sizes of chunks.
struct Way: Sendable, CustomTestStringConvertible {
  var isInMemory: Bool
  var chunk: Int
  var testDescription: String { "\(isInMemory ? "memory" : "SQLite"), chunk \(chunk)" }

  static let all = [true, false].flatMap { kind in [1, 2, 1000].map { Way(isInMemory: kind, chunk: $0) } }
  static let plain = Way(isInMemory: true, chunk: 1000)
}

extension Scenario {
  /// Runs all runs and tells what came of it: the counts of each, the objects in the end, and the refused records.
  func outcome(_ way: Way = .plain, skipLimit: SkipLimit = .none) throws -> String {
    let ground = try Ground(self, way, skipLimit)
    var lines: [String] = []
    for run in runs { lines += ground.run(run) }
    return (lines + (try ground.objects()) + (try ground.rejects())).joined(separator: "\n")
  }
}

/// A store of a scenario with its folder.
final class Ground {
  let folder: TemporaryFolder
  let store: NSPersistentStore
  private let coordinator: NSPersistentStoreCoordinator
  private var configuration = RunConfiguration()

  init(_ scenario: Scenario, _ way: Way, _ skipLimit: SkipLimit = .none) throws {
    folder = try TemporaryFolder()
    try folder.write("<model>\(scenario.entities)</model>", to: "M.xcdatamodel/contents")
    for (name, text) in scenario.files { try folder.write(text, to: name) }
    let model = try NSManagedObjectModel(contentsOf: folder.url.appendingPathComponent("M.xcdatamodel"))
    store =
      way.isInMemory
      ? InMemoryStore(model: model)
      : try SQLitePersistentStore.create(at: folder.url.appendingPathComponent("s.sqlite"), model: model)
    coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    coordinator.add(store)
    configuration.chunk = way.chunk
    configuration.skipLimit = skipLimit
  }

  /// A run of the steps.
  func batchRun(_ steps: String, fingerprint: String? = nil, events: RunEvents = RunEvents()) throws -> BatchRun {
    let decoder = JSONDecoder()
    decoder.allowsJSON5 = true
    let steps = try decoder.decode([StepConfiguration].self, from: Data("[\(steps)]".utf8))
    return try BatchRun(
      steps, in: folder.url.path, into: store, coordinator, configuration, rejects: folder.path("rejects"),
      fingerprint: fingerprint, events: events)
  }

  /// Runs steps and tells their counts, the notes, and what ended the run.
  func run(_ steps: String) -> [String] {
    var lines: [String] = []
    do {
      var events = RunEvents()
      events.note = { lines.append("note: " + self.short($0)) }
      let run = try batchRun(steps, events: events)
      defer { lines += run.summariesSoFar.map { "\($0.name): \(Self.text($0.counts))" } }
      do {
        _ = try run.run()
      } catch let error as Diagnostic {
        lines.append("ended: " + short(error))
      }
    } catch {
      lines.append("\(error)")
    }
    return lines
  }

  /// A diagnostic without the test's folder.
  func short(_ diagnostic: Diagnostic) -> String {
    "\(diagnostic)".replacing(folder.url.path + "/", with: "")
  }

  /// The counts that are not zero, and whether every record that was read is in one of the others.
  private static func text(_ counts: StepCounts) -> String {
    let parts = [
      (counts.insertCount, "new"), (counts.updateCount, "changed"), (counts.unchangedCount, "unchanged"),
      (counts.filterCount, "passed over"), (counts.readSkipCount, "unread"), (counts.processSkipCount, "unfit"),
      (counts.writeSkipCount, "invalid"), (counts.createCount, "made"), (counts.nullLinkCount, "left out"),
    ]
    let isWhole = counts.readCount == counts.filterCount + counts.writeCount + counts.rejectCount
    return "\(counts.readCount) read" + (isWhole ? "" : " AND LOST")
      + parts.filter { $0.0 > 0 }.map { ", \($0.0) \($0.1)" }.joined()
  }

  // MARK: What is in the store

  /// Each object as a line: what is not null, destinations by their `id`.
  func objects() throws -> [String] {
    var lines: [String] = []
    for entity in store.model.entities.sorted(by: { ($0.name ?? "") < ($1.name ?? "") }) {
      let objectIDs = try store.requests.objectIDs(of: entity, includingSubentities: false)
      for case let row? in try store.requests.rows(for: objectIDs) { lines.append(try line(row)) }
    }
    return lines
  }

  private func line(_ row: StoredRow) throws -> String {
    let layout = row.objectID.entity.layout
    var words = [row.objectID.entity.name ?? ""]
    for (attribute, value) in zip(layout.attributes, row.attributes) where !value.isNull {
      words.append("\(attribute.path)=\(value.object.map { "\($0)" } ?? "")")
    }
    for (relationship, destination) in zip(layout.toOne, row.toOne) {
      if let destination { words.append("\(relationship.name)→\(try ids([destination])[0])") }
    }
    for relationship in layout.toMany {
      let destinations = try ids(try store.requests.destinations(of: relationship, for: [row.objectID])[0])
      guard !destinations.isEmpty else { continue }
      let shown = relationship.isOrdered ? destinations : destinations.sorted()
      words.append("\(relationship.name)→[\(shown.joined(separator: " "))]")
    }
    return words.joined(separator: " ")
  }

  private func ids(_ objectIDs: [NSManagedObjectID]) throws -> [String] {
    try store.requests.rows(for: objectIDs).map { row in
      guard let row, let place = row.objectID.entity.layout.attributeIndex["id"] else { return "GONE" }
      return row.attributes[place].object.map { "\($0)" } ?? "?"
    }
  }

  /// The files of refused records, each record as its fields, the place and the code.
  func rejects() throws -> [String] {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path("rejects"))) ?? []
    return try files.sorted().flatMap { name in
      let text = try String(contentsOfFile: folder.path("rejects/\(name)"), encoding: .utf8)
      return ["\(name):"] + text.split(separator: "\n").dropFirst().map { Self.withoutReason(String($0)) }
    }
  }

  /// The reason may differ with the size of chunks: it names the record that has the key, if that was read with it.
  private static func withoutReason(_ line: String) -> String {
    line.firstMatch(of: /^(.*?,[a-z]+\.[a-z-]+),/).map { String($0.output.1) } ?? line
  }
}
