package import Foundation

/// A node of a property list, with the references (`uid`) of keyed archives, which Foundation hides.
package enum PropertyList: Hashable, Sendable {
  /// A key of a dictionary and its value.
  package struct Entry: Hashable, Sendable {
    package var key: String
    package var value: PropertyList

    package init(_ key: String, _ value: PropertyList) {
      self.key = key
      self.value = value
    }
  }

  case null
  case boolean(Bool)
  case integer(Int64)
  case real(Double)
  case date(Date)
  case data(Data)
  case string(String)
  /// A reference to an object of the archive.
  case uid(UInt32)
  case array([PropertyList])
  /// The entries in the order of the file: what is written is what was read.
  case dictionary([Entry])

  /// The value of a dictionary's key; nil for another node.
  package subscript(key: String) -> PropertyList? {
    guard case .dictionary(let entries) = self else { return nil }
    return entries.first { $0.key == key }?.value
  }

  /// The same node with the entries of all dictionaries in the order of their keys, so that equal ones are written alike.
  package var sortedByKey: PropertyList {
    switch self {
    case .array(let items): .array(items.map(\.sortedByKey))
    case .dictionary(let entries):
      .dictionary(entries.map { Entry($0.key, $0.value.sortedByKey) }.sorted { $0.key < $1.key })
    default: self
    }
  }
}
