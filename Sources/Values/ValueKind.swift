public import Diagnostics

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
  /// How many columns can make one value together, beside a single one. The default is none.
  static var columnCounts: Set<Int> { get }

  /// Makes the kind with the settings of one attribute; those that contradict each other are an error.
  init(_ settings: KindSettings) throws(Diagnostic)

  /// What a text must be, for messages: `a colour such as #ff8800`.
  var expectation: String { get }
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
  public static var columnCounts: Set<Int> { [] }

  /// Refuses several columns.
  public func content(columns: [UnsafeRawBufferPointer]) throws(TextTrouble) -> Content { throw .form }

  /// A text as it is stored in a form.
  package func stored(text: UnsafeRawBufferPointer, as form: StorageForm) throws(TextTrouble) -> Value {
    try stored(content(text), as: form)
  }

  /// Several columns as they are stored in a form.
  package func stored(columns: [UnsafeRawBufferPointer], as form: StorageForm) throws(TextTrouble) -> Value {
    try stored(content(columns: columns), as: form)
  }

  /// The text of what is stored in a form.
  package func text(stored: Value, as form: StorageForm) throws(TextTrouble) -> String {
    try text(content(stored: stored, as: form))
  }

  /// The default form for a type of shadow attribute.
  package static func defaultForm(in type: StorageForm.StoredType) -> StorageForm? {
    forms.first { $0.type == type }
  }
}

/// A form in which a shadow attribute keeps a value, by the name that `form` gives it.
public struct StorageForm: Hashable, Sendable {
  /// What an attribute must be to keep the form.
  public enum StoredType: Hashable, Sendable {
    /// Integer 16, 32 or 64.
    case integer
    /// String.
    case string
    /// Binary or Transformable.
    case data
  }

  /// The name.
  public let name: String
  /// What an attribute must be to keep it.
  public let type: StoredType

  /// Declares a form.
  public init(_ name: String, _ type: StoredType) {
    self.name = name
    self.type = type
  }

  /// The kind's text.
  public static let string = StorageForm("string", .string)
  /// A number.
  public static let integer = StorageForm("integer", .integer)
  /// A colour as `#rrggbbaa`, eight bits a component.
  public static let hex = StorageForm("hex", .string)
  /// A colour as a keyed archive of NSColor.
  public static let nscolor = StorageForm("nscolor", .data)
}

/// What a model or a mapping says about the kind of one attribute.
public struct KindSettings: Hashable, Sendable {
  /// The words of an enumeration with their numbers.
  public var cases: [String: Int64] = [:]
  /// The case that unknown words of an enumeration mean; nil refuses them.
  public var unknown: String?
  /// What the columns of a colour count up to.
  public var scale = ColourScale.bytes
  /// How numbers in columns are spelled.
  package var numbers = NumberFormat.plain

  /// Makes settings with the defaults.
  public init() {}
}
