import Diagnostics
import Foundation
import TestSupport
import Testing

@testable import Bytes

@Suite struct FileLockTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func oneAtATime() throws {
    let store = folder.path("s.sqlite")
    let first = try FileLock(store: store)
    #expect(first.path == FileSystem.resolved(store) + ".lock")
    #expect(
      trouble { _ = try FileLock(store: store) } == """
        another run holds the lock of \(store) (process \(getpid()), for 0 s) [store.locked]
          Wait for its end and start again. The lock is on \(first.path) and ends with its process: do not remove the file.
        """)
    #expect(Diagnostic.Code.storeLocked.fate == .locked)
    first.release()
    #expect(!FileSystem.exists(first.path))
    let second = try FileLock(store: store)
    first.release()
    #expect(FileSystem.exists(second.path), "who let go before does not let go again")
  }

  @Test func endsWithItsOwner() throws {
    let store = folder.path("s.sqlite")
    do { _ = try FileLock(store: store) }
    _ = try FileLock(store: store)
    #expect(!FileSystem.exists(store + ".lock"))
  }

  /// One store by two names has one lock.
  @Test func throughALink() throws {
    let store = try folder.write("", to: "s.sqlite")
    let link = folder.path("link.sqlite")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: store)
    let lock = try FileLock(store: store)
    #expect(trouble { _ = try FileLock(store: link) }.contains("[store.locked]"))
    lock.release()
  }

  /// A killed process leaves its file, and that locks nothing.
  @Test func leftBehind() throws {
    let store = folder.path("s.sqlite")
    try folder.write("4711\n1\n and more than the next holder writes\n", to: "s.sqlite.lock")
    let lock = try FileLock(store: store)
    #expect(Holder(writtenIn: lock.path)?.process == Int(getpid()))
    #expect(try String(contentsOfFile: lock.path, encoding: .utf8).split(separator: "\n").count == 2)
  }

  @Test func holderIsUnknownAtFirst() throws {
    for text in ["", "x", "4711", "4711 x", "1 2 3"] {
      #expect(Holder(writtenIn: try folder.write(text, to: "lock")) == nil)
    }
    #expect(
      "\(Diagnostic.storeLocked("s", lock: "s.lock", holder: nil))".hasPrefix(
        "another run holds the lock of s (a process that just began) [store.locked]"))
  }

  @Test func noFolder() {
    let store = folder.path("none/s.sqlite")
    #expect(
      trouble { _ = try FileLock(store: store) } == """
        there is no folder \(folder.path("none")) [environment.folder]
          Make it, e.g. with `mkdir -p`, or name another.
        """)
  }

  @Test(.enabled(if: getuid() != 0, "root may write everywhere")) func denied() throws {
    chmod(folder.url.path, 0o500)
    defer { chmod(folder.url.path, 0o700) }
    #expect(trouble { _ = try FileLock(store: folder.path("s.sqlite")) }.contains("[environment.permission]"))
  }

  /// Another process's lock is seen here, and ends when that process is killed.
  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3"), "python3 is not installed"))
  func ofAnotherProcess() throws {
    let store = folder.path("s.sqlite")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    let program = """
      import fcntl, os, sys, time
      f = open(sys.argv[1], "w")
      fcntl.flock(f, fcntl.LOCK_EX)
      f.write("%d\\n%d\\n" % (os.getpid(), time.time() - 60))
      f.flush()
      print("locked", flush=True)
      time.sleep(60)
      """
    process.arguments = ["-c", program, store + ".lock"]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    _ = output.fileHandleForReading.availableData
    let message = trouble { _ = try FileLock(store: store) }
    #expect(message.contains("(process \(process.processIdentifier), for 6"))
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    _ = try FileLock(store: store)
  }

  /// Many take and let go of one lock: never two at a time, and each gets it.
  @Test func race() async throws {
    let store = folder.path("s.sqlite")
    let counter = Counter()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          var taken = 0
          while taken < 50 {
            guard let lock = try? FileLock(store: store) else { continue }
            counter.enter()
            counter.leave()
            taken += 1
            lock.release()
          }
        }
      }
    }
    #expect(counter.total == 200)
    #expect(counter.most == 1)
  }

  private final class Counter: @unchecked Sendable {
    private let lock = NSLock()
    private var inside = 0
    private(set) var most = 0
    private(set) var total = 0

    func enter() {
      lock.withLock {
        inside += 1
        total += 1
        most = max(most, inside)
      }
    }

    func leave() { lock.withLock { inside -= 1 } }
  }
}
