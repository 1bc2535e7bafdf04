import Foundation

/// The values of attributes that allow external storage: a prefix byte, and the bytes or the name of a file beside the store.
struct ExternalFiles: Sendable {
  /// What a stored value begins with.
  private enum Prefix {
    static let inline: UInt8 = 1
    static let file: UInt8 = 2
  }

  /// `.NAME_SUPPORT/_EXTERNAL_DATA` beside the store.
  let folder: URL

  init(store: URL) {
    let name = store.deletingPathExtension().lastPathComponent
    folder = store.deletingLastPathComponent().appendingPathComponent(".\(name)_SUPPORT/_EXTERNAL_DATA")
  }

  /// The stored form of a value; in the row, which is valid for any size.
  func encode(_ data: Data) -> Data { [Prefix.inline] + data }

  /// The value of a stored form; nil if it is none, or names a file that is not there.
  func decode(_ stored: Data) -> Data? {
    switch stored.first {
    case Prefix.inline?: Data(stored.dropFirst())
    case Prefix.file?: file(of: stored).flatMap { try? Data(contentsOf: $0) }
    default: nil
    }
  }

  /// The file that a stored form names: a UUID in text and a zero byte.
  func file(of stored: Data) -> URL? {
    guard stored.first == Prefix.file, stored.count == 38, stored.last == 0,
      let uuid = UUID(uuidString: String(decoding: stored.dropFirst().dropLast(), as: UTF8.self))
    else { return nil }
    return folder.appendingPathComponent(uuid.uuidString)
  }
}
