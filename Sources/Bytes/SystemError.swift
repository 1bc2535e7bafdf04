#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A call of the system that failed: its `errno`.
package struct SystemError: Error, Equatable, CustomStringConvertible {
  package let code: Int32

  package init(code: Int32) { self.code = code }

  static var last: SystemError { SystemError(code: errno) }

  static let existing = SystemError(code: EEXIST)

  /// The system's words for it.
  package var description: String { String(cString: strerror(code)) }

  package var isMissing: Bool { code == ENOENT || code == ENOTDIR }
  package var isDenied: Bool { code == EACCES || code == EPERM || code == EROFS }
  package var isNoSpace: Bool { code == ENOSPC || code == EDQUOT }
  package var isFolder: Bool { code == EISDIR }
  /// Whether the file system has no hard links.
  var isWithoutLinks: Bool { code == EPERM || code == EOPNOTSUPP || code == ENOSYS || code == EMLINK }
  /// Whether two paths are on different file systems.
  var isAcrossFileSystems: Bool { code == EXDEV }
  package var isExisting: Bool { code == EEXIST || code == ENOTEMPTY }
}

/// The result of a call, made again as long as a signal interrupts it; a negative one is an error.
@discardableResult
func retrying<Result: SignedInteger>(_ call: () -> Result) throws(SystemError) -> Result {
  while true {
    let result = call()
    if result >= 0 { return result }
    guard errno == EINTR else { throw .last }
  }
}
