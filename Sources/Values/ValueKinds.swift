import Foundation

/// The kinds of value by name: those of the package, and those that a program registers before it runs a pipeline.
public enum ValueKinds {
  // A new kind of the package has its place here, in a file `NameKind.swift`, and in the table of the tests.
  private static let own: [any ValueKind.Type] = [
    ColourKind.self, PointKind.self, SizeKind.self, RectKind.self, RangeKind.self, EdgeInsetsKind.self,
    AffineTransformKind.self, EnumKind.self, OptionSetKind.self, URLKind.self, UUIDKind.self, BinaryKind.self,
    MeasurementKind.self, TimeOfDayKind.self, JSONKind.self, StringKind.self, NumberKind.self, BooleanKind.self,
    DateKind.self,
  ]
  private static let lock = NSLock()
  nonisolated(unsafe) private static var byName: [String: any ValueKind.Type] =
    Dictionary(own.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })

  /// Makes a kind known by its name; one of the same name is replaced.
  public static func register(_ kind: any ValueKind.Type) {
    lock.withLock { byName[kind.name] = kind }
  }

  /// The names of all kinds, sorted.
  public static var names: [String] { lock.withLock { byName.keys.sorted() } }

  /// The kind of a name; nil if there is none.
  package static func named(_ name: String) -> (any ValueKind.Type)? { lock.withLock { byName[name] } }
}
