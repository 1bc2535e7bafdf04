import Bytes
import Diagnostics
import Foundation
import SQLiteDriver

/// The values of attributes that allow external storage: a prefix byte, and the bytes or the name of a file beside the store.
///
/// The files of a save are on the disk before it is committed, and removed if it fails; those that it leaves without a row
/// are removed behind the commit. A crash in between leaves a file without a row, and never a row without its file.
struct ExternalFiles: Sendable {
  /// What a stored value begins with.
  private enum Prefix {
    static let inline: UInt8 = 1
    static let file: UInt8 = 2
  }

  /// The SQL function that makes a file of a blob and gives its stored form.
  static let function = "gantry_external"

  /// The size in bytes up to which a value stands in its row.
  static let largestInline = 100_000

  /// `.NAME_SUPPORT` beside the store.
  let support: URL
  /// The files that the save has made so far.
  private var made: [URL] = []
  /// The files that no row names any more once the save is committed.
  private var left: [URL] = []
  /// What went wrong with a file inside a statement; SQLite hands on its text alone.
  var failure: (any Error)?

  init(store: URL) {
    let store = store.behindLink
    let name = store.deletingPathExtension().lastPathComponent
    support = store.deletingLastPathComponent().appendingPathComponent(".\(name)_SUPPORT")
  }

  /// The folder of the files.
  var folder: URL { support.appendingPathComponent("_EXTERNAL_DATA") }

  // MARK: Reading

  /// The value of a stored form; nil if it is none, or names a file that is not there.
  func decode(_ stored: Data) -> Data? {
    switch stored.first {
    case Prefix.inline?: Data(stored.dropFirst())
    case Prefix.file?: file(of: stored).flatMap { try? Data(contentsOf: $0) }
    default: nil
    }
  }

  /// Whether a stored form is that of a value in the row.
  static func isInline(_ stored: Data) -> Bool { stored.first == Prefix.inline }

  /// The file that a stored form names.
  func file(of stored: Data) -> URL? { Self.name(of: stored).map { folder.appendingPathComponent($0) } }

  /// The name of the file in a stored form: a UUID in text and a zero byte.
  static func name(of stored: Data) -> String? {
    guard stored.first == Prefix.file, stored.count == 38, stored.last == 0 else { return nil }
    return UUID(uuidString: String(decoding: stored.dropFirst().dropLast(), as: UTF8.self))?.uuidString
  }

  // MARK: Saving

  /// The stored form of a value in the row.
  static func inline(_ data: Data) -> Data { [Prefix.inline] + data }

  /// The stored form of a value, in the row if it is small, else the name of a file that now holds it.
  mutating func encode(_ data: Data) throws -> Data {
    guard data.count > Self.largestInline else { return Self.inline(data) }
    let name = UUID().uuidString
    let file = folder.appendingPathComponent(name)
    if made.isEmpty { try makeFolder() }
    made.append(file)
    let writer = try FileWriter(file.path)
    try data.withUnsafeBytes { try writer.write($0) }
    try writer.sync()
    return Self.named(name)
  }

  /// The stored form of a value in a file.
  private static func named(_ name: String) -> Data { [Prefix.file] + Data(name.utf8) + [0] }

  /// Calls the file of a value by the place where the value is kept, and by its bytes.
  ///
  /// - Returns: the new stored form; nil for a value in the row, or one whose file is called so already or is not there.
  func settle(_ stored: Data, in place: String) throws -> Data? {
    guard let file = file(of: stored), let data = try? Data(contentsOf: file, options: .mappedIfSafe) else {
      return nil
    }
    let name = Self.settledName(of: data, in: place)
    guard name != file.lastPathComponent else { return nil }
    try FileSystem.rename(from: file.path, to: folder.appendingPathComponent(name).path)
    return Self.named(name)
  }

  private static func settledName(of data: Data, in place: String) -> String {
    var hash = SHA256()
    hash.update(Array(place.utf8))
    data.withUnsafeBytes { hash.update($0) }
    return UUID(derivedFrom: hash.finish()).uuidString
  }

  /// What is in the folder of a settled store, or missing there, that is not as the store names it; nil if nothing is.
  func unsettled(in connection: Connection) throws -> URL? {
    var names: Set<String> = []
    var changed: URL?
    try Self.forEachNamed(in: connection) { place, name in
      names.insert(name)
      let file = folder.appendingPathComponent(name)
      let data = try? Data(contentsOf: file, options: .mappedIfSafe)
      if data.map({ Self.settledName(of: $0, in: place) }) != name { changed = file }
    }
    guard changed == nil else { return changed }
    let content = { (folder: URL) in (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [] }
    let strange =
      content(support).filter { $0 != folder.lastPathComponent }.map { support.appendingPathComponent($0) }
      + content(folder).filter { !names.contains($0) }.map { folder.appendingPathComponent($0) }
    return strange.min { $0.path < $1.path }
  }

  /// Calls a body with each file that any row of a store names, and the place where the value is kept.
  static func forEachNamed(in connection: Connection, _ body: (_ place: String, _ name: String) -> Void) throws {
    var columns: [(String, String)] = []
    try connection.prepare(
      "SELECT m.name, c.name FROM sqlite_master AS m JOIN pragma_table_info(m.name) AS c "
        + "WHERE m.type = 'table' AND m.name LIKE 'Z%' AND c.type = 'BLOB'"
    ).forEachRow { columns.append(($0.text(0) ?? "", $0.text(1) ?? "")) }
    for (table, column) in columns {
      let value = Connection.quoted(column)
      try connection.prepare(
        "SELECT rowid, \(value) FROM \(Connection.quoted(table)) "
          + "WHERE length(\(value)) = 38 AND substr(\(value), 1, 1) = X'02'"
      ).forEachRow { row in
        if let file = name(of: Data(row.blobBytes(1))) { body("\(table).\(column) \(row.integer(0))", file) }
      }
    }
  }

  /// Takes note that the save replaces or removes a stored form.
  mutating func release(_ stored: Data) {
    if let file = file(of: stored) { left.append(file) }
  }

  /// Waits until the names of the files are on the disk; to be called before the commit.
  func sync() throws(Diagnostic) {
    if !made.isEmpty { try FileSystem.sync(folder.path) }
  }

  /// Ends a save that was committed.
  mutating func committed() { end(removing: left) }

  /// Ends a save that failed.
  mutating func rolledBack() { end(removing: made) }

  private mutating func end(removing files: [URL]) {
    // A file that stays is in nobody's way: no row names it.
    for file in files { try? FileManager.default.removeItem(at: file) }
    (made, left, failure) = ([], [], nil)
  }

  private func makeFolder() throws(Diagnostic) {
    guard !FileSystem.exists(folder.path) else { return }
    try FileSystem.makeFolder(folder.path)
    for path in [folder.path, support.path] { try FileSystem.syncFolder(of: path) }
  }

  // MARK: Moving

  /// Brings the files to the place of a store, on the disk when it returns.
  mutating func move(to store: URL) throws {
    let target = ExternalFiles(store: store)
    if FileSystem.exists(target.support.path) {
      // A store that is gone has left its files, which are not ours to remove. A name is that of one value for ever: a file that
      // is there already is the same.
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
      if !names.isEmpty { try target.makeFolder() }
      for name in names where !FileSystem.exists(target.folder.appendingPathComponent(name).path) {
        try FileSystem.rename(
          from: folder.appendingPathComponent(name).path, to: target.folder.appendingPathComponent(name).path)
      }
      removeAll()
    } else if FileSystem.exists(support.path) {
      try FileSystem.rename(from: support.path, to: target.support.path)
    }
    self = target
  }

  /// Copies the files of another store.
  func copy(_ other: ExternalFiles) throws(Diagnostic) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: other.folder.path)) ?? []
    if !names.isEmpty { try makeFolder() }
    for name in names {
      let target = folder.appendingPathComponent(name)
      do {
        try FileManager.default.copyItem(at: other.folder.appendingPathComponent(name), to: target)
      } catch {
        throw .externalCopy(name, from: other.folder, error)
      }
      try FileSystem.sync(target.path)
    }
  }

  /// Gives the files of another store a second name.
  func link(_ other: ExternalFiles) throws(Diagnostic) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: other.folder.path)) ?? []
    if !names.isEmpty { try makeFolder() }
    for name in names {
      try FileSystem.linkOrCopy(
        from: other.folder.appendingPathComponent(name).path, to: folder.appendingPathComponent(name).path)
    }
    if !names.isEmpty { try FileSystem.sync(folder.path) }
  }

  /// Removes the files that another store has, too.
  func removeFiles(sharedWith other: ExternalFiles) {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: other.folder.path)) ?? [] {
      // A file that stays is in nobody's way: no row names it.
      try? FileManager.default.removeItem(at: folder.appendingPathComponent(name))
    }
  }

  /// Removes the folder with all files.
  func removeAll() { try? FileManager.default.removeItem(at: support) }
}
