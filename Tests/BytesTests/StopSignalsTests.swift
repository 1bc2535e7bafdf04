import Diagnostics
import Foundation
import TestSupport
import Testing

@testable import Bytes

/// Each in a process of its own: signals are of the whole process, where other tests run.
@Suite struct StopSignalsTests {
  /// Sends this process a signal and waits until it is noted, or half a second.
  static func send(_ number: Int32) {
    kill(getpid(), number)
    for _ in 0..<50 where StopSignals.received == nil { usleep(10_000) }
  }

  @Test func interrupt() async {
    await #expect(processExitsWith: .exitCode(130)) {
      StopSignals.install()
      StopSignals.hold()
      Self.send(SIGINT)
      exit(StopSignals.received?.exitCode ?? 1)
    }
  }

  @Test func terminate() async {
    await #expect(processExitsWith: .exitCode(143)) {
      StopSignals.install()
      StopSignals.hold()
      guard StopSignals.received == nil else { exit(1) }
      Self.send(SIGTERM)
      exit(StopSignals.received?.exitCode ?? 1)
    }
  }

  /// While nothing is open, nothing has to be looked at.
  @Test func endsAtOnceBeforeAnythingIsOpen() async {
    let end = await #expect(processExitsWith: .exitCode(143), observing: [\.standardErrorContent]) {
      StopSignals.install()
      kill(getpid(), SIGTERM)
      sleep(5)
    }
    let said = String(decoding: end?.standardErrorContent ?? [], as: UTF8.self)
    #expect(said.contains("stopped before anything was written"))
  }

  @Test func secondEndsTheProcess() async {
    await #expect(processExitsWith: .exitCode(143)) {
      StopSignals.install()
      StopSignals.hold()
      Self.send(SIGINT)
      kill(getpid(), SIGTERM)
      sleep(5)
    }
  }

  @Test func ignoredStaysIgnored() async {
    await #expect(processExitsWith: .exitCode(7)) {
      signal(SIGINT, SIG_IGN)
      StopSignals.install()
      Self.send(SIGINT)
      exit(StopSignals.received == nil ? 7 : 1)
    }
  }

  /// A stop does not wait for a pipe that nobody writes to.
  @Test func endsWaitingForInput() async {
    await #expect(processExitsWith: .exitCode(7)) {
      StopSignals.install()
      StopSignals.hold()
      let folder = try TemporaryFolder()
      let path = folder.path("pipe")
      guard mkfifo(path, 0o600) == 0 else { exit(1) }
      let source = try FileSource(path)
      Self.send(SIGTERM)
      let message = trouble { _ = try readAll(source) }
      try FileManager.default.removeItem(at: folder.url)
      exit(message.hasPrefix("\(path): stopped while waiting for input [input.stopped]") ? 7 : 1)
    }
  }

  @Test func numbers() {
    #expect(StopSignals.Signal.interrupt.rawValue == SIGINT)
    #expect(StopSignals.Signal.terminate.rawValue == SIGTERM)
    #expect(StopSignals.Signal.terminate.name == "SIGTERM")
    #expect(StopSignals.Signal.interrupt.name == "SIGINT")
  }
}

@Suite struct TerminalTests {
  /// Where the tests' output is no terminal, there is no width.
  @Test func width() {
    for stream in [Terminal.Stream.input, .output, .error] where !Terminal.isTerminal(stream) {
      #expect(Terminal.width(stream) == nil)
    }
  }
}
