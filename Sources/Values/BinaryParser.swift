import Bytes
import Foundation

/// Reads bytes that a text spells, or the file that it names.
package struct BinaryParser: Hashable, Sendable {
  /// The largest file that is taken: SQLite keeps no larger value.
  private static let largestFile = 1_000_000_000

  private let form: BinaryForm
  /// The folder of the files.
  private let folder: String

  /// - Parameter folder: the folder that names of files are relative to.
  package init(_ options: ConversionOptions, folder: String = ".") {
    form = options.binary ?? .base64
    self.folder = folder
  }

  package var expectation: String {
    switch form {
    case .base64: "base64"
    case .hex: "pairs of hexadecimal digits"
    case .file: "the name of a file in the input's folder"
    }
  }

  /// The bytes of a text, or of the file that it names.
  package func bytes(_ text: UnsafeRawBufferPointer) throws(TextTrouble) -> [UInt8] {
    form == .file ? try content(ofFile: String(decoding: text, as: UTF8.self)) : try spelled(text)
  }

  /// The bytes of a text.
  func spelled(_ text: UnsafeRawBufferPointer) throws(TextTrouble) -> [UInt8] {
    var bytes: [UInt8] = []
    let isRight =
      form == .hex
      ? Hex.decode(text, into: &bytes) : Base64.decode(text, into: &bytes, skippingWhitespace: true)
    guard isRight else { throw .form }
    return bytes
  }

  /// The text of bytes; that of a file's content is base64.
  func text(_ bytes: Data) -> String { form == .hex ? Hex.encode(bytes) : Base64.encode(bytes) }

  private func content(ofFile name: String) throws(TextTrouble) -> [UInt8] {
    // An input may come from anybody: it must not name what lies elsewhere on the machine.
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    guard !parts.contains(where: { $0.isEmpty || $0 == ".." || $0.contains("\0") }) else { throw .outsideFolder }
    let path = FileSystem.resolved(folder + "/" + name)
    let root = FileSystem.resolved(folder)
    guard path.hasPrefix(root.hasSuffix("/") ? root : root + "/") else { throw .outsideFolder }
    guard FileSystem.kind(of: path) == .file else { throw .noFile }
    guard let size = (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int,
      size <= Self.largestFile
    else { throw .range }
    guard let data = try? Data(contentsOf: URL(fileURLWithPath: path)) else { throw .noFile }
    return Array(data)
  }
}
