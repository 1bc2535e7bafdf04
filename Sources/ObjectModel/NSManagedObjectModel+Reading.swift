public import Diagnostics
public import Foundation

extension NSManagedObjectModel {
  /// Reads a model: its source, an `.xcdatamodeld` package, an `.xcdatamodel` folder or the XML file in it; or compiled, a
  /// `.momd` folder or a `.mom` file.
  ///
  /// - Parameters:
  ///   - url: The package, folder or file.
  ///   - version: The version to read, with or without `.xcdatamodel` or `.mom`. The default is the current one, as the
  ///     package's `.xccurrentversion` or `VersionInfo.plist` says.
  public convenience init(contentsOf url: URL, version: String? = nil) throws(Diagnostic) {
    let file = try ModelFile(url, version: version)
    if file.isCompiled {
      try self.init(archive: file.data, file: file.name)
    } else {
      var reader = try ModelReader(bytes: Array(file.data), file: file.name)
      self.init()
      try reader.read(into: self)
    }
    try file.checkHashes(of: self)
    origin = (url.relativePath, version)
  }

  /// Reads a compiled model, a keyed archive.
  ///
  /// - Parameters:
  ///   - archive: The archive, a binary property list.
  ///   - file: What messages call it.
  package convenience init(archive: Data, file: String) throws(Diagnostic) {
    var reader = try ArchivedModelReader(archive: archive, file: file)
    self.init()
    try reader.read(into: self)
    self.archive = archive
  }
}
