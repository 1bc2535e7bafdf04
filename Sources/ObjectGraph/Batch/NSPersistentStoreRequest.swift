/// What a context asks of its stores beside reading and saving objects.
///
/// Source: Apple, Core Data, `NSPersistentStoreRequest`.
open class NSPersistentStoreRequest {
  /// The stores that are asked; nil, the default, for all that keep the request's entity.
  public var affectedStores: [NSPersistentStore]?

  init() {}
}

/// What a request gave.
///
/// Source: Apple, Core Data, `NSPersistentStoreResult`.
open class NSPersistentStoreResult {
  init() {}
}
