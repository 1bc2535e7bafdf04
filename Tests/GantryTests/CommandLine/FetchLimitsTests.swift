import Foundation
import SQLiteDriver
import TestSupport
import Testing

@testable import Gantry

/// Conditions at the limits of what evaluates them: an answer, or an error that says why there is none.
struct FetchLimitsTests {
  private let folder: TemporaryFolder
  private let store: String

  init() throws {
    folder = try TemporaryFolder()
    store = folder.path("s.sqlite")
    try folder.write(
      """
      <model><entity name="E">
        <attribute name="amount" optional="YES" attributeType="Decimal"/>
        <attribute name="day" optional="YES" attributeType="Date"/>
        <attribute name="id" optional="YES" attributeType="UUID"/>
        <attribute name="number" optional="YES" attributeType="Integer 64"/>
        <attribute name="text" optional="YES" attributeType="String"/>
        <relationship name="next" optional="YES" maxCount="1" destinationEntity="E" inverseName="prior" inverseEntity="E"/>
        <relationship name="prior" optional="YES" maxCount="1" destinationEntity="E" inverseName="next" inverseEntity="E"/>
      </entity></model>
      """, to: "M.xcdatamodel/contents")
    try folder.write(
      "amount,number,text\n1e-70,150,\(String(repeating: "a", count: 70))!\n,7,\(String(repeating: "x", count: 300_000))\n",
      to: "e.csv")
    let run = Talk([
      "import", folder.path("e.csv"), "--model", folder.path("M.xcdatamodel"), "--entity", "E", "--store", store,
      "--quiet",
    ])
    try #require(run.status == .done, "\(run.errors)")
  }

  private func fetch(_ condition: String) -> Talk {
    Talk(["fetch", store, "E", "--model", folder.path("M.xcdatamodel"), "--count", "--where", condition])
  }

  /// Conditions and how many objects they hold for.
  static let answered: [Case<String, String>] = [
    Case("a product below what a decimal can be", "amount * amount >= 0", "1\n"),
    Case("of constants", "CAST('1e-100', 'NSDecimalNumber') * CAST('1e-100', 'NSDecimalNumber') < 1", "2\n"),
    Case("many products", "amount * amount * amount * amount * amount < 1", "1\n"),
    Case("a long sum", "number = \(Array(repeating: "1", count: 150).joined(separator: " + "))", "1\n"),
    Case(
      "a path of many objects",
      "\(Array(repeating: "next", count: 60).joined(separator: ".")).\(Array(repeating: "prior", count: 10).joined(separator: ".")).number = nil",
      "2\n"),
    Case(
      "conditions within conditions",
      String(repeating: "TERNARY(number > 1, ", count: 60) + "1" + String(repeating: ", 0)", count: 60) + " = 1", "2\n"),
    Case("an unfinished quotation", #"text MATCHES "\\Qxx""#, "0\n"),
    Case("a comment", "text MATCHES \"(?x) a+ ! # the end\"", "1\n"),
    Case("dates in quotes", "NOT day > \"2022-01-31\" OR day == nil", "2\n"),
    Case("much work", "text MATCHES \".+\"", "2\n"),
  ]

  @Test(arguments: answered) func answers(_ c: Case<String, String>) {
    let run = fetch(c.input)
    #expect(run.status == .done && run.output == c.expected, "\(run.errors)")
  }

  /// Conditions that cannot be answered.
  static let refused: [Case<String, String>] = [
    Case(
      "a deep search", "text MATCHES \"(x|y)+\"",
      """
      gantry: the regular expression "(x|y)+" is too much work on a text of 300000 characters: whether it matches is not known [predicate.evaluation]
        Write it without repetitions of repetitions, such as (a+)+, or compare with LIKE or CONTAINS.

      """),
    Case(
      "a long search", "number = 150 AND text MATCHES \"((a+)+b)|(a+!)\"",
      "gantry: the regular expression \"((a+)+b)|(a+!)\" is too much work on a text of 71 characters"),
    Case(
      "two halves", "text MATCHES \"v)|(?:nil\"",
      "gantry: \"v)|(?:nil\" is not a regular expression [predicate.evaluation]\n"),
    Case(
      "no UUID", "id = CAST(\"x\", \"NSUUID\")",
      """
      gantry: column 11 of the predicate: expected what CAST makes a value of, found "x": id = CAST(⏵"x", "NSUUID") [predicate.syntax]
        Dates are seconds since 2001 or by ISO 8601; a UUID has 36 characters, bytes are base64.

      """),
    Case(
      "a date without quotes", "day >= 2022-01-01",
      """
      gantry: --where compares day with 2022 - 1 - 1, expected a date [usage]
        Write it in quotes, by ISO 8601: "2022-01-31" or "2022-01-31T10:00:00Z".

      """),
    Case(
      "a date of another form", "number = 1 OR NOT day IN {\"2022-01-31\", \"31.01.2022\"}",
      "gantry: --where compares day with {\"2022-01-31\", \"31.01.2022\"}, expected a date [usage]\n"),
    Case(
      "a word for a number", "number > \"x\"", "gantry: --where compares number with \"x\", expected a number [usage]\n"
    ),
    Case("a number for a text", "5 = text", "gantry: --where compares text with 5, expected a text [usage]\n"),
    Case("no date", "day = CAST(\"2020\", \"NSDate\")", "gantry: column 12 of the predicate: expected what CAST"),
  ]

  @Test(arguments: refused) func refuses(_ c: Case<String, String>) {
    let run = fetch(c.input)
    #expect(run.status == .usage && run.output.isEmpty)
    #expect(run.errors.hasPrefix(c.expected), "\(run.errors)")
  }

  /// A pattern that a row has.
  @Test func patternOfARow() throws {
    try Connection(store, .readWrite).execute("UPDATE ZE SET ZTEXT = '\\N('")
    let run = fetch("'a' MATCHES text")
    #expect(run.status == .usage)
    #expect(run.errors.hasPrefix("gantry: \"\\N(\" is not a regular expression [predicate.evaluation]\n  Escape"))
  }
}
