import Foundation
import TestSupport

@testable import ObjectModel

/// A model file around what is inside `<model>`.
func contents(_ inside: String) -> String {
  """
  <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
  <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" userDefinedModelVersionIdentifier="">
  \(inside)
  </model>
  """
}

/// Reads a model from what is inside `<model>`, by way of a file.
func model(_ inside: String) throws -> NSManagedObjectModel {
  let folder = try TemporaryFolder()
  let path = try folder.write(contents(inside), to: "contents")
  return try withExtendedLifetime(folder) { try NSManagedObjectModel(contentsOf: URL(fileURLWithPath: path)) }
}
