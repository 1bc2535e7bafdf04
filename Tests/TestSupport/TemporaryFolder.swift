public import Foundation
public import Testing

/// A folder of one test's own, removed when the test lets go of it.
public final class TemporaryFolder: Sendable {
  /// Where it is.
  public let url: URL

  /// Makes one with the defaults.
  public convenience init() throws { try self.init(in: FileManager.default.temporaryDirectory) }

  /// Makes one in another folder.
  public init(in folder: URL) throws {
    url = folder.appendingPathComponent("gantry-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// A folder of another file system than that of the folders made by default; nil where there is none.
  public static let otherFileSystem: URL? = {
    func device(_ url: URL) -> Int? {
      (try? FileManager.default.attributesOfItem(atPath: url.path))?[.systemNumber] as? Int
    }
    let other = URL(fileURLWithPath: "/dev/shm")
    guard let number = device(other), number != device(FileManager.default.temporaryDirectory) else { return nil }
    return FileManager.default.isWritableFile(atPath: other.path) ? other : nil
  }()

  /// What a test says that is skipped where there is none.
  public static let otherFileSystemComment: Comment = "skipped: /dev/shm is no file system of its own"

  /// The path of a file in the folder.
  public func path(_ name: String) -> String { url.appendingPathComponent(name).path }

  /// Writes a file and returns its path.
  @discardableResult public func write(_ text: String, to name: String) throws -> String {
    try write(Data(text.utf8), to: name)
  }

  /// Writes a file and returns its path.
  @discardableResult public func write(_ data: Data, to name: String) throws -> String {
    let file = url.appendingPathComponent(name)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try data.write(to: file)
    return file.path
  }
}
