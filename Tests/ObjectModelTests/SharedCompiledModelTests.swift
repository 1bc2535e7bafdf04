import Bytes
import Diagnostics
import Foundation
import TestSupport
import Testing

@testable import ObjectModel

/// Compiled models of public apps, and the models that stores keep of themselves, with the hashes that Apple's tools recorded.
@Suite(.enabled(if: Shared.isThere, Shared.comment)) struct SharedCompiledModelTests {
  /// The files of a folder whose names end so.
  static func files(_ folder: String, _ ending: String) throws -> [URL] {
    let root = try Shared.url(folder)
    return try FileManager.default.subpathsOfDirectory(atPath: root.path).filter { $0.hasSuffix(ending) }.sorted()
      .map { root.appendingPathComponent($0) }
  }

  /// Each version of each `.momd`: its hashes are checked against `VersionInfo.plist` when it is read.
  @Test func everyVersionHasTheRecordedHashes() throws {
    var (count, entities) = (0, 0)
    var exceptions: [String] = []
    for folder in ["corpus/models", "corpus/metadata"] {
      for file in try Self.files(folder, ".mom") where file.path.contains(".momd/") {
        let package = file.deletingLastPathComponent()
        do {
          let model = try NSManagedObjectModel(
            contentsOf: package, version: file.deletingPathExtension().lastPathComponent)
          let information = try #require(try ModelPackage(package))
          if information.recordedHashes(of: file.deletingPathExtension().lastPathComponent) == nil {
            exceptions.append("\(file.lastPathComponent): no hashes recorded")
          }
          count += 1
          entities += model.entities.count
        } catch let error as Diagnostic {
          exceptions.append("\(file.lastPathComponent): \(error.code.name)")
        }
      }
    }
    #expect("\(count) versions of \(entities) entities" == "19 versions of 57 entities")
    #expect(exceptions == ["EmployeeDirectory.mom: no hashes recorded"])
  }

  /// Each cache of a model beside the metadata of its store.
  @Test func everyCacheHasTheHashesOfItsStore() throws {
    var (count, entities) = (0, 0)
    var exceptions: [String] = []
    var losses: Set<String> = []
    for file in try Self.files("corpus/metadata", ".modelcache.plist") {
      let name = String(file.lastPathComponent.dropLast(".modelcache.plist".count))
      let metadata = try PropertyListSerialization.propertyList(
        from: Data(contentsOf: file.deletingLastPathComponent().appendingPathComponent(name + ".metadata.plist")),
        format: nil)
      let hashes = try #require((metadata as? [String: Any])?["NSStoreModelVersionHashes"] as? [String: Data])
      do {
        let model = try NSManagedObjectModel(archive: Data(contentsOf: file), file: name)
        #expect(model.entitiesDiffering(from: hashes) == [], "\(file.path)")
        losses.formUnion(model.warnings.map { String($0.message.drop { $0 != "." }) })
        count += 1
        entities += model.entities.count
      } catch let error as Diagnostic {
        exceptions.append("\(name): \(error)")
      }
    }
    #expect("\(count) caches of \(entities) entities" == "95 caches of 868 entities")
    let lost = "is no value of the type Transformable that can be kept; new objects have none"
    #expect(
      losses == [
        ".cover, an object of CoreDataPlus_Tests.Cover, \(lost)",
        ".cover, an object of CoreDataPlus_Tests_macOS.Cover, \(lost)",
        ".frontCover, an object of CoreDataPlus_Tests.Cover, \(lost)",
        ".title are not checked by the rule SELF CONTAINS \"title\", which is of an unknown form",
      ])
    // Cut short by who made it.
    #expect(exceptions.count == 1 && exceptions.allSatisfy { $0.contains("binary property list is damaged") })
  }
}
