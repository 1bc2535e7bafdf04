public import Diagnostics

/// A source of text in any encoding, given as UTF-8 without a byte order mark.
///
/// gzip data is inflated. UTF-8 goes through as it is: what is no UTF-8 in it is found where a field is converted, so
/// that one bad field costs one record. Any other encoding that is violated stops the reading with the byte's offset.
public final class TextSource: ByteSource {
  /// The name of the input for messages.
  public let file: String
  /// The encoding, as given or found.
  public let encoding: TextEncoding
  /// The offset of the first byte of text in the file as UTF-8: 3 behind a byte order mark of UTF-8, else 0.
  public let start: Int
  /// Whether there is no text at all: 0 bytes, or a byte order mark alone.
  public let isEmpty: Bool

  private let inflated: InflatedSource
  private var input: Lookahead
  private let transcoder: Transcoder?
  /// The offset, in the file as UTF-8, of the byte that comes next.
  private var offset: Int

  /// Looks at the beginning of a source.
  ///
  /// - Parameter encoding: the encoding, which a byte order mark must not contradict. The default is what the mark tells,
  ///   or UTF-8 without one.
  public init(_ source: any ByteSource, encoding: TextEncoding? = nil) throws(Diagnostic) {
    file = source.file
    inflated = try InflatedSource(source)
    input = Lookahead(inflated)
    let beginning = try input.first(4)
    let mark = ByteOrderMark(beginning)
    self.encoding = try Self.encoding(given: encoding, mark: mark, beginning: beginning, file: file)
    input.drop(mark?.size ?? 0)
    isEmpty = beginning.count == (mark?.size ?? 0)
    start = mark == .utf8 ? 3 : 0
    offset = start
    transcoder = Transcoder(from: self.encoding, offset: mark?.size ?? 0)
  }

  /// The bytes read of the file, compressed or not, and its size.
  public var progress: (read: Int, total: Int?) { inflated.progress }

  /// Fills the buffer with UTF-8, in part or in full; 0 at the end.
  public func read(into buffer: UnsafeMutableRawBufferPointer) throws(Diagnostic) -> Int {
    precondition(buffer.count > 0, "a buffer without room would be taken for the end")
    let count: Int
    if let transcoder {
      count = try transcode(transcoder, into: buffer)
    } else {
      count = try input.read(into: buffer)
    }
    offset += count
    return count
  }

  /// Goes forward to an offset in the file as UTF-8, counted as `start` is: at once in a plain file, else by reading.
  public func skip(to target: Int) throws(Diagnostic) {
    precondition(target >= offset, "a text is read forward only")
    if transcoder == nil, try input.seek(to: target) {
      offset = target
      return
    }
    let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 1)
    defer { room.deallocate() }
    while offset < target {
      let count = try read(into: UnsafeMutableRawBufferPointer(rebasing: room.prefix(target - offset)))
      guard count > 0 else { throw .inputTooShort(file, offset: target, size: nil) }
    }
  }

  private func transcode(_ transcoder: Transcoder, into buffer: UnsafeMutableRawBufferPointer) throws(Diagnostic) -> Int
  {
    while transcoder.isEmpty {
      if let trouble = transcoder.trouble { throw .inputEncoding(file, encoding, trouble) }
      let count = try input.read(into: transcoder.input)
      guard count > 0 else {
        if let trouble = transcoder.troubleAtEnd { throw .inputEncoding(file, encoding, trouble) }
        return 0
      }
      transcoder.transcode(count)
    }
    return transcoder.take(into: buffer)
  }
}

// MARK: - Finding the encoding

extension TextSource {
  private static func encoding(
    given: TextEncoding?, mark: ByteOrderMark?, beginning: ArraySlice<UInt8>, file: String
  ) throws(Diagnostic) -> TextEncoding {
    guard let mark else {
      switch given {
      case nil:
        if let alike = TextEncoding(zerosIn: Array(beginning)) { throw .inputLooksLike(file, alike) }
        return .utf8
      case .utf16 where !beginning.isEmpty: throw .inputMarkMissing(file)
      case let given?: return given
      }
    }
    guard mark != .utf32 else { throw .inputUTF32(file) }
    let found: TextEncoding =
      switch mark {
      case .utf8, .utf32: .utf8
      case .utf16LittleEndian: .utf16LittleEndian
      case .utf16BigEndian: .utf16BigEndian
      }
    switch given {
    case nil, found: return found
    case .utf16 where found != .utf8: return found
    case let given?: throw .inputMark(file, found: found.rawValue, encoding: given)
    }
  }
}

extension TextEncoding {
  /// UTF-16 without a byte order mark, if Western text of it begins with these bytes.
  fileprivate init?(zerosIn beginning: [UInt8]) {
    switch beginning.map({ $0 == 0 }) {
    case [false, true, false, true]: self = .utf16LittleEndian
    case [true, false, true, false]: self = .utf16BigEndian
    default: return nil
    }
  }
}

/// The bytes that tell an encoding at the beginning of a text.
enum ByteOrderMark: Equatable {
  case utf8, utf16LittleEndian, utf16BigEndian, utf32

  init?(_ beginning: ArraySlice<UInt8>) {
    // The mark of UTF-32, low byte first, begins with that of UTF-16.
    if beginning.starts(with: [0xFF, 0xFE, 0, 0]) || beginning.starts(with: [0, 0, 0xFE, 0xFF]) {
      self = .utf32
    } else if beginning.starts(with: [0xEF, 0xBB, 0xBF]) {
      self = .utf8
    } else if beginning.starts(with: [0xFF, 0xFE]) {
      self = .utf16LittleEndian
    } else if beginning.starts(with: [0xFE, 0xFF]) {
      self = .utf16BigEndian
    } else {
      return nil
    }
  }

  /// The number of bytes.
  var size: Int {
    switch self {
    case .utf8: 3
    case .utf16LittleEndian, .utf16BigEndian: 2
    case .utf32: 4
    }
  }
}
