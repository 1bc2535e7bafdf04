import Bytes
import Diagnostics
import Foundation

/// The file of one version of a model, found in what a user names.
struct ModelFile {
  /// The file as the user would name it.
  let name: String
  let data: Data
  /// Whether it is a keyed archive, and not XML.
  let isCompiled: Bool
  /// The hashes of the version's entities, where the folder of a compiled model records them.
  private let recordedHashes: [String: Data]?

  init(_ url: URL, version: String?) throws(Diagnostic) {
    var place = url
    var hashes: [String: Data]?
    if let package = try ModelPackage(url) {
      let version = try package.choose(version)
      place = url.appendingPathComponent(version + package.form.suffix)
      hashes = package.recordedHashes(of: version)
      if package.form == .source { place.appendPathComponent("contents") }
    } else {
      place = try Self.place(in: url, version: version)
    }
    recordedHashes = hashes
    name = Self.name(of: place)
    guard let data = try Self.bytes(of: place) else {
      throw FileManager.default.fileExists(atPath: place.path) ? .modelUnreadable(name) : .modelMissing(name)
    }
    if data.starts(with: Array("momv2$".utf8)) { throw .modelOptimised(name) }
    if data.starts(with: Array("SQLite format 3\0".utf8)) { throw .modelIsStore(name) }
    self.data = data
    isCompiled =
      place.pathExtension == ModelPackage.Form.compiled.fileExtension || data.starts(with: Array("bplist".utf8))
  }

  /// The file in what is no package of versions: an `.xcdatamodel` folder, or the file itself.
  private static func place(in url: URL, version: String?) throws(Diagnostic) -> URL {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else {
      throw .modelMissing(name(of: url))
    }
    guard isFolder.boolValue else {
      if ["elements", "layout"].contains(url.lastPathComponent) { throw .modelOld(name(of: url)) }
      try check(version, is: url.pathExtension == "mom" ? url : url.deletingLastPathComponent(), file: url)
      return url
    }
    let contents = url.appendingPathComponent("contents")
    guard FileManager.default.fileExists(atPath: contents.path) else {
      let isOld = FileManager.default.fileExists(atPath: url.appendingPathComponent("elements").path)
      throw isOld ? .modelOld(name(of: url)) : .modelEmpty(name(of: url))
    }
    try check(version, is: url, file: url)
    return contents
  }

  /// What is no package has one version, its own.
  private static func check(_ version: String?, is own: URL, file: URL) throws(Diagnostic) {
    let form = ModelPackage.Form(fileExtension: own.pathExtension)
    let known = form.map { [$0.version(own.lastPathComponent)] } ?? []
    guard let version, version != own.lastPathComponent, !known.contains(version) else { return }
    throw .modelVersionUnknown(version, known: known, name(of: file))
  }

  /// The bytes of a file; nil if it cannot be read.
  ///
  /// - Throws: What may have no end, or is larger than any model.
  static func bytes(of url: URL) throws(Diagnostic) -> Data? {
    guard FileSystem.kind(of: url.path) != .other else { throw .modelEndless("a pipe or a device", name(of: url)) }
    if let size = FileIdentity(path: url.path)?.size, size > 1 << 28 {
      throw .modelEndless("a file of \(size) bytes", name(of: url))
    }
    return try? Data(contentsOf: url)
  }

  /// The path as the user gave it; Foundation ends that of a folder with a slash.
  static func name(of url: URL) -> String {
    let path = url.relativePath
    return path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
  }

  /// Checks that the model is the one that Apple's compiler recorded.
  func checkHashes(of model: NSManagedObjectModel) throws(Diagnostic) {
    guard let recordedHashes else { return }
    let differing = model.entitiesDiffering(from: recordedHashes)
    guard differing.isEmpty else { throw .modelHashes(differing, name) }
  }
}
