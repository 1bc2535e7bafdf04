/// Finds the fields of delimited text: a state machine over bytes, without input, strings or errors.
///
/// Text comes in windows of any size. What a call has used up is told by `Step.next`; the rest is shown again, with more
/// bytes behind it, when the tokenizer asks for them: it looks ahead only for what is longer than a byte (a delimiter, CR LF,
/// what stands behind a quote).
///
/// RFC 4180 is read strictly: quotes open a field only at its beginning, and behind a closing quote the field must end. What
/// breaks the rules is noted in `trouble` and read on as text, so that the next record is found. A record ends with LF, CR LF
/// or CR outside quotes; an empty line is no record.
struct CSVTokenizer {
  /// What happened, and the bytes that go with it.
  struct Step {
    let event: Event
    /// The bytes to append to the open field.
    let content: Range<Int>
    /// The index of the first byte that is not used up.
    let next: Int

    init(_ event: Event, _ content: Range<Int>, next: Int) {
      self.event = event
      self.content = content
      self.next = next
    }

    init(_ event: Event, next: Int) { self.init(event, next..<next, next: next) }
  }

  enum Event {
    /// More bytes are needed behind `next`.
    case needsInput
    /// A record begins at `next`.
    case recordBegin
    /// A piece of the open field.
    case text
    /// The last piece of the open field.
    case fieldEnd
    /// The record ends: its fields have ended before.
    case recordEnd
    /// There are no more records.
    case end
  }

  /// What is wrong with a record: the first that is found.
  struct Trouble: Equatable {
    enum Kind: Equatable { case nul, strayQuote, textAfterQuote, unterminatedQuote }
    let kind: Kind
    /// The number of the field in its record, from 1.
    let column: Int
    /// The line on which the field's quote was opened, or else of the trouble.
    let line: Int
  }

  private enum State {
    case skippedLine, recordStart, fieldStart, unquoted, quoted, afterQuote, lineEnd
    case escapedInQuotes, escapedOutside
  }

  let syntax: DelimitedSyntax
  /// The number of the line that is being read, from 1.
  var line: Int
  /// Whether the field that ended last was quoted.
  private(set) var isQuoted = false
  private(set) var trouble: Trouble?

  private var state: State
  private var linesToSkip: Int
  private var column = 0
  private var quoteLine = 0
  private let stops: ByteSet
  private let quotedStops: ByteSet
  private let delimiterFirst: UInt8?
  private let delimiterCount: Int

  init(_ syntax: DelimitedSyntax, line: Int = 1, skippingLines: Int = 0) {
    self.syntax = syntax
    self.line = line
    linesToSkip = skippingLines
    state = skippingLines > 0 ? .skippedLine : .recordStart
    let special = [0, .lineFeed, .carriageReturn] + [syntax.quote, syntax.escape].compactMap(\.self)
    stops = ByteSet(special + (syntax.delimiter.first.map { [$0] } ?? [.space, .tab]))
    quotedStops = ByteSet(special)
    delimiterFirst = syntax.delimiter.first
    delimiterCount = syntax.delimiter.count
  }

  /// Goes on to the next event.
  ///
  /// - Parameters:
  ///   - bytes: The window, from its beginning; only `start..<end` is looked at.
  ///   - isLast: Whether the input ends with the window.
  mutating func next(in bytes: UnsafePointer<UInt8>, from start: Int, to end: Int, isLast: Bool) -> Step {
    let window = Window(bytes: bytes, end: end, isLast: isLast)
    var i = start
    while true {
      switch state {
      case .skippedLine:
        while i < end, bytes[i] != .lineFeed, bytes[i] != .carriageReturn { i += 1 }
        guard i < end else { return Step(isLast ? .end : .needsInput, next: i) }
        guard let length = window.lineEnd(at: i) else { return Step(.needsInput, next: i) }
        i += length
        line += 1
        linesToSkip -= 1
        if linesToSkip <= 0 { state = .recordStart }

      case .recordStart:
        guard i < end else { return Step(isLast ? .end : .needsInput, next: i) }
        if bytes[i] == .lineFeed || bytes[i] == .carriageReturn {
          guard let length = window.lineEnd(at: i) else { return Step(.needsInput, next: i) }
          i += length
          line += 1
          continue
        }
        if !syntax.comment.isEmpty {
          guard let isComment = window.has(syntax.comment, at: i) else { return Step(.needsInput, next: i) }
          if isComment {
            state = .skippedLine
            linesToSkip = 1
            continue
          }
        }
        state = .fieldStart
        column = 0
        trouble = nil
        return Step(.recordBegin, next: i)

      case .fieldStart:
        if syntax.skipsBlanks { i = window.skipBlanks(from: i, except: delimiterFirst) }
        guard i < end else {
          guard isLast else { return Step(.needsInput, next: i) }
          state = .lineEnd
          if syntax.isBlankDelimited { continue }
          beginField()
          return Step(.fieldEnd, next: i)
        }
        if syntax.isBlankDelimited, bytes[i] == .lineFeed || bytes[i] == .carriageReturn {
          state = .lineEnd
          continue
        }
        beginField()
        if bytes[i] == syntax.quote {
          i += 1
          isQuoted = true
          quoteLine = line
          state = .quoted
        } else {
          state = .unquoted
        }

      case .unquoted: return unquoted(window, from: i)
      case .quoted: return quoted(window, from: i)

      case .afterQuote:
        i = window.skipBlanks(from: i, except: delimiterFirst)
        guard let step = closing(window, i..<i, at: i) else { return Step(.needsInput, next: i) }
        return step

      case .escapedInQuotes, .escapedOutside:
        let back: State = state == .escapedInQuotes ? .quoted : .unquoted
        guard i < end else {
          guard isLast else { return Step(.needsInput, next: i) }
          state = back
          continue
        }
        var length = 1
        if bytes[i] == .lineFeed || bytes[i] == .carriageReturn {
          guard let lineEnd = window.lineEnd(at: i) else { return Step(.needsInput, next: i) }
          length = lineEnd
          line += 1
        }
        state = back
        return Step(.text, i..<i + length, next: i + length)

      case .lineEnd:
        if i < end {
          guard let length = window.lineEnd(at: i) else { return Step(.needsInput, next: i) }
          i += length
          line += 1
        } else if !isLast {
          return Step(.needsInput, next: i)
        }
        state = .recordStart
        return Step(.recordEnd, next: i)
      }
    }
  }

  private mutating func beginField() {
    column += 1
    isQuoted = false
  }

  private mutating func note(_ kind: Trouble.Kind, line: Int) {
    if trouble == nil { trouble = Trouble(kind: kind, column: column, line: line) }
  }

  // MARK: Inside a field

  private mutating func unquoted(_ window: Window, from start: Int) -> Step {
    let (bytes, end) = (window.bytes, window.end)
    var i = start
    while true {
      while i < end, !stops.contains(bytes[i]) { i += 1 }
      guard i < end else {
        if window.isLast { state = .lineEnd }
        return Step(window.isLast ? .fieldEnd : i > start ? .text : .needsInput, start..<i, next: i)
      }
      let byte = bytes[i]
      if byte == .lineFeed || byte == .carriageReturn {
        state = .lineEnd
        return Step(.fieldEnd, start..<i, next: i)
      }
      guard let delimiter = delimiterLength(window, at: i) else {
        return Step(i > start ? .text : .needsInput, start..<i, next: i)
      }
      if delimiter > 0 {
        state = .fieldStart
        return Step(.fieldEnd, start..<i, next: i + delimiter)
      }
      if byte == syntax.escape {
        state = .escapedOutside
        return Step(.text, start..<i, next: i + 1)
      }
      if byte == syntax.quote { note(.strayQuote, line: line) }
      if byte == 0 { note(.nul, line: line) }
      i += 1
    }
  }

  private mutating func quoted(_ window: Window, from start: Int) -> Step {
    let (bytes, end) = (window.bytes, window.end)
    var i = start
    while true {
      while i < end, !quotedStops.contains(bytes[i]) { i += 1 }
      guard i < end else {
        if window.isLast {
          note(.unterminatedQuote, line: quoteLine)
          state = .lineEnd
        }
        return Step(window.isLast ? .fieldEnd : i > start ? .text : .needsInput, start..<i, next: i)
      }
      let byte = bytes[i]
      if byte == syntax.quote {
        guard i + 1 < end || window.isLast else { return Step(i > start ? .text : .needsInput, start..<i, next: i) }
        if i + 1 < end, bytes[i + 1] == byte { return Step(.text, start..<i + 1, next: i + 2) }
        guard let step = closing(window, start..<i, at: i + 1) else {
          return Step(i > start ? .text : .needsInput, start..<i, next: i)
        }
        return step
      }
      if byte == .lineFeed || byte == .carriageReturn {
        guard let length = window.lineEnd(at: i) else {
          return Step(i > start ? .text : .needsInput, start..<i, next: i)
        }
        line += 1
        i += length
        continue
      }
      if byte == syntax.escape {
        state = .escapedInQuotes
        return Step(.text, start..<i, next: i + 1)
      }
      note(.nul, line: line)
      i += 1
    }
  }

  /// What follows behind a closing quote: nil if more bytes decide.
  private mutating func closing(_ window: Window, _ content: Range<Int>, at i: Int) -> Step? {
    guard i < window.end else {
      guard window.isLast else { return nil }
      state = .lineEnd
      return Step(.fieldEnd, content, next: i)
    }
    let byte = window.bytes[i]
    if byte == .lineFeed || byte == .carriageReturn {
      state = .lineEnd
      return Step(.fieldEnd, content, next: i)
    }
    guard let delimiter = delimiterLength(window, at: i) else { return nil }
    if delimiter > 0 {
      state = .fieldStart
      return Step(.fieldEnd, content, next: i + delimiter)
    }
    if syntax.trim, byte == .space || byte == .tab, state == .quoted {
      state = .afterQuote
      return Step(.text, content, next: i)
    }
    note(.textAfterQuote, line: line)
    // The quote stays in the text, so that the record can be mended where it is kept.
    let quote = state == .quoted ? 1 : 0
    state = .unquoted
    return Step(.text, content.lowerBound..<content.upperBound + quote, next: i)
  }

  /// The length of the delimiter at a place: 0 if there is none, nil if more bytes decide.
  @inline(__always) private func delimiterLength(_ window: Window, at i: Int) -> Int? {
    guard let first = delimiterFirst else {
      return window.bytes[i] == .space || window.bytes[i] == .tab ? 1 : 0
    }
    guard window.bytes[i] == first else { return 0 }
    guard delimiterCount > 1 else { return 1 }
    return window.has(syntax.delimiter, at: i).map { $0 ? delimiterCount : 0 }
  }
}

/// The bytes that are there.
private struct Window {
  let bytes: UnsafePointer<UInt8>
  let end: Int
  let isLast: Bool

  /// The length of the line end at a place, which is LF or CR: nil if more bytes decide.
  @inline(__always) func lineEnd(at i: Int) -> Int? {
    if bytes[i] == .lineFeed { return 1 }
    guard i + 1 < end else { return isLast ? 1 : nil }
    return bytes[i + 1] == .lineFeed ? 2 : 1
  }

  /// Whether a text stands at a place: nil if more bytes decide.
  func has(_ text: [UInt8], at start: Int) -> Bool? {
    for (offset, byte) in text.enumerated() {
      guard start + offset < end else { return isLast ? false : nil }
      guard bytes[start + offset] == byte else { return false }
    }
    return true
  }

  func skipBlanks(from start: Int, except delimiter: UInt8?) -> Int {
    var i = start
    while i < end, bytes[i] == .space || bytes[i] == .tab, bytes[i] != delimiter { i += 1 }
    return i
  }
}
