public import Diagnostics

/// The bytes of a file or of standard input.
///
/// A file that changes while it is read is an error: a run must not commit half of one version and half of another.
public final class FileSource: ByteSource {
  /// The name of the input for messages.
  public let file: String
  /// What the file was when it was opened; nil for standard input, a pipe or a device.
  public let identity: FileIdentity?
  private let descriptor: FileDescriptor
  private var offset = 0

  /// Opens a file.
  ///
  /// - Parameter path: the path as the user named it; `-` is standard input.
  public init(_ path: String) throws(Diagnostic) {
    file = path
    let status: FileStatus
    do throws(SystemError) {
      // A pipe is waited for where a stop is heeded: in reading.
      descriptor = path == "-" ? .standardInput : try FileDescriptor(path, .input)
      status = try descriptor.status()
      if path != "-" { try descriptor.waitWhenReading() }
    } catch {
      throw .inputOpening(path, error)
    }
    guard status.kind != .folder else { throw .inputFolder(path) }
    identity = path != "-" && status.kind == .regular ? status.identity : nil
  }

  /// The bytes read, and the size of a regular file.
  public var progress: (read: Int, total: Int?) { (offset, identity?.size) }

  /// Fills the buffer, in part or in full; 0 at the end.
  public func read(into buffer: UnsafeMutableRawBufferPointer) throws(Diagnostic) -> Int {
    precondition(buffer.count > 0, "a buffer without room would be taken for the end")
    if identity == nil { try waitForInput() }
    let count: Int
    do throws(SystemError) {
      count = try descriptor.read(into: buffer)
    } catch {
      throw .inputReading(file, error)
    }
    offset += count
    if count == 0 { try checkUnchanged() }
    return count
  }

  /// Goes to an offset of a regular file; others cannot.
  public func seek(to offset: Int) throws(Diagnostic) -> Bool {
    guard let identity else { return false }
    guard (0...identity.size).contains(offset) else { throw .inputTooShort(file, offset: offset, size: identity.size) }
    do throws(SystemError) {
      try descriptor.seek(to: offset)
    } catch {
      throw .inputReading(file, error)
    }
    self.offset = offset
    return true
  }

  /// A pipe may give nothing for hours: a stop must not wait for it.
  private func waitForInput() throws(Diagnostic) {
    while !descriptor.waitForInput() {
      if StopSignals.received != nil { throw .inputStopped(file) }
    }
  }

  private func checkUnchanged() throws(Diagnostic) {
    guard let identity else { return }
    let now: FileIdentity
    do throws(SystemError) {
      now = try descriptor.status().identity
    } catch {
      throw .inputReading(file, error)
    }
    guard now == identity, offset == identity.size else {
      throw .inputChanged(file, sizeAtStart: identity.size, sizeNow: now.size)
    }
  }
}
