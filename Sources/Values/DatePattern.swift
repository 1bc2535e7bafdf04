import Diagnostics

/// A date format of Unicode's pattern letters, read strictly and in English.
///
/// Source: Unicode Technical Standard 35, part 4, "Date Format Patterns". Repeated letters say how many digits there are:
/// `dd` is two, `d` one or two.
struct DatePattern: Hashable {
  enum Field: Hashable {
    case literal(UInt8)
    case year4
    case year2
    case month(ClosedRange<Int>)
    case monthName
    case monthAbbreviation
    case day(ClosedRange<Int>)
    case weekdayName
    case weekdayAbbreviation
    case hour24(ClosedRange<Int>)
    case hour12(ClosedRange<Int>)
    case halfOfDay
    case minute(ClosedRange<Int>)
    case second(ClosedRange<Int>)
    case fraction(Int)
    case zone(ByteCursor.Colon, ByteCursor.Minutes, z: Bool)
  }

  let fields: [Field]
  private let pivotYear: Int

  var hasZone: Bool {
    fields.contains { if case .zone = $0 { true } else { false } }
  }

  var hasTime: Bool {
    fields.contains { field in
      switch field {
      case .hour24, .hour12, .halfOfDay, .minute, .second, .fraction: true
      default: false
      }
    }
  }

  /// Whether it reads a day, or at least a year; one without reads times of day of the reference day, 2001-01-01.
  var hasDate: Bool { fields.contains { [.year, .month, .day, .weekday].contains($0.meaning) } }

  /// Reads a pattern; the letters, what they say together and the pivot of two-digit years are checked.
  init(_ text: String, pivotYear: Int?) throws(Diagnostic) {
    var fields: [Field] = []
    var characters = Substring(text)
    while let first = characters.first {
      if first == "'" {
        fields += try Self.quoted(&characters, in: text)
      } else if first.isASCII, first.isLetter {
        let run = characters.prefix { $0 == first }
        characters.removeFirst(run.count)
        guard let field = Self.field(first, run.count) else { throw .unknownDateLetters(String(run), in: text) }
        fields.append(field)
      } else {
        fields += String(first).utf8.map { .literal($0) }
        characters.removeFirst()
      }
    }
    self.fields = fields
    self.pivotYear = pivotYear ?? 0

    let keys = Set(fields.map(\.meaning))
    guard keys.contains(.year) || (hasTime && !hasDate) else {
      throw .incompleteDatePattern(text, missing: "a year (yyyy)")
    }
    guard keys.contains(.month) || !keys.contains(.day) else {
      throw .incompleteDatePattern(text, missing: "a month (MM)")
    }
    guard keys.contains(.halfOfDay) == fields.contains(where: { if case .hour12 = $0 { true } else { false } }) else {
      throw .incompleteDatePattern(text, missing: "hh together with a")
    }
    guard fields.count(where: { $0.meaning != .text }) == keys.subtracting([.text]).count else {
      throw .contradictoryDatePattern(text)
    }
    guard pivotYear != nil || !fields.contains(.year2) else { throw .noPivotYear(text) }
    if let pivotYear { try Self.check(pivotYear) }
  }

  private static func check(_ pivotYear: Int) throws(Diagnostic) {
    guard (0...9900).contains(pivotYear) else { throw .pivotYear(pivotYear) }
  }

  /// Throws for a number of which no hundred years begin that a pattern can read.
  static func checkPivot(_ text: String) throws(Diagnostic) {
    if let year = Int(text) { try check(year) }
  }

  private static func quoted(_ characters: inout Substring, in text: String) throws(Diagnostic) -> [Field] {
    characters.removeFirst()
    var literal = ""
    while let next = characters.popFirst() {
      if next != "'" {
        literal.append(next)
      } else if !literal.isEmpty, characters.first == "'" {
        // Two quotes are one, inside quotes.
        literal.append(characters.removeFirst())
      } else {
        return (literal.isEmpty ? "'" : literal).utf8.map { .literal($0) }
      }
    }
    throw .unclosedDateQuote(text)
  }

  private static func field(_ letter: Character, _ count: Int) -> Field? {
    // Up to two digits for one letter, and just two for two.
    let digits: ClosedRange<Int>? = count == 1 ? 1...2 : count == 2 ? 2...2 : nil
    switch (letter, count) {
    case ("y", 4), ("u", 4): return .year4
    case ("y", 2): return .year2
    case ("M", 3), ("L", 3): return .monthAbbreviation
    case ("M", 4), ("L", 4): return .monthName
    case ("E", 1...3): return .weekdayAbbreviation
    case ("E", 4): return .weekdayName
    case ("a", 1): return .halfOfDay
    case ("S", 1...18): return .fraction(count)
    case ("Z", 1...3), ("x", 2): return .zone(.never, .required, z: false)
    case ("X", 2): return .zone(.never, .required, z: true)
    case ("Z", 5), ("X", 3): return .zone(.always, .required, z: true)
    case ("x", 3): return .zone(.always, .required, z: false)
    case ("X", 1): return .zone(.never, .optional, z: true)
    case ("x", 1): return .zone(.never, .optional, z: false)
    case ("M", _), ("L", _): return digits.map { .month($0) }
    case ("d", _): return digits.map { .day($0) }
    case ("H", _): return digits.map { .hour24($0) }
    case ("h", _): return digits.map { .hour12($0) }
    case ("m", _): return digits.map { .minute($0) }
    case ("s", _): return digits.map { .second($0) }
    default: return nil
    }
  }
}

extension DatePattern.Field {
  enum Meaning { case text, year, month, day, weekday, hour, halfOfDay, minute, second, fraction, zone }

  var meaning: Meaning {
    switch self {
    case .literal: .text
    case .year4, .year2: .year
    case .month, .monthName, .monthAbbreviation: .month
    case .day: .day
    case .weekdayName, .weekdayAbbreviation: .weekday
    case .hour24, .hour12: .hour
    case .halfOfDay: .halfOfDay
    case .minute: .minute
    case .second: .second
    case .fraction: .fraction
    case .zone: .zone
    }
  }
}

// MARK: Reading

extension DatePattern {
  /// The day and time that a text spells; all of it must be read.
  func read(_ bytes: UnsafeRawBufferPointer) throws(TextTrouble) -> CivilTime {
    var time = CivilTime()
    if !hasDate { time.year = 2001 }
    var cursor = ByteCursor(bytes)
    var hour12: Int?
    var isAfternoon = false
    var weekday: Int?
    for field in fields {
      switch field {
      case .literal(let byte): guard cursor.skip(byte) else { throw .form }
      case .year4: time.year = try number(cursor.digits(4))
      case .year2:
        let year = try number(cursor.digits(2))
        // The one of the hundred years from the pivot that ends so.
        time.year = pivotYear + ((year - pivotYear) % 100 + 100) % 100
      case .month(let digits): time.month = try number(cursor.digits(digits))
      case .monthName: time.month = try number(cursor.word(of: Self.months)) + 1
      case .monthAbbreviation: time.month = try number(cursor.abbreviation(of: Self.months)) + 1
      case .day(let digits): time.day = try number(cursor.digits(digits))
      case .weekdayName: weekday = try number(cursor.word(of: Self.weekdays))
      case .weekdayAbbreviation: weekday = try number(cursor.abbreviation(of: Self.weekdays))
      case .hour24(let digits): time.hour = try number(cursor.digits(digits))
      case .hour12(let digits): hour12 = try number(cursor.digits(digits))
      case .halfOfDay:
        isAfternoon = cursor.skip(word: "pm")
        guard isAfternoon || cursor.skip(word: "am") else { throw .form }
      case .minute(let digits): time.minute = try number(cursor.digits(digits))
      case .second(let digits): time.second = try number(cursor.digits(digits))
      case .fraction(let count): guard cursor.fraction(&time, digits: count...count) else { throw .form }
      case .zone(let colon, let minutes, let z):
        time.offset =
          z && cursor.skip(UInt8(ascii: "Z")) ? 0 : try number(cursor.offset(colon: colon, minutes: minutes))
      }
    }
    guard cursor.isAtEnd else { throw .form }
    if let hour12 {
      guard (1...12).contains(hour12) else { throw .noSuchDate }
      time.hour = hour12 % 12 + (isAfternoon ? 12 : 0)
    }
    // A day of the week that is not the date's: one of the two is wrong.
    guard time.exists, weekday == nil || weekday == time.weekday else { throw .noSuchDate }
    return time
  }

  private func number(_ read: Int?) throws(TextTrouble) -> Int {
    guard let read else { throw .form }
    return read
  }

  private static let months: [StaticString] = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
  ]
  private static let weekdays: [StaticString] = [
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
  ]
}

extension ByteCursor {
  /// The index of the word that comes next, in any case.
  fileprivate mutating func word(of words: [StaticString]) -> Int? {
    for index in words.indices where skip(word: words[index]) { return index }
    return nil
  }

  /// The index of the word whose first three letters come next, in any case.
  fileprivate mutating func abbreviation(of words: [StaticString]) -> Int? {
    for index in words.indices where skip(word: words[index], first: 3) { return index }
    return nil
  }
}
