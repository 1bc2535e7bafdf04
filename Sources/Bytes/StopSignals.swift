#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The wish to stop, sent from outside: SIGINT from a terminal, SIGTERM from a system that shuts down.
///
/// The first signal is noted, and the run ends in good order where it looks at `received`; the second ends the process at once.
package enum StopSignals {
  /// A signal that asks to stop.
  package enum Signal: Int32, Sendable {
    case interrupt = 2
    case terminate = 15

    /// Its name, for messages.
    package var name: String { self == .interrupt ? "SIGINT" : "SIGTERM" }
    /// The exit code by which a shell knows it: 130, 143.
    package var exitCode: Int32 { 128 + rawValue }
  }

  /// Begins to note the signals, and lets those that are about writing be errors of the calls that write.
  /// One that the process was told to ignore (by `nohup`, or in the background of a shell
  /// script) stays ignored.
  package static func install() {
    _ = received  // The memory that the handler writes to is there before the handler is.
    for number in [Signal.interrupt.rawValue, Signal.terminate.rawValue] {
      let before = signal(number, handleStopSignal)
      if unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) { _ = signal(number, SIG_IGN) }
    }
    // Programs that start others from a thread of their own hand on that thread's mask, in which these may be blocked.
    var signals = sigset_t()
    sigemptyset(&signals)
    for signal in [Signal.interrupt, .terminate] { sigaddset(&signals, signal.rawValue) }
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    // Output that nobody reads any more and a file beyond the allowed size are errors of the calls that write, not an end
    // without a word.
    for number in [SIGPIPE, SIGXFSZ] { _ = signal(number, SIG_IGN) }
  }

  /// The first signal that came since `install`.
  package static var received: Signal? { Signal(rawValue: Int32(receivedSignal.pointee)) }
}

/// The number of the first signal. `sig_atomic_t` is what C promises to be whole in a handler; the memory is outside of Swift's
/// rules of exclusive access, and all that is done between two looks at it (reading, saving) are calls into the system.
private nonisolated(unsafe) let receivedSignal: UnsafeMutablePointer<sig_atomic_t> = {
  let pointer = UnsafeMutablePointer<sig_atomic_t>.allocate(capacity: 1)
  pointer.initialize(to: 0)
  return pointer
}()

private func handleStopSignal(_ number: Int32) {
  if receivedSignal.pointee != 0 { _exit(128 + number) }
  receivedSignal.pointee = sig_atomic_t(number)
}
