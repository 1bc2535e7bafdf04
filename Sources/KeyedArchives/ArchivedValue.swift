package import Foundation

/// What an archive of plain classes says: collections, texts, numbers, and the values that apps keep in transformable
/// attributes.
///
/// No class is ever instantiated: an object of a class that is not known here is known by its name, and its bytes stay what
/// they are.
package indirect enum ArchivedValue: Hashable, Sendable {
  /// A key of a dictionary and its value, in the order of the archive.
  package struct Entry: Hashable, Sendable {
    package var key: ArchivedValue
    package var value: ArchivedValue

    package init(_ key: ArchivedValue, _ value: ArchivedValue) {
      self.key = key
      self.value = value
    }
  }

  /// What an NSValue holds in Apple's string form.
  package enum Geometry: Int64, Hashable, Sendable {
    case point = 1
    case size = 2
    case rect = 3
  }

  /// NSNull, or no object.
  case null
  case string(String)
  case integer(Int64)
  case real(Double)
  case boolean(Bool)
  case decimal(Decimal)
  case date(Date)
  case data(Data)
  /// NSURL, by the text of the whole URL.
  case url(String)
  case uuid(UUID)
  case array([ArchivedValue])
  case set([ArchivedValue])
  case dictionary([Entry])
  case geometry(Geometry, String)
  case range(location: Int64, length: Int64)
  case colour(ArchivedColour)
  /// An object of another class.
  case other(className: String)
}
