/// What tells whether a file is still the one that an earlier run read: its size, its last change and its place on disk.
public struct FileIdentity: Hashable, Sendable, Codable {
  /// The size in bytes.
  public var size: Int
  /// The time of the last change, in nanoseconds since 1970.
  public var modified: Int
  /// The number of the device.
  public var device: Int
  /// The number of the file on its device.
  public var inode: Int

  /// Makes one from its parts.
  public init(size: Int, modified: Int, device: Int, inode: Int) {
    self.size = size
    self.modified = modified
    self.device = device
    self.inode = inode
  }

  /// The identity of the file at a path, or nil if there is no regular file.
  public init?(path: String) {
    guard let status = try? FileStatus(path), status.kind == .regular else { return nil }
    self = status.identity
  }
}
