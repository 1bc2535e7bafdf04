import Diagnostics
import Foundation

/// The XML file of one version of a model, found in what a user names.
struct ModelFile {
  /// The file as the user would name it.
  let name: String
  let bytes: [UInt8]

  init(_ url: URL, version: String?) throws(Diagnostic) {
    let place = try Self.place(of: url, version: version)
    name = Self.name(of: place)
    guard let data = try? Data(contentsOf: place) else { throw .modelUnreadable(name) }
    if data.starts(with: Array("bplist".utf8)) || data.starts(with: Array("momv2$".utf8)) { throw .modelBinary(name) }
    bytes = Array(data)
  }

  private static func place(of url: URL, version: String?) throws(Diagnostic) -> URL {
    switch Kind(url) {
    case .missing: throw .modelMissing(name(of: url))
    case .binary: throw .modelBinary(name(of: url))
    case .empty: throw .modelEmpty(name(of: url))
    case .package(let versions):
      return try place(of: url.appendingPathComponent(try choose(version, of: versions, in: url)), version: nil)
    case .single:
      try check(version, is: url)
      return url.appendingPathComponent("contents")
    case .file:
      try check(version, is: url.deletingLastPathComponent())
      return url
    }
  }

  /// The path as the user gave it; Foundation ends that of a folder with a slash.
  private static func name(of url: URL) -> String {
    let path = url.relativePath
    return path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
  }

  /// What a path leads to.
  private enum Kind {
    case missing, empty, file, single
    /// A compiled model, or a source older than Xcode 4.
    case binary
    /// The names of the folders of the versions.
    case package([String])

    init(_ url: URL) {
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else {
        self = .missing
        return
      }
      let files = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
      let versions = files.filter { $0.hasSuffix(".xcdatamodel") }.sorted {
        // `Model 2` before `Model 10`.
        withoutExtension($0).compare(withoutExtension($1), options: .numeric) == .orderedAscending
      }
      self =
        if !isFolder.boolValue {
          isCompiled(url.path) ? .binary : .file
        } else if !versions.isEmpty {
          .package(versions)
        } else if files.contains("contents") {
          .single
        } else if files.contains("elements") || files.contains(where: isCompiled) {
          .binary
        } else {
          .empty
        }
    }
  }

  private static func isCompiled(_ file: String) -> Bool { file.hasSuffix(".mom") || file.hasSuffix(".omo") }

  // MARK: Versions

  /// The folder of the version asked for; else of the current one; else of the only one.
  private static func choose(_ version: String?, of versions: [String], in url: URL) throws(Diagnostic) -> String {
    if let version {
      guard let folder = versions.first(where: { $0 == version || $0 == version + ".xcdatamodel" }) else {
        throw .modelVersionUnknown(version, known: versions.map(withoutExtension), name(of: url))
      }
      return folder
    }
    if let current = try currentVersion(of: url) {
      guard versions.contains(current) else {
        throw .modelVersionGone(withoutExtension(current), known: versions.map(withoutExtension), name(of: url))
      }
      return current
    }
    guard versions.count == 1 else {
      throw .modelVersionOpen(known: versions.map(withoutExtension), name(of: url))
    }
    return versions[0]
  }

  private static func currentVersion(of url: URL) throws(Diagnostic) -> String? {
    let marker = url.appendingPathComponent(".xccurrentversion")
    guard FileManager.default.fileExists(atPath: marker.path) else { return nil }
    guard let data = try? Data(contentsOf: marker),
      let list = try? PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any]
    else { throw .modelMarker(name(of: marker)) }
    // Xcode writes an empty list for a package that has always had one version.
    return list["_XCCurrentVersionName"] as? String
  }

  /// A folder that is no package has one version, its own.
  private static func check(_ version: String?, is url: URL) throws(Diagnostic) {
    let own = url.lastPathComponent
    guard let version, version != own, version != withoutExtension(own) else { return }
    throw .modelVersionUnknown(
      version, known: own.hasSuffix(".xcdatamodel") ? [withoutExtension(own)] : [], name(of: url))
  }

  private static func withoutExtension(_ folder: String) -> String {
    folder.hasSuffix(".xcdatamodel") ? String(folder.dropLast(".xcdatamodel".count)) : folder
  }
}
