#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What is at the other end of the process's standard streams.
package enum Terminal {
  /// A standard stream.
  package enum Stream: Int32, Sendable {
    case input = 0
    case output = 1
    case error = 2
  }

  /// Whether it is a terminal, where a person looks on.
  package static func isTerminal(_ stream: Stream) -> Bool { isatty(stream.rawValue) == 1 }

  /// The columns of the terminal; nil if it is none.
  package static func width(_ stream: Stream) -> Int? {
    var size = winsize()
    guard ioctl(stream.rawValue, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }
}
