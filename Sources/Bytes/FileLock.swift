#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif
package import Diagnostics

/// The right to write a store, for one process at a time.
///
/// The lock is held on a file `STORE.lock` beside the store and ends with the process, however that ends; a file that a
/// killed process left behind locks nothing.
package final class FileLock {
  /// The file that is locked.
  package let path: String
  private let descriptor: FileDescriptor
  private var isHeld = true

  /// Takes the lock of a store, without waiting.
  ///
  /// - Throws: `store.locked` if another process, or another owner in this one, has it.
  package init(store: String) throws(Diagnostic) {
    // Two names of one store must lead to one lock.
    path = FileSystem.resolved(store) + ".lock"
    while true {
      let descriptor: FileDescriptor
      let isLocked: Bool
      do throws(SystemError) {
        descriptor = try FileDescriptor(path, .write)
        isLocked = try descriptor.lock()
      } catch {
        throw .environment("the lock file \(path) cannot be made", error, path: path)
      }
      guard isLocked else { throw .storeLocked(store, lock: path, holder: Holder(writtenIn: path)) }
      // The holder before removes the file and lets go of it then: what we locked may have no name any more.
      if let named = try? FileStatus(path), let opened = try? descriptor.status(), named.isSameFile(as: opened) {
        self.descriptor = descriptor
        break
      }
    }
    do throws(SystemError) {
      try descriptor.truncate(to: 0)
      try descriptor.write(Array(Holder.me.text.utf8))
    } catch {
      throw .environment("the lock file \(path) cannot be written", error, path: path)
    }
  }

  deinit { release() }

  /// Lets go of the lock and removes its file.
  package func release() {
    guard isHeld else { return }
    isHeld = false
    unlink(path)
    descriptor.close()
  }
}

/// Who holds a lock, as written in its file: the number of the process, and the second since 1970 when it began.
struct Holder {
  var process: Int
  var start: Int

  static var me: Holder { Holder(process: Int(getpid()), start: time(nil)) }

  init(process: Int, start: Int) {
    self.process = process
    self.start = start
  }

  /// The holder that a lock file names; nil in the moment before it has written its name.
  init?(writtenIn path: String) {
    var bytes = [UInt8](repeating: 0, count: 64)
    guard let descriptor = try? FileDescriptor(path, .read),
      let count = try? bytes.withUnsafeMutableBytes({ try descriptor.read(into: $0) })
    else { return nil }
    let numbers = String(decoding: bytes[..<count], as: UTF8.self).split(whereSeparator: \.isWhitespace).map { Int($0) }
    guard numbers.count == 2, let process = numbers[0], let start = numbers[1] else { return nil }
    self.init(process: process, start: start)
  }

  var text: String { "\(process)\n\(start)\n" }

  /// The seconds since it began.
  var age: Int { max(time(nil) - start, 0) }
}
