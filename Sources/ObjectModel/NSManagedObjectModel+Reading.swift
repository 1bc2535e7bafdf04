public import Diagnostics
public import Foundation

extension NSManagedObjectModel {
  /// Reads a model from its source: an `.xcdatamodeld` package, an `.xcdatamodel` folder, or the XML file in it.
  ///
  /// - Parameters:
  ///   - url: The package, folder or file.
  ///   - version: The version to read, with or without `.xcdatamodel`. The default is the current one, as the package's
  ///     `.xccurrentversion` says.
  public convenience init(contentsOf url: URL, version: String? = nil) throws(Diagnostic) {
    let file = try ModelFile(url, version: version)
    var reader = try ModelReader(bytes: file.bytes, file: file.name)
    self.init()
    try reader.read(into: self)
  }
}
