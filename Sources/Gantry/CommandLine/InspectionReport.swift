import Bytes
import Foundation
import Migration
import ObjectModel
import SQLiteStore

/// What `gantry inspect` prints: as lines, or as JSON by the names of its properties.
struct InspectionReport: Encodable {
  var store: String?
  var model: String?
  /// The version of the model that is shown, all that there are, and the current one; missing for a model that has one.
  var version: String?
  var versions: [String]?
  var currentVersion: String?
  var frameworkVersion: Int?
  var uuid: String?
  var versionIdentifiers: [String] = []
  var digest: String?
  var checksum: String?
  var journal: Journal?
  /// `present`, or why there is no model that can be read.
  var modelCache: String?
  var history: Bool?
  var cloudKit: Bool?
  /// The version that fits; missing when none was asked for.
  var matches: Match?
  /// When none fits, the version with the fewest entities that differ, and these.
  var nearest: Nearest?
  var entities: [String: Entity] = [:]

  struct Journal: Encodable {
    var mode: String
    var walBytes: Int?
    var journalBytes: Int?
  }

  struct Nearest: Encodable {
    var version: String
    var differing: [String]
  }

  struct Entity: Encodable {
    var count: Int?
    var hash: String?
  }

  /// The version that fits, or null.
  struct Match: Encodable {
    var version: String?

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(version)
    }
  }

  init(_ inspection: StoreInspection, _ path: String) {
    store = path
    frameworkVersion = inspection.frameworkVersion
    uuid = inspection.uuid
    versionIdentifiers = inspection.versionIdentifiers
    journal = Journal(
      mode: inspection.journal.keepsLog ? "wal" : "delete", walBytes: inspection.journal.logSize,
      journalBytes: inspection.journal.rollbackSize)
    switch inspection.model {
    case .success(let model):
      modelCache = "present"
      (digest, checksum) = (model.versionHashesDigest, model.versionChecksum)
    case .failure(let diagnostic): modelCache = diagnostic.message
    }
    history = inspection.hasHistory
    cloudKit = inspection.hasCloudKit
    for entity in inspection.entities {
      entities[entity.name] = Entity(count: entity.count, hash: entity.hash.map { Hex.encode($0) })
    }
  }

  init(_ model: NSManagedObjectModel, _ path: String) {
    self.model = path
    if let package = try? ModelPackage(URL(fileURLWithPath: path)) {
      (version, versions) = (try? package.choose(model.origin?.version), package.versions)
      currentVersion = try? package.currentVersion()
    }
    versionIdentifiers = model.versionIdentifiers
    (digest, checksum) = (model.versionHashesDigest, model.versionChecksum)
    entities = model.entityVersionHashesByName.mapValues { Entity(count: nil, hash: Hex.encode($0)) }
  }

  /// Finds the version that has the hashes, or the nearest.
  mutating func match(_ versions: ModelVersions, _ hashes: [String: Data]) {
    guard let found = versions.nearest(to: hashes) else { return }
    matches = Match(version: found.differing.isEmpty ? found.version : nil)
    if !found.differing.isEmpty { nearest = Nearest(version: found.version, differing: found.differing) }
  }
}

// MARK: - Text

extension InspectionReport {
  /// A line for each fact, and then one for each entity: its name, rows and hash, separated by tabs.
  var lines: [String] {
    var lines: [String] = []
    func add(_ name: String, _ value: String?) {
      if let value { lines.append("\(name): \(value)") }
    }
    add("store", store)
    add("model", model)
    add("version", version)
    add("versions", versions.map { $0.map { $0 == currentVersion ? "\($0) (current)" : $0 }.joined(separator: ", ") })
    add("framework version", frameworkVersion.map(String.init))
    add("UUID", uuid)
    add("version identifiers", versionIdentifiers.filter { !$0.isEmpty }.joined(separator: ", ").nonEmpty ?? "none")
    add("journal", journal.map(text))
    add("model cache", modelCache)
    add("history", history.map { $0 ? "present" : "none" })
    add("CloudKit", cloudKit.map { $0 ? "present" : "none" })
    if let version = matches?.version {
      add("matches", version)
    } else if let nearest {
      add(
        "matches",
        "none; the nearest is \(nearest.version), where these differ: " + nearest.differing.joined(separator: ", "))
    }
    lines.append("entities: \(entities.count)")
    for (name, entity) in entities.sorted(by: { $0.key < $1.key }) {
      let cells = [name] + (store == nil ? [] : [entity.count.map(String.init) ?? "?"]) + [entity.hash ?? "no hash"]
      lines.append(cells.joined(separator: "\t"))
    }
    return lines
  }

  private func text(_ journal: Journal) -> String {
    let files = [("-wal", journal.walBytes), ("-journal", journal.journalBytes)].compactMap { name, bytes in
      bytes.map { "a \(name) of \($0) bytes" }
    }
    return ([journal.mode] + files).joined(separator: ", with ")
  }
}

extension String {
  fileprivate var nonEmpty: String? { isEmpty ? nil : self }
}

extension ModelVersions {
  /// The version whose hashes are the given ones, or else the one with the fewest entities that differ.
  func nearest(to hashes: [String: Data]) -> (version: String, differing: [String])? {
    versions.map { (version: $0.name, differing: $0.model.entitiesDiffering(from: hashes)) }
      .min { $0.differing.count < $1.differing.count }
  }
}
