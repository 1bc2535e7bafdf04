import Diagnostics
import Foundation
import TestSupport
import Testing

@testable import Values

struct DateParserTests {
  // MARK: ISO 8601

  static let iso8601: [Case<String, Outcome<Double>>] = [
    text("2001-01-01", 0), text("2013-11-15T07:00:00Z", 406_191_600), text("2013-11-15T00:00:00-07:00", 406_191_600),
    text("2013-11-15T12:30:00+05:30", 406_191_600), text("2013-11-15 07:00:00Z", 406_191_600),
    text("2013-11-15 07:00:00 +0000", 406_191_600), text("2013-11-15T07:00Z", 406_191_600),
    text("2013-11-15T08:00:00+01", 406_191_600), text("2013-11-15T08:00:00+0100", 406_191_600),
    text("2018-02-13T12:08:54.839216Z", 540216534.839216), text("2018-02-13T12:08:54.8Z", 540216534.8),
    text("2018-02-13T12:08:54Z", 540216534.0), text("2018-02-13T12:08:54,8Z", 540216534.8),
    text("2018-02-13T12:08:54.83921600000000000000000Z", 540216534.839216),
    text("2000-12-31T23:59:59.9Z", -0.1), text("2024-02-29", 730_857_600), text("0001-01-01", -63_113_904_000),
    text("9999-12-31T23:59:59.999999999Z", 252_423_993_599.999999999), text("1900-03-01T00:00:00Z", -3_182_198_400),
    refused("2013-11-15T07:00:00", .noZone), refused("2013-11-15 07:00", .noZone),
    refused("2023-02-29", .noSuchDate), refused("1900-02-29", .noSuchDate), refused("2024-04-31", .noSuchDate),
    refused("2024-13-01", .noSuchDate), refused("2024-00-10", .noSuchDate), refused("0000-01-01", .noSuchDate),
    refused("2024-01-01T24:00:00Z", .noSuchDate), refused("2024-01-01T23:59:60Z", .noSuchDate),
    refused("", .form), refused("2024", .form), refused("2024-1-1", .form), refused("20240101", .form),
    refused("2024-01-01T", .form), refused("2024-01-01T12Z", .form), refused("2024-01-01T12:00:00.Z", .form),
    refused("2024-01-01T12:00:00z", .form), refused("2024-01-01t12:00:00Z", .form),
    refused("2024-01-01T12:00:00 Z", .form),
    refused("2024-01-01Z", .form), refused(" 2024-01-01", .form), refused("2024-01-01 ", .form),
    refused("2024-01-01T12:00:00+1:00", .form), refused("2024-01-01T12:00:00+01:", .form),
    refused("2024-01-01T12:00:00+19:00", .form), refused("2024-01-01T12:00:00+01:60", .form), refused("today", .form),
    refused("01/02/2024", .form),
  ]

  @Test(arguments: iso8601) func readsISO8601(_ c: Case<String, Outcome<Double>>) throws {
    let parser = try DateParser()
    #expect(read(c.input) { bytes throws(TextTrouble) in try parser.seconds(bytes) } == c.expected)
  }

  @Test func declaredZone() throws {
    func seconds(_ text: String, _ zone: String) throws -> Outcome<Double> {
      let parser = try DateParser(timeZone: zone)
      return read(text) { bytes throws(TextTrouble) in try parser.seconds(bytes) }
    }
    #expect(try seconds("2013-11-15T07:00:00", "UTC") == .value(406_191_600))
    #expect(try seconds("2013-11-15T12:30", "+05:30") == .value(406_191_600))
    #expect(try seconds("2013-11-15 00:00", "America/Denver") == .value(406_191_600))
    #expect(try seconds("2013-11-15", "Asia/Tokyo") == .value(406_134_000))
    #expect(try seconds("2013-11-15T07:00:00Z", "Asia/Tokyo") == .value(406_191_600))
  }

  // MARK: Local times

  static let berlin: [Case<String, Outcome<Double>>] = [
    refused("2024-03-31 02:00:00", .noSuchLocalTime), refused("2024-03-31 02:30:00", .noSuchLocalTime),
    refused("2024-03-31 02:59:59", .noSuchLocalTime), text("2024-03-31 01:59:59", 733_539_599),
    text("2024-03-31 03:00:00", 733_539_600), text("2024-10-27 01:59:59", 751_679_999),
    text("2024-10-27 02:30:00", 751_681_800), text("2024-10-27 03:00:00", 751_687_200),
    text("2024-10-27 03:30:00", 751_689_000), text("2024-07-01 12:00:00", 741_520_800),
    text("1945-05-24 12:00:00", -1_754_838_000),
  ]

  @Test(arguments: berlin) func gapAndDoubledHour(_ c: Case<String, Outcome<Double>>) throws {
    let parser = try DateParser(form: "yyyy-MM-dd HH:mm:ss", timeZone: "Europe/Berlin")
    #expect(read(c.input) { bytes throws(TextTrouble) in try parser.seconds(bytes) } == c.expected)
    #expect(parser.doubledCount == (c.input == "2024-10-27 02:30:00" ? 1 : 0))
  }

  /// Each local time of some years, with days looked up before and after and out of order, is the one that the zone gives back.
  @Test(arguments: ["Europe/Berlin", "America/Sao_Paulo", "Australia/Lord_Howe", "Africa/Casablanca", "Pacific/Apia"])
  func localTimesAgreeWithTheZone(name: String) throws {
    let zone = try #require(TimeZone(identifier: name))
    let local = try LocalZone(name)
    var random = SeededGenerator(seed: 3)
    for _ in 0..<4000 {
      let instant = Int.random(in: 281_000_000...788_000_000, using: &random) / 900 * 900
      let offset = zone.secondsFromGMT(for: Date(timeIntervalSinceReferenceDate: Double(instant)))
      let found = try local.offset(atLocal: instant + offset)
      #expect(found.seconds == offset || (found.isDoubled && found.seconds > offset), "\(instant)")
    }
  }

  // MARK: Patterns

  static let patterns: [Case<(pattern: String, text: String), Outcome<Double>>] = [
    good("dd/MM/yyyy", "31/12/2000", -86_400), good("d.M.yyyy", "1.1.2001", 0),
    good("d.M.yyyy", "01.01.2001", 0),
    good("yyyyMMdd", "20010102", 86_400), good("yyyy", "2002", 31_536_000),
    good("yyyy-MM", "2001-02", 2_678_400),
    good("MMM d, yyyy", "Jan 2, 2001", 86_400), good("d MMMM yyyy", "2 january 2001", 86_400),
    good("EEE, dd MMM yyyy HH:mm:ss Z", "Fri, 15 Nov 2013 08:00:00 +0100", 406_191_600),
    good("EEEE d MMMM yyyy", "Monday 1 January 2001", 0),
    good("yyyy-MM-dd'T'HH:mm:ssXXX", "2013-11-15T08:00:00+01:00", 406_191_600),
    good("yyyy-MM-dd'T'HH:mm:ssXXX", "2013-11-15T07:00:00Z", 406_191_600),
    good("yyyy-MM-dd HH:mm:ss.SSSXX", "2013-11-15 07:00:00.250Z", 406_191_600.25),
    good("yyyyMMddHHmmssX", "20131115080000+01", 406_191_600),
    good("d/M/yyyy h:mm a ZZZZZ", "15/11/2013 7:00 AM Z", 406_191_600),
    good("d/M/yyyy h:mm a XXX", "1/1/2001 12:05 am Z", 300),
    good("d/M/yyyy h:mm a XXX", "1/1/2001 12:05 PM Z", 43_500),
    good("'le 'dd/MM/yyyy", "le 01/01/2001", 0), good("yyyy''MM", "2001'01", 0),
    good("yyyy'o''clock'", "2001o'clock", 0),
    good("yyyy年M月d日", "2001年1月1日", 0),
    bad("dd/MM/yyyy", "31/02/2024", .noSuchDate), bad("dd/MM/yyyy", "1/1/2001", .form),
    bad("dd/MM/yyyy", "01/01/01", .form), bad("dd/MM/yyyy", "01/01/2001 ", .form),
    bad("dd/MM/yyyy", "01-01-2001", .form), bad("dd/MM/yyyy", "12/31/2001", .noSuchDate),
    bad("MMM d, yyyy", "Jänner 2, 2001", .form), bad("EEE d.M.yyyy", "Tue 1.1.2001", .noSuchDate),
    bad("d/M/yyyy h:mm a XXX", "1/1/2001 13:05 PM Z", .noSuchDate),
    bad("d/M/yyyy h:mm a XXX", "1/1/2001 0:05 AM Z", .noSuchDate),
    bad("yyyy-MM-dd'T'HH:mm:ssxxx", "2013-11-15T07:00:00Z", .form),
    bad("yyyy-MM-dd HH:mm:ss Z", "2013-11-15 07:00:00 +01:00", .form),
  ]

  @Test(arguments: patterns) func reads(_ c: Case<(pattern: String, text: String), Outcome<Double>>) throws {
    let parser = try DateParser(form: c.input.pattern)
    #expect(read(c.input.text) { bytes throws(TextTrouble) in try parser.seconds(bytes) } == c.expected)
  }

  @Test(arguments: [("00", 2000), ("49", 2049), ("50", 1950), ("99", 1999)]) func pivot(text: String, year: Int) throws
  {
    let parser = try DateParser(form: "d.M.yy", pivotYear: 1950)
    let expected = try DateParser()
    let iso = read("\(year)-03-01") { bytes throws(TextTrouble) in try expected.seconds(bytes) }
    #expect(read("1.3.\(text)") { bytes throws(TextTrouble) in try parser.seconds(bytes) } == iso)
  }

  static let wrongForms: [Case<String, String>] = [
    Case(
      "unknown letters", "dd/MM/YYYY", "date: \"YYYY\" in \"dd/MM/YYYY\" is neither a form nor letters of a pattern"),
    Case("misspelt form", "iso-8601", "date: \"i\" in \"iso-8601\" is neither a form nor letters of a pattern"),
    Case(
      "no zone", "yyyy-MM-dd HH:mm",
      "date: \"yyyy-MM-dd HH:mm\" reads a time of day, and neither it nor `timeZone` says in which zone"),
    Case("no year", "dd/MM", "date: \"dd/MM\" needs a year (yyyy)"),
    Case("no month", "dd yyyy", "date: \"dd yyyy\" needs a month (MM)"),
    Case("no half of the day", "yyyy hh XXX", "date: \"yyyy hh XXX\" needs hh together with a"),
    Case("twice", "yyyy-MM-dd MMM", "date: \"yyyy-MM-dd MMM\" reads the same part of a date twice"),
    Case("no pivot", "dd.MM.yy", "date: \"dd.MM.yy\" reads years of two digits, and nothing says of which century"),
    Case("open quote", "yyyy'x", "date: a quote is not closed in \"yyyy'x\""),
  ]

  @Test(arguments: wrongForms) func wrongForm(_ c: Case<String, String>) {
    let error = #expect(throws: Diagnostic.self) { try DateParser(form: c.input) }
    #expect(error?.message == c.expected)
    #expect(error?.code.name == "convert.option")
  }

  @Test(arguments: [Int.min, -1, 9901, .max]) func wrongPivot(year: Int) {
    let error = #expect(throws: Diagnostic.self) { try DateParser(form: "d.M.yy", pivotYear: year) }
    #expect(error?.message == "pivotYear: \(year) is not from 0 to 9900")
  }

  @Test(arguments: ["CST", "Mars/Olympus", "+25:00", "Berlin", ""]) func unknownZone(name: String) {
    let error = #expect(throws: Diagnostic.self) { try DateParser(timeZone: name) }
    #expect(error?.message == "timeZone: there is no zone \"\(name)\"")
  }

  /// A pattern without a date reads times of day of the reference day.
  @Test func timesOfDay() throws {
    func seconds(_ text: String, _ form: String, _ zone: String? = nil) throws -> Outcome<Double> {
      let parser = try DateParser(form: form, timeZone: zone)
      return read(text) { bytes throws(TextTrouble) in try parser.seconds(bytes) }
    }
    #expect(try seconds("07:05", "HH:mm") == .value(25_500))
    #expect(try seconds("7:05 PM", "h:mm a") == .value(68_700))
    #expect(try seconds("07:05", "HH:mm", "+01:00") == .value(21_900))
    #expect(try seconds("24:00", "HH:mm") == .trouble(.noSuchDate))
  }

  // MARK: Counts

  static let counts: [Case<(pattern: String, text: String), Outcome<Double>>] = [
    good("unix", "978307200", 0), good("unix", "0", -978_307_200), good("unix", "-1.5", -978_307_201.5),
    good("unix", "1518523734.839216", 540216534.839216),
    good("unix", "1518523734.8392161234567890", 540216534.839216123456789),
    good("unixMilliseconds", "1518523734839", 540216534.839), good("unixMilliseconds", "978307200000", 0),
    good("unixMilliseconds", "0.5", -978307199.9995), good("reference", "406191600", 406_191_600),
    good("referenceMilliseconds", "406191600500", 406_191_600.5),
    good("reference", "-0.25", -0.25), good("reference", "540216534.839216", 540216534.839216),
    bad("unix", "", .form), bad("unix", "1e9", .form), bad("unix", "2024-01-01", .form),
    bad("unix", "1,5", .form),
  ]

  @Test(arguments: counts) func counted(_ c: Case<(pattern: String, text: String), Outcome<Double>>) throws {
    let parser = try DateParser(form: c.input.pattern)
    #expect(read(c.input.text) { bytes throws(TextTrouble) in try parser.seconds(bytes) } == c.expected)
  }

  /// Foundation's own calendar is the reference.
  @Test(arguments: 1...5) func randomDays(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    let parser = try DateParser()
    for _ in 0..<300 {
      let seconds = Int.random(in: -13_000_000_000...20_000_000_000, using: &random)
      let parts = calendar.dateComponents(
        [.year, .month, .day, .hour, .minute, .second], from: Date(timeIntervalSinceReferenceDate: Double(seconds)))
      let numbers = [parts.year, parts.month, parts.day, parts.hour, parts.minute, parts.second].map { $0 ?? 0 }
      let text = String(
        format: "%04d-%02d-%02dT%02d:%02d:%02dZ", numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5]
      )
      #expect(
        read(text) { bytes throws(TextTrouble) in try parser.seconds(bytes) } == .value(Double(seconds)), "\(text)")
    }
  }
}

private func good(_ pattern: String, _ text: String, _ seconds: Double) -> Case<
  (pattern: String, text: String), Outcome<Double>
> {
  Case("\(pattern): \(text)", (pattern, text), .value(seconds))
}

private func bad(_ pattern: String, _ text: String, _ trouble: TextTrouble) -> Case<
  (pattern: String, text: String), Outcome<Double>
> {
  Case("\(pattern): \(text)", (pattern, text), .trouble(trouble))
}
