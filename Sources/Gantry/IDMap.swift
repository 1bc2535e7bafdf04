import Batch
import Bytes
import Diagnostics
import ObjectGraph
import Records
import SQLiteStore

/// A CSV file of the names that the records of a run gave, and what their objects are called in the store.
struct IDMap {
  private let path: String
  /// Where it is written until the run is done.
  private var unfinished: String {
    FileSystem.path(".\(FileSystem.name(of: path)).writing", in: FileSystem.folder(of: path))
  }

  /// A map at a path, whose folder must be there.
  init(_ path: String) throws(Diagnostic) {
    self.path = path
    try FileSystem.checkFolderIsWritable(of: path)
  }

  /// Writes what a run knows, beside the place of the file.
  func write(_ run: BatchRun) throws {
    let file = try FileWriter(unfinished)
    let writer = try CSVWriter(columns: ["_id", "new"]) { bytes throws(Diagnostic) in try file.write(bytes) }
    try run.forEachName { name, objectID in
      try writer.write([.text(name), .text(RowName(entity: objectID.entity, key: objectID.key).text)])
    }
    try writer.finish()
    try file.sync()
  }

  /// Moves the file to its place.
  func complete() throws(Diagnostic) { try FileSystem.rename(from: unfinished, to: path, replacing: true) }

  /// Removes what was written.
  func abandon() { _ = try? FileSystem.remove(unfinished) }
}
