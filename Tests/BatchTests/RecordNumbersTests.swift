import Foundation
import Testing

@testable import Batch

struct RecordNumbersTests {
  /// None, one, a range, every second, and some far apart.
  static let sets: [[Int]] = [
    [], [7], Array(1...1000), Array(stride(from: 2, to: 400, by: 2)),
    [1, 128, 129, 16_384, 1_000_000_000, 1_000_000_001, .max - 1],
  ]

  @Test(arguments: sets) func membersAndForm(_ set: [Int]) throws {
    var numbers = RecordNumbers()
    for number in set { numbers.append(number) }
    for number in set.flatMap({ [$0 - 1, $0, $0 + 1] }) + [3] {
      #expect(numbers.contains(number) == set.contains(number))
    }
    let data = try PropertyListEncoder().encode([numbers])
    #expect(try PropertyListDecoder().decode([RecordNumbers].self, from: data) == [numbers])
  }

  @Test func smallWhateverItHolds() throws {
    var numbers = RecordNumbers()
    for number in stride(from: 1, to: 200_000, by: 2) { numbers.append(number) }
    #expect(try JSONEncoder().encode([numbers]).count < 300_000)
  }

  @Test(
    arguments: [[0x80], [1], [5, 0], [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F, 1]] as [[UInt8]])
  func damaged(_ bytes: [UInt8]) throws {
    let data = try PropertyListEncoder().encode([Data(bytes)])
    #expect(throws: (any Error).self) { try PropertyListDecoder().decode([RecordNumbers].self, from: data) }
  }
}
