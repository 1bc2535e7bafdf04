import Dispatch
import Foundation

extension NSManagedObjectContext {
  /// When a block that is performed asynchronously is run.
  public enum ScheduledTaskType: Sendable {
    /// At once if the caller is on the context's queue already.
    case immediate
    /// Behind what the queue has to do.
    case enqueued
  }

  /// Runs a block on the context's queue and waits for it; blocks may be nested. Pending changes are not processed.
  public func performAndWait<T, E: Error>(_ block: () throws(E) -> T) throws(E) -> T {
    if isOnQueue { return try block() }
    // The queue's own `sync` rethrows any error; this way the error keeps its type.
    return try queue.sync { () -> Result<T, E> in
      do throws(E) { return .success(try block()) } catch { return .failure(error) }
    }.get()
  }

  /// Runs a block on the context's queue, later, and then processes the pending changes.
  public func perform(_ block: @escaping @Sendable () -> Void) {
    queue.async { [self] in
      block()
      processPendingChanges()
    }
  }

  /// Runs a block on the context's queue, then processes the pending changes, and gives back what the block gives.
  public func perform<T: Sendable, E: Error>(
    schedule: ScheduledTaskType = .immediate, _ block: @escaping @Sendable () throws(E) -> T
  ) async throws(E) -> T {
    let result = await withCheckedContinuation { (continuation: CheckedContinuation<Result<T, E>, Never>) in
      let run: @Sendable () -> Void = { [self] in
        let result: Result<T, E>
        do throws(E) { result = .success(try block()) } catch { result = .failure(error) }
        processPendingChanges()
        continuation.resume(returning: result)
      }
      if schedule == .immediate && isOnQueue { run() } else { queue.async(execute: run) }
    }
    return try result.get()
  }

  private static let queueKey = DispatchSpecificKey<ObjectIdentifier>()

  static func ownQueue() -> DispatchQueue {
    let queue = DispatchQueue(label: "gantry.context")
    queue.setSpecific(key: queueKey, value: ObjectIdentifier(queue))
    return queue
  }

  private var isOnQueue: Bool {
    concurrencyType == .mainQueue
      ? Thread.isMainThread : DispatchQueue.getSpecific(key: Self.queueKey) == ObjectIdentifier(queue)
  }
}

/// The older name of `NSManagedObjectContext.ConcurrencyType`.
public typealias NSManagedObjectContextConcurrencyType = NSManagedObjectContext.ConcurrencyType
