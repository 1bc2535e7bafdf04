/// A day and a time of day as a text spells them, in the Gregorian calendar, also before it was introduced.
struct CivilTime {
  var year = 1
  var month = 1
  var day = 1
  var hour = 0
  var minute = 0
  var second = 0
  /// The digits of the fraction of a second as a number, and how many they are.
  var fraction: UInt64 = 0
  var fractionDigits = 0
  /// The zone as seconds ahead of UTC; nil if the text has none.
  var offset: Int?

  /// Whether there is such a day and such a time of day; leap seconds and 24:00 are not.
  var exists: Bool {
    (1...9999).contains(year) && (1...12).contains(month) && (1...Self.days(in: month, of: year)).contains(day)
      && (0...23).contains(hour) && (0...59).contains(minute) && (0...59).contains(second)
  }

  /// The whole seconds from 2001-01-01 00:00 to it, as if there were no zones.
  var localSeconds: Int {
    ((dayNumber * 24 + hour) * 60 + minute) * 60 + second
  }

  /// The days from 2001-01-01 to it.
  ///
  /// The year is counted from March, so that the leap day is its last: the days before a month are then a linear formula.
  var dayNumber: Int {
    let shifted = month > 2 ? year : year - 1
    let daysBeforeMonth = (153 * ((month + 9) % 12) + 2) / 5
    let daysBeforeYear = shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400
    return daysBeforeYear + daysBeforeMonth + day - 730_792
  }

  /// The day of the week, 0 for Monday.
  var weekday: Int {
    // 2001-01-01 was a Monday.
    (dayNumber % 7 + 7) % 7
  }

  static func days(in month: Int, of year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}

extension ByteCursor {
  /// Reads the digits of a fraction of a second; those beyond the ninth are more than a double holds, and are dropped.
  mutating func fraction(_ time: inout CivilTime, digits: ClosedRange<Int>) -> Bool {
    var count = 0
    while count < digits.upperBound, let digit = digit() {
      count += 1
      guard count <= 9 else { continue }
      time.fraction = time.fraction * 10 + UInt64(digit)
      time.fractionDigits = count
    }
    return count >= digits.lowerBound
  }

  /// Reads the hours and minutes of a zone behind its sign: `hh`, `hhmm` or `hh:mm`, as allowed.
  mutating func offset(colon: Colon, minutes: Minutes) -> Int? {
    let isWest = skip(UInt8(ascii: "-"))
    guard isWest || skip(UInt8(ascii: "+")), let hours = digits(2), hours <= 18 else { return nil }
    var seconds = hours * 3600
    let start = self
    if colon == .never || skip(UInt8(ascii: ":")) || colon == .optional, let read = digits(2) {
      guard read <= 59 else { return nil }
      seconds += read * 60
    } else {
      self = start
      guard minutes == .optional else { return nil }
    }
    return isWest ? -seconds : seconds
  }

  enum Colon { case always, never, optional }
  enum Minutes { case required, optional }
}
