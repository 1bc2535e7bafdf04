package import Diagnostics

/// A file that is written front to back, in blocks.
///
/// Its end can be taken back to an earlier offset, so that it agrees with what was committed elsewhere. What is neither
/// flushed nor synced when the writer goes is not in the file: call one of them where an error can still be told.
package final class FileWriter {
  /// Where it begins.
  package enum Start {
    /// With an empty file.
    case empty
    /// Behind what is there.
    case end
  }

  /// The file's path.
  package let path: String
  /// The offset at which the next byte goes: the size of the file once it is flushed.
  package private(set) var offset: Int
  private let descriptor: FileDescriptor
  private var buffer: [UInt8] = []
  private static let bufferSize = 1 << 16

  /// Opens a file; it is made if it is missing.
  package init(_ path: String, at start: Start = .empty) throws(Diagnostic) {
    self.path = path
    do throws(SystemError) {
      descriptor = try FileDescriptor(path, start == .empty ? .replace : .write)
      offset = start == .empty ? 0 : try descriptor.status().identity.size
      try descriptor.seek(to: offset)
    } catch {
      throw .environment("\(path) cannot be opened for writing", error, path: path)
    }
    buffer.reserveCapacity(Self.bufferSize)
  }

  /// Appends bytes.
  package func write(_ bytes: UnsafeRawBufferPointer) throws(Diagnostic) {
    try append(bytes)
  }

  /// Appends the UTF-8 of a text.
  package func write(_ text: String) throws(Diagnostic) {
    try append(text.utf8)
  }

  private func append(_ bytes: some Collection<UInt8>) throws(Diagnostic) {
    buffer.append(contentsOf: bytes)
    offset += bytes.count
    if buffer.count >= Self.bufferSize { try flush() }
  }

  /// Hands all bytes to the system.
  package func flush() throws(Diagnostic) {
    guard !buffer.isEmpty else { return }
    do throws(SystemError) {
      try descriptor.write(buffer)
    } catch {
      throw .environment("\(path) cannot be written", error, path: path)
    }
    buffer.removeAll(keepingCapacity: true)
  }

  /// Waits until all bytes are on the disk.
  package func sync() throws(Diagnostic) {
    try flush()
    do throws(SystemError) {
      try descriptor.sync()
    } catch {
      throw .environment("\(path) cannot be brought to the disk", error, path: path)
    }
  }

  /// Takes back what lies behind an offset; the next byte goes there.
  package func truncate(to offset: Int) throws(Diagnostic) {
    try flush()
    do throws(SystemError) {
      try descriptor.truncate(to: offset)
      try descriptor.seek(to: offset)
    } catch {
      throw .environment("\(path) cannot be cut to \(offset) bytes", error, path: path)
    }
    self.offset = offset
  }
}
