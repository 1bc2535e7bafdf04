#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The wish to stop, sent from outside: SIGINT from a terminal, SIGTERM from a system that shuts down.
///
/// Until something is open that a stop must take back, a signal ends the process at once, whatever it is waiting for. From
/// `hold()` on the first signal is noted, and the run ends in good order where it looks at `received`; the second ends the
/// process at once.
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

  /// What a process says that is ended before anything was open.
  package static let farewell: StaticString =
    "gantry: stopped before anything was written. Run the same command again to begin anew.\n"

  /// Lets the signals end the process, with a word, and lets those that are about writing be errors of the calls that write.
  /// One that the process was told to ignore (by `nohup`, or in the background of a shell
  /// script) stays ignored.
  package static func install() {
    _ = state  // The memory that the handler writes to is there before the handler is.
    for number in [Signal.interrupt.rawValue, Signal.terminate.rawValue] {
      let before = signal(number, handleStopSignal)
      if unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) { _ = signal(number, SIG_IGN) }
    }
    // Programs that start others from a thread of their own hand on that thread's mask, in which these may be blocked.
    var signals = sigset_t()
    sigemptyset(&signals)
    for signal in [Signal.interrupt, .terminate] { sigaddset(&signals, signal.rawValue) }
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    // Output that nobody reads any more is an error of the call that writes, not an end without a word.
    _ = signal(SIGPIPE, SIG_IGN)
    ignoreFileSizeLimit()
  }

  /// Lets a file beyond the allowed size be an error of the call that writes, not an end without a word.
  package static func ignoreFileSizeLimit() { _ = signal(SIGXFSZ, SIG_IGN) }

  /// From here on the first signal is noted: whoever calls this looks at `received`, and takes back what is open.
  package static func hold() { state.pointee.isHeld = 1 }

  /// The first signal that came since `hold`.
  package static var received: Signal? { Signal(rawValue: Int32(state.pointee.received)) }
}

/// What the handler and the program tell each other. `sig_atomic_t` is what C promises to be whole in a handler; the memory is
/// outside of Swift's rules of exclusive access, and all that is done between two looks at it (reading, saving) are calls into
/// the system.
private struct StopState {
  /// Whether something is open that a stop must take back.
  var isHeld: sig_atomic_t = 0
  /// The number of the first signal.
  var received: sig_atomic_t = 0
}

private nonisolated(unsafe) let state: UnsafeMutablePointer<StopState> = {
  let pointer = UnsafeMutablePointer<StopState>.allocate(capacity: 1)
  pointer.initialize(to: StopState())
  return pointer
}()

private func handleStopSignal(_ number: Int32) {
  if state.pointee.isHeld == 0 {
    _ = write(2, StopSignals.farewell.utf8Start, StopSignals.farewell.utf8CodeUnitCount)
    _exit(128 + number)
  }
  if state.pointee.received != 0 { _exit(128 + number) }
  state.pointee.received = sig_atomic_t(number)
}
