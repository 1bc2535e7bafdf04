/// Why a text is not a value. What was expected instead is what the parser says of itself (`expectation`).
public enum TextTrouble: Error, Hashable, Sendable {
  /// It is not of the form, or not all of it is.
  case form
  /// It is of the form, but no value of the type is so large or so small.
  case range
  /// It has more digits than the type keeps.
  case precision
  /// There is no such day or time of day: 31 February, 25 o'clock.
  case noSuchDate
  /// Clocks were put forward over this local time.
  case noSuchLocalTime
  /// It is a time of day without a zone, and none is declared.
  case noZone
  /// It is none of the words.
  case unknownWord
  /// It is not UTF-8.
  case encoding
  /// It holds a NUL, which ends a text in C and in SQLite's functions.
  case nul
  /// It is no unit, or one of another quantity.
  case unknownUnit
  /// It names a file that is not there or cannot be read.
  case noFile
  /// It names a file outside the folder that files are taken from.
  case outsideFolder
}
