import Diagnostics
import Foundation

/// A parser of dates that several threads may use at once.
final class SharedDateParser: @unchecked Sendable {
  private let lock = NSLock()
  private let parser: DateParser
  let expectation: String

  init(_ options: ConversionOptions) throws(Diagnostic) {
    parser = try DateParser(options)
    expectation = parser.expectation
  }

  /// The seconds since 2001 of a text.
  func seconds(_ text: UnsafeRawBufferPointer) throws(TextTrouble) -> Double {
    lock.lock()
    defer { lock.unlock() }
    return try parser.seconds(text)
  }
}
