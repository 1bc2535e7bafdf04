/// A form in which a shadow attribute keeps a value, by the name that `form` gives it.
public struct StorageForm: Hashable, Sendable {
  /// What an attribute must be to keep the form.
  public enum StoredType: Hashable, Sendable {
    /// Integer 16, 32 or 64.
    case integer
    /// Double or Float.
    case real
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
  /// A number that may have a fraction.
  public static let real = StorageForm("real", .real)
  /// A JSON text.
  public static let json = StorageForm("json", .string)
  /// A colour as `#rrggbbaa`, eight bits a component, in RGB; `#aarrggbb` if `hexAlpha` says so.
  public static let hex = StorageForm("hex", .string)
  /// A colour as a keyed archive of NSColor.
  public static let nscolor = StorageForm("nscolor", .data)
  /// A colour as a keyed archive of UIColor; a CMYK colour in RGB, since UIColor has none.
  public static let uicolor = StorageForm("uicolor", .data)
  /// A point, size, rectangle or range as a keyed archive of NSValue.
  public static let nsvalue = StorageForm("nsvalue", .data)
  /// A keyed archive of the plain class of the value: NSDictionary, NSArray, NSString, NSNumber, NSDate, NSData, NSURL, NSUUID.
  public static let archive = StorageForm("archive", .data)
  /// The bytes themselves.
  public static let bytes = StorageForm("bytes", .data)

  /// What a value transformer makes: the form `transformer:NAME`.
  public static func transformer(_ name: String) -> StorageForm { StorageForm(transformerPrefix + name, .data) }

  static let transformerPrefix = "transformer:"

  /// The name of the value transformer, if it is one's form.
  package var transformerName: String? {
    name.hasPrefix(Self.transformerPrefix) ? String(name.dropFirst(Self.transformerPrefix.count)) : nil
  }
}
