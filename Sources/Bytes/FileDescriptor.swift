#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// An open file of the system, closed with its owner. Calls that a signal interrupted are made again.
final class FileDescriptor {
  let number: Int32
  private var closes: Bool

  /// What the process got at its start; it stays open.
  static var standardInput: FileDescriptor { FileDescriptor(inherited: 0) }

  private init(inherited number: Int32) {
    self.number = number
    closes = false
  }

  /// Opens a file; it is not inherited by programs that are started.
  init(_ path: String, _ mode: Mode) throws(SystemError) {
    number = try retrying { open(path, mode.flags | O_CLOEXEC, 0o644) }
    closes = true
  }

  /// Makes a file without a name, for reading and writing: it is gone when it is closed.
  init(temporaryIn folder: String) throws(SystemError) {
    var name = Array((folder + "/.gantry.XXXXXX").utf8CString)
    number = try retrying { mkstemp(&name) }
    closes = true
    try retrying { unlink(name) }
    try retrying { fcntl(number, F_SETFD, FD_CLOEXEC) }
  }

  deinit { close() }

  /// Closes it before its owner goes; it is not used any more.
  func close() {
    guard closes else { return }
    closes = false
    #if canImport(Glibc)
      _ = Glibc.close(number)
    #else
      _ = Darwin.close(number)
    #endif
  }

  enum Mode {
    /// For reading; a folder may be opened too.
    case read
    /// For reading, without waiting for the one who writes to a pipe.
    case input
    /// For reading and writing; made if it is missing.
    case write
    /// For writing; emptied, made if it is missing.
    case replace

    fileprivate var flags: Int32 {
      switch self {
      case .read: O_RDONLY
      case .input: O_RDONLY | O_NONBLOCK
      case .write: O_RDWR | O_CREAT
      case .replace: O_RDWR | O_CREAT | O_TRUNC
      }
    }
  }

  func status() throws(SystemError) -> FileStatus {
    var status = stat()
    try retrying { fstat(number, &status) }
    return FileStatus(status)
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
    guard buffer.count > 0 else { return 0 }
    #if canImport(Glibc)
      return try retrying { Glibc.read(number, buffer.baseAddress, buffer.count) }
    #else
      return try retrying { Darwin.read(number, buffer.baseAddress, buffer.count) }
    #endif
  }

  /// Writes all of the bytes.
  func write(_ bytes: UnsafeRawBufferPointer) throws(SystemError) {
    var rest = bytes
    while rest.count > 0 {
      #if canImport(Glibc)
        let written = try retrying { Glibc.write(number, rest.baseAddress, rest.count) }
      #else
        let written = try retrying { Darwin.write(number, rest.baseAddress, rest.count) }
      #endif
      rest = UnsafeRawBufferPointer(rebasing: rest[written...])
    }
  }

  func write(_ bytes: [UInt8]) throws(SystemError) {
    try bytes.withUnsafeBufferPointer { bytes throws(SystemError) in try write(UnsafeRawBufferPointer(bytes)) }
  }

  func seek(to offset: Int) throws(SystemError) { try retrying { lseek(number, off_t(offset), SEEK_SET) } }

  /// The offset at which the next byte is read or written; an error for a pipe.
  func offset() throws(SystemError) -> Int { Int(try retrying { lseek(number, 0, SEEK_CUR) }) }

  /// Becomes what the process reads as its standard input.
  func replaceStandardInput() throws(SystemError) { try retrying { dup2(number, 0) } }

  func truncate(to size: Int) throws(SystemError) { try retrying { ftruncate(number, off_t(size)) } }

  /// Waits until the system has the bytes on the disk.
  func sync() throws(SystemError) {
    #if canImport(Glibc)
      try retrying { fsync(number) }
    #else
      // fsync leaves the bytes in the drive's cache there.
      try retrying { fcntl(number, F_FULLFSYNC) }
    #endif
  }

  /// Lets reading wait for input again, where opening did not.
  func waitWhenReading() throws(SystemError) {
    let flags = try retrying { fcntl(number, F_GETFL) }
    try retrying { fcntl(number, F_SETFL, flags & ~O_NONBLOCK) }
  }

  /// Waits for input or the other side's end, at most a second: false if there is nothing yet.
  func waitForInput() -> Bool {
    var request = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
    return poll(&request, 1, 1000) > 0
  }

  /// Takes the lock of the whole file without waiting; false if another open file has it.
  func lock() throws(SystemError) -> Bool {
    do {
      try retrying { flock(number, LOCK_EX | LOCK_NB) }
      return true
    } catch  where error.code == EWOULDBLOCK {
      return false
    }
  }
}

/// What the system tells about a file.
struct FileStatus: Equatable {
  enum Kind { case regular, folder, other }
  let kind: Kind
  let identity: FileIdentity

  init(_ status: stat) {
    kind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .regular
      case S_IFDIR: .folder
      default: .other
      }
    #if canImport(Glibc)
      let modified = status.st_mtim
    #else
      let modified = status.st_mtimespec
    #endif
    identity = FileIdentity(
      size: Int(status.st_size), modified: modified.tv_sec &* 1_000_000_000 &+ Int(modified.tv_nsec),
      device: Int(truncatingIfNeeded: status.st_dev), inode: Int(truncatingIfNeeded: status.st_ino))
  }

  /// Whether both are of one file, under whatever name.
  func isSameFile(as other: FileStatus) -> Bool {
    identity.device == other.identity.device && identity.inode == other.identity.inode
  }

  /// The status of what a path leads to, links followed.
  init(_ path: String) throws(SystemError) {
    var status = stat()
    try retrying { stat(path, &status) }
    self.init(status)
  }
}
