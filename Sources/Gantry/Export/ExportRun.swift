import Bytes
import Conversion
import Diagnostics
import Foundation
import ObjectModel
import Records
import SQLiteStore

/// Writes all objects and links of a store into a folder of files, row by row.
final class ExportRun {
  private let store: SQLitePersistentStore
  private let format: ExportFormat
  private let folder: ExportFolder
  private let events: ExportEvents
  private(set) var summaries: [ExportedFile] = []
  /// The folders of values that have files of their own.
  private var valueFolders: [String] = []

  init(_ store: SQLitePersistentStore, to folder: ExportFolder, _ format: ExportFormat, events: ExportEvents) {
    self.store = store
    self.folder = folder
    self.format = format
    self.events = events
  }

  /// Writes the files, and for formats that can be imported the pipeline of it.
  ///
  /// - Parameters:
  ///   - model: the path of the model from the folder.
  ///   - version: the version of the model; nil for the current one.
  func run(model: String, version: String?, storeName: String) throws {
    try store.reading {
      var plan = try ExportPlan(store, checkForStop: checkForStop)
      for row in plan.strayRows { events.note(.exportStrayRows(row.entity, row.count)) }
      if format != .json {
        for (attribute, count) in plan.entities.flatMap(\.empty) { events.note(.exportNull(attribute, count)) }
      }
      for entity in plan.entities { try write(entity) }
      for index in plan.links.indices { plan.links[index].linkCount = try write(plan.links[index]) }
      try syncValues()
      guard format != .json else { return }
      let pipeline = ExportPipeline(model: model, version: version, store: storeName, format: format, plan: plan)
      let file = try FileWriter(folder.file(ExportFolder.pipeline))
      try file.write(pipeline.text)
      try file.sync()
    }
  }

  // MARK: Files

  private func write(_ entity: ExportedEntity) throws {
    let folders = entity.attributes.map { attribute in
      attribute.hasFiles ? "\(entity.name).\(attribute.name)" : nil
    }
    var foreignCounts = entity.attributes.map { _ in 0 }
    for folder in folders.compactMap(\.self) {
      try FileSystem.makeFolder(self.folder.file(folder))
      valueFolders.append(folder)
    }
    let count = try write(entity.name, record: entity.name, columns: entity.columns) { append in
      try store.forEachRow(of: entity.entity) { row in
        let name = RowName(entity: entity.entity, key: row.key).text
        var fields: [WrittenField] = [.text(name)]
        fields.reserveCapacity(entity.columns.count)
        for (index, attribute) in entity.attributes.enumerated() {
          let value = row.attributes[attribute.place]
          if !value.isStored(as: attribute.type) { foreignCounts[index] += 1 }
          if let folder = folders[index], case .blob(let data) = value {
            fields.append(.text(try write(data, row.key, in: folder)))
          } else {
            fields.append(attribute.writer.field(value))
          }
        }
        for destination in row.toOne { fields.append(destination.map { .text($0.text) } ?? .null) }
        try append(fields)
      }
    }
    for (attribute, count) in zip(entity.attributes, foreignCounts) where count > 0 {
      events.note(.exportForeignValues("\(entity.name).\(attribute.name)", count))
    }
    summaries.append(ExportedFile(name: format.file(entity.name), count: count, isOfObjects: true))
  }

  private func write(_ data: Data, _ key: Int64, in folder: String) throws -> String {
    let name = "\(folder)/p\(key)"
    let file = try FileWriter(self.folder.file(name))
    try data.withUnsafeBytes { try file.write($0) }
    try file.flush()
    return name
  }

  private func syncValues() throws {
    guard !valueFolders.isEmpty else { return }
    FileSystem.syncEverything()
    for path in valueFolders.map(folder.file) {
      for name in try FileManager.default.contentsOfDirectory(atPath: path) {
        try FileSystem.sync(FileSystem.path(name, in: path))
      }
      try FileSystem.sync(path)
    }
  }

  private func write(_ links: ExportedLinks) throws -> Int {
    var source: Int64?
    var place = 0
    let count = try write(links.name, record: ExportFormat.linkElement, columns: links.columns) { append in
      try store.forEachLink(of: links.relationship) { link in
        place = link.source.key == source ? place + 1 : 1
        source = link.source.key
        var fields: [WrittenField] = [.text(link.source.text), .text(link.destination.text)]
        if links.isOrdered { fields.append(.word(String(place))) }
        if links.isInverseOrdered { fields.append(.word(String(link.inversePlace ?? 0))) }
        try append(fields)
      }
    }
    summaries.append(ExportedFile(name: format.file(links.name), count: count, isOfObjects: false))
    return count
  }

  /// Writes a file and counts its records.
  private func write(
    _ name: String, record: String, columns: [String], _ body: (([WrittenField]) throws -> Void) throws -> Void
  ) throws -> Int {
    let file = try FileWriter(folder.file(format.file(name)))
    let output: RecordOutput = { bytes throws(Diagnostic) in try file.write(bytes) }
    let writer = try format.writer(record: record, columns: columns, output: output)
    var count = 0
    try body { fields in
      try format.check(fields, columns)
      try writer.write(fields)
      count += 1
      if count.isMultiple(of: 1024) {
        try checkForStop()
        events.progress(name, count)
      }
    }
    try writer.finish()
    try file.sync()
    return count
  }

  private func checkForStop() throws {
    if let signal = events.stopSignal() { throw ExportStopped(signal: signal) }
  }
}

/// What an export tells while it goes on.
struct ExportEvents {
  /// Called now and then with a file's name and the records that are written to it.
  var progress: (String, Int) -> Void = { _, _ in }
  /// Called with what deserves a word.
  var note: (Diagnostic) -> Void = { _ in }
  /// Asked for a signal that ends the export.
  var stopSignal: () -> StopSignals.Signal? = { nil }
}

/// The export was asked to stop.
struct ExportStopped: Error {
  let signal: StopSignals.Signal
}

/// A file that was written.
struct ExportedFile {
  let name: String
  let count: Int
  let isOfObjects: Bool
}

extension RowName {
  /// `Entity/p42`.
  var text: String { "\(entity.name ?? "")/p\(key)" }
}
