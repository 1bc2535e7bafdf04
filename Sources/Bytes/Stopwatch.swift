/// How long something takes, by a clock that nobody turns.
package struct Stopwatch: Sendable {
  private let start = ContinuousClock.now

  /// Starts to count.
  package init() {}

  /// The seconds since the start.
  package var seconds: Double { (ContinuousClock.now - start) / .seconds(1) }
}
