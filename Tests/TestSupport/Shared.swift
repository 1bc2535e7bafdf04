public import Foundation
public import Testing

/// The reference material that some tests read: a folder `shared` beside the project, which need not be there.
public enum Shared {
  /// The folder; nil where it is absent: the tests that read it are then skipped.
  public static let folder: URL? = {
    let project = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let named = ProcessInfo.processInfo.environment["GANTRY_SHARED"].map { URL(fileURLWithPath: $0) }
    let folder = named ?? project.deletingLastPathComponent().appendingPathComponent("shared")
    return FileManager.default.fileExists(atPath: folder.appendingPathComponent("spec").path) ? folder : nil
  }()

  /// Whether it is there; for `.enabled(if: Shared.isThere, Shared.comment)`.
  public static var isThere: Bool { folder != nil }

  /// What a skipped test says.
  public static let comment: Comment = "skipped: no folder `shared` beside the project"

  /// A file of the folder.
  public static func url(_ path: String) throws -> URL {
    try #require(folder, "no folder `shared`").appendingPathComponent(path)
  }
}
