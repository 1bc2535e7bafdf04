public import Foundation

/// Turns values into the bytes that a transformable attribute keeps, and back, by the name that the model gives
/// (`valueTransformerName`) or a form (`transformer:NAME`).
public protocol StoredValueTransformer: Sendable {
  /// The name.
  static var name: String { get }
  /// The bytes of a value: a `Colour`, a `CGRect`, an `Int64`, as the attribute's kind has it.
  func data(_ value: any Sendable) throws -> Data
  /// The value of bytes, of the type that the attribute's kind has.
  func value(_ data: Data) throws -> any Sendable
}

/// The value transformers that a program registers before it runs a pipeline.
public enum ValueTransformers {
  private static let lock = NSLock()
  nonisolated(unsafe) private static var byName: [String: any StoredValueTransformer] = [:]

  /// Makes a transformer known by its name; one of the same name is replaced.
  public static func register<Transformer: StoredValueTransformer>(_ transformer: Transformer) {
    lock.withLock { byName[Transformer.name] = transformer }
  }

  /// The names, sorted.
  public static var names: [String] { lock.withLock { byName.keys.sorted() } }

  package static func named(_ name: String) -> (any StoredValueTransformer)? { lock.withLock { byName[name] } }

  /// Whether a transformer of Apple's keeps values as keyed archives.
  package static func isArchive(_ name: String) -> Bool {
    [
      "NSSecureUnarchiveFromData", "NSSecureUnarchiveFromDataTransformer", "NSSecureUnarchiveFromDataTransformerName",
      "NSKeyedUnarchiveFromData", "NSKeyedUnarchiveFromDataTransformerName", "NSUnarchiveFromData",
    ].contains(name)
  }
}
