import Bytes

extension ReaderConfiguration {
  /// The forms of input.
  public enum Format: String, Hashable, Sendable, CaseIterable {
    /// Delimited by a character, with quotes (RFC 4180).
    case csv
    /// Delimited by any text, or of fixed width.
    case txt
    /// Elements.
    case xml

    /// The form that a file's name tells by its extension, that of a compressed file within; nil for another.
    public init?(fileName: String) {
      var name = FileSystem.name(of: fileName).lowercased()
      if name.hasSuffix(".gz") { name.removeLast(3) }
      switch name.split(separator: ".", omittingEmptySubsequences: false).last {
      case "csv": self = .csv
      case "txt", "tsv", "tab": self = .txt
      case "xml": self = .xml
      default: return nil
      }
    }
  }

  /// The form of input; nil if no file is named.
  public var format: Format? { csv != nil ? .csv : txt != nil ? .txt : xml != nil ? .xml : nil }

  /// Whether the input is standard input, which can be read once.
  public var isStandardInput: Bool { file == "-" }

  /// The input's file name without its extension, and that of a compressed file without both.
  public var baseName: String {
    if isStandardInput { return "stdin" }
    var name = FileSystem.name(of: file ?? "")[...]
    if name.lowercased().hasSuffix(".gz") { name.removeLast(3) }
    if let dot = name.lastIndex(of: "."), dot > name.startIndex { name = name[..<dot] }
    return String(name)
  }

  /// The path of the input, relative names taken from a folder.
  package func path(in folder: String) -> String { isStandardInput ? "-" : FileSystem.path(file ?? "", in: folder) }
}
