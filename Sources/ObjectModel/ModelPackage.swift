package import Diagnostics
package import Foundation

/// A folder that holds the versions of a model: an `.xcdatamodeld` of sources, or a `.momd` of compiled models.
package struct ModelPackage {
  /// What the versions are.
  package enum Form: CaseIterable {
    case source, compiled

    /// What the names of versions end in.
    var fileExtension: String { self == .source ? "xcdatamodel" : "mom" }
    var suffix: String { "." + fileExtension }

    init?(fileExtension: String) {
      guard let form = Self.allCases.first(where: { $0.fileExtension == fileExtension }) else { return nil }
      self = form
    }

    /// The version of a file's or folder's name.
    func version(_ name: String) -> String { name.hasSuffix(suffix) ? String(name.dropLast(suffix.count)) : name }
  }

  /// The folder.
  package let url: URL
  /// What the versions are.
  package let form: Form
  /// The names of the versions, `Model 2` before `Model 10`.
  package let versions: [String]
  /// The contents of `VersionInfo.plist`.
  private var information: [String: Any] = [:]

  /// Looks at a folder; nil if it holds no versions.
  ///
  /// - Throws: A folder with models in forms that cannot be read alone.
  package init?(_ url: URL) throws(Diagnostic) {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
    guard let form = Form.allCases.first(where: { form in files.contains { $0.hasSuffix(form.suffix) } }) else {
      if files.contains(where: { $0.hasSuffix(".omo") }) { throw .modelOptimised(ModelFile.name(of: url)) }
      return nil
    }
    self.url = url
    self.form = form
    versions = files.filter { $0.hasSuffix(form.suffix) }.map(form.version).sorted(by: Self.precedes)
    if form == .compiled { information = try Self.propertyList(url.appendingPathComponent("VersionInfo.plist")) ?? [:] }
  }

  /// Whether a version's name comes before another's: numbers in them count as numbers.
  package static func precedes(_ a: String, _ b: String) -> Bool {
    a.compare(b, options: .numeric) == .orderedAscending
  }

  /// The version asked for; else the current one; else the only one.
  package func choose(_ version: String?) throws(Diagnostic) -> String {
    if let version {
      guard versions.contains(form.version(version)) else {
        throw .modelVersionUnknown(version, known: versions, ModelFile.name(of: url))
      }
      return form.version(version)
    }
    return try currentVersion()
  }

  /// The current version; the only one if nothing says which.
  package func currentVersion() throws(Diagnostic) -> String {
    if let current = try markedVersion() {
      guard versions.contains(current) else {
        throw .modelVersionGone(current, known: versions, ModelFile.name(of: url))
      }
      return current
    }
    guard versions.count == 1 else {
      throw .modelVersionOpen(known: versions, marker: marker, ModelFile.name(of: url))
    }
    return versions[0]
  }

  /// The hashes of a version's entities that the compiler recorded.
  func recordedHashes(of version: String) -> [String: Data]? {
    (information["NSManagedObjectModel_VersionHashes"] as? [String: Any])?[version] as? [String: Data]
  }

  // MARK: The mark of the current version

  private var marker: String { form == .source ? ".xccurrentversion" : "VersionInfo.plist" }

  private func markedVersion() throws(Diagnostic) -> String? {
    switch form {
    case .compiled: return information["NSManagedObjectModel_CurrentVersionName"] as? String
    case .source:
      // Xcode writes an empty list for a package that has always had one version.
      return (try Self.propertyList(url.appendingPathComponent(marker))?["_XCCurrentVersionName"] as? String)
        .map(form.version)
    }
  }

  private static func propertyList(_ url: URL) throws(Diagnostic) -> [String: Any]? {
    guard FileManager.default.fileExists(atPath: url.path) else { return nil }
    guard let data = try ModelFile.bytes(of: url),
      let list = try? PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any]
    else { throw .modelMarker(ModelFile.name(of: url)) }
    return list
  }
}
