import Foundation

/// A set of numbers of records that grows at its end: kept as ranges, which are few or short.
struct RecordNumbers: Hashable {
  private var ranges: [Range<Int>] = []

  /// Adds a number that is greater than all others.
  mutating func append(_ number: Int) {
    if let last = ranges.last, last.upperBound == number {
      ranges[ranges.count - 1] = last.lowerBound..<number + 1
    } else {
      precondition(ranges.last.map { $0.upperBound < number } ?? true, "numbers are added in their order")
      ranges.append(number..<number + 1)
    }
  }

  /// Whether a number is in the set.
  func contains(_ number: Int) -> Bool {
    var (low, high) = (0, ranges.count)
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upperBound <= number { low = middle + 1 } else { high = middle }
    }
    return low < ranges.count && ranges[low].contains(number)
  }
}

// Each bound is written as its distance from the one before, seven bits a byte: a checkpoint is written with each chunk.
extension RecordNumbers: Codable {
  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    var bounds: [Int] = []
    var (bound, distance, shift) = (0, 0, 0)
    for byte in try container.decode(Data.self) {
      guard shift < 63 else { break }
      distance |= Int(byte & 0x7F) << shift
      shift += 7
      guard byte < 0x80 else { continue }
      let (next, isTooLarge) = bound.addingReportingOverflow(distance)
      guard distance > 0 || bounds.isEmpty, !isTooLarge else { break }
      bound = next
      bounds.append(bound)
      (distance, shift) = (0, 0)
    }
    guard bounds.count.isMultiple(of: 2), shift == 0 else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "no set of record numbers")
    }
    ranges = stride(from: 0, to: bounds.count, by: 2).map { bounds[$0]..<bounds[$0 + 1] }
  }

  func encode(to encoder: any Encoder) throws {
    var data = Data()
    var bound = 0
    for next in ranges.flatMap({ [$0.lowerBound, $0.upperBound] }) {
      var distance = next - bound
      while distance >= 0x80 {
        data.append(UInt8(distance & 0x7F | 0x80))
        distance >>= 7
      }
      data.append(UInt8(distance))
      bound = next
    }
    var container = encoder.singleValueContainer()
    try container.encode(data)
  }
}
