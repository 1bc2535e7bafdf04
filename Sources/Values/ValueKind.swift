public import Diagnostics
import Foundation

/// A kind of value that Core Data has no type for, and that a shadow attribute keeps in a storage form: colours, rectangles,
/// enumerations.
///
/// A kind of your own is one type that conforms, and is registered by name: `ValueKinds.register(Temperature.self)`.
public protocol ValueKind: Sendable {
  /// The value itself, as code uses it.
  associatedtype Content: Hashable, Sendable

  /// The name that a model's `userInfo` or a pipeline uses: `kind: "color"`.
  static var name: String { get }
  /// The forms in which the value can be stored; for each type of shadow attribute the first one is the default.
  static var forms: [StorageForm] { get }

  /// Makes the kind with the settings of one attribute; those that contradict each other are an error.
  init(_ settings: KindSettings) throws(Diagnostic)

  /// How many columns can make one value together, beside a single one. The default is none.
  var columnCounts: Set<Int> { get }
  /// What a text must be, for messages: `a colour such as #ff8800`.
  var expectation: String { get }
  /// Whether the settings serve for a form; if not, what is missing is thrown. The default is that they do.
  func check(_ form: StorageForm) throws(Diagnostic)
  /// Reads the value of a text in UTF-8; all of it must be understood.
  func content(_ text: UnsafeRawBufferPointer) throws(TextTrouble) -> Content
  /// Reads the value of several columns, as many as `columnCounts` allows. The default refuses them.
  func content(columns: [UnsafeRawBufferPointer]) throws(TextTrouble) -> Content
  /// The text of a value, which reads as the same value again.
  func text(_ content: Content) -> String
  /// The value in a storage form, which is one of `forms`.
  func stored(_ content: Content, as form: StorageForm) throws(TextTrouble) -> Value
  /// The value of what is stored in a form.
  func content(stored: Value, as form: StorageForm) throws(TextTrouble) -> Content
}

extension ValueKind {
  /// None.
  public var columnCounts: Set<Int> { [] }

  /// They do.
  public func check(_ form: StorageForm) throws(Diagnostic) {}

  /// Refuses several columns.
  public func content(columns: [UnsafeRawBufferPointer]) throws(TextTrouble) -> Content { throw .form }

  /// The text of what is stored in a form.
  package func text(stored: Value, as form: StorageForm) throws(TextTrouble) -> String {
    try text(content(stored: stored, as: form))
  }
}

/// A kind that gives what it stores, a text or bytes, without a value in between: of those there may be millions.
package protocol DirectValueKind: ValueKind {
  /// Calls a function with what is stored for a value; it is good until the function returns.
  func withStored<Result>(
    _ content: Content, as form: StorageForm, _ body: (UnsafeRawBufferPointer) -> Result
  ) throws(TextTrouble) -> Result
}

extension DirectValueKind {
  package func stored(_ content: Content, as form: StorageForm) throws(TextTrouble) -> Value {
    try withStored(content, as: form) { bytes in
      form.type == .string ? .string(String(decoding: bytes, as: UTF8.self)) : .data(Data(bytes))
    }
  }
}

/// What a model or a mapping says about the kind of one attribute.
public struct KindSettings: Hashable, Sendable {
  /// The words of an enumeration with their numbers.
  public var cases: [String: Int64] = [:]
  /// The case that unknown words of an enumeration mean; nil refuses them.
  public var unknown: String?
  /// How texts are read.
  public var options = ConversionOptions()
  /// The folder of files that texts name.
  package var folder = "."

  /// Makes settings with the defaults.
  public init() {}
}
