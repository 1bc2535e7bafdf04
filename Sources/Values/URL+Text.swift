package import Foundation

extension URL {
  /// Reads a URI reference that is kept as it is written.
  ///
  /// Only the characters of RFC 3986 are taken: for others Foundation would keep another text than the one that was read.
  package init(text bytes: UnsafeRawBufferPointer) throws(TextTrouble) {
    var index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "%") {
        guard index + 2 < bytes.count, bytes[index + 1].hexadecimalValue != nil,
          bytes[index + 2].hexadecimalValue != nil
        else { throw .form }
      } else if !Self.characters[Int(bytes[index])] {
        throw .form
      }
      index += 1
    }
    let text = String(decoding: bytes, as: UTF8.self)
    guard let url = URL(string: text), url.absoluteString == text else { throw .form }
    self = url
  }

  /// Whether a byte may stand in a URI.
  private static let characters: [Bool] = {
    var characters = [Bool](repeating: false, count: 256)
    let letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
    for byte in (letters + "-._~:/?#[]@!$&'()*+,;=%").utf8 { characters[Int(byte)] = true }
    return characters
  }()
}
