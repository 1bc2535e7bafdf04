import Foundation
import ObjectModel
import TestSupport

/// Models and folders for the tests.
enum Fixtures {
  /// The file of a model with an entity of one attribute.
  static func contents(entity: String = "Contact", attribute: String = "name") -> String {
    """
    <model><entity name="\(entity)"><attribute name="\(attribute)" attributeType="String"/></entity>
    <configuration name="Own"><memberEntity name="\(entity)"/></configuration></model>
    """
  }

  /// Writes a source model `NAME.xcdatamodeld` into a folder.
  static func write(_ contents: String, as name: String, in folder: TemporaryFolder, at path: String = "") throws {
    try folder.write(contents, to: "\(path)\(name).xcdatamodeld/\(name).xcdatamodel/contents")
  }

  static func model(_ contents: String = contents()) throws -> NSManagedObjectModel {
    let folder = try TemporaryFolder()
    try write(contents, as: "M", in: folder)
    return try NSManagedObjectModel(contentsOf: folder.url.appendingPathComponent("M.xcdatamodeld"))
  }

  /// The files of a folder with their bytes.
  static func files(of folder: URL) throws -> [String: Data] {
    var files: [String: Data] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      files[name] = (try? Data(contentsOf: folder.appendingPathComponent(name))) ?? Data()
    }
    return files
  }
}
