extension CivilTime {
  /// Reads a date by ISO 8601 in its common forms, and whether it has a time of day.
  static func iso8601(_ bytes: UnsafeRawBufferPointer) -> (time: CivilTime, hasTime: Bool)? {
    var time = CivilTime()
    var cursor = ByteCursor(bytes)
    let dash = UInt8(ascii: "-")
    guard let year = cursor.digits(4), cursor.skip(dash), let month = cursor.digits(2), cursor.skip(dash),
      let day = cursor.digits(2)
    else { return nil }
    (time.year, time.month, time.day) = (year, month, day)
    if cursor.isAtEnd { return (time, false) }

    let hasBlank = cursor.skip(UInt8(ascii: " "))
    let colon = UInt8(ascii: ":")
    guard hasBlank || cursor.skip(UInt8(ascii: "T")), let hour = cursor.digits(2), cursor.skip(colon),
      let minute = cursor.digits(2)
    else { return nil }
    (time.hour, time.minute) = (hour, minute)
    if cursor.skip(colon) {
      guard let second = cursor.digits(2) else { return nil }
      time.second = second
      if cursor.skip(UInt8(ascii: ".")) || cursor.skip(UInt8(ascii: ",")) {
        guard cursor.fraction(&time, digits: 1...Int.max) else { return nil }
      }
    }
    if cursor.isAtEnd { return (time, true) }

    // `2013-11-15 07:00:00 +0000`, as NSDate describes itself.
    if hasBlank { _ = cursor.skip(UInt8(ascii: " ")) }
    time.offset = cursor.skip(UInt8(ascii: "Z")) ? 0 : cursor.offset(colon: .optional, minutes: .optional)
    return time.offset != nil && cursor.isAtEnd ? (time, true) : nil
  }
}
