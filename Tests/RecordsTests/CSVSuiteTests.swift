import Bytes
import Diagnostics
import Foundation
import TestSupport
import Testing

@testable import Records

/// The files of public suites that say what must be read.
@Suite(.enabled(if: Shared.isThere, Shared.comment)) struct CSVSuiteTests {
  /// Files with an expected reading, but for two whose empty lines the suite takes for records of one empty field, and one
  /// whose quotes inside a field, which RFC 4180 does not allow, it takes for text.
  static func files() throws -> [(file: String, expected: String)] {
    let index = try String(contentsOf: Shared.url("csv/suites/index.tsv"), encoding: .utf8)
    let deviating: Set = [
      "csv-test-data/csv/all-empty.csv", "csv-test-data/csv/empty-one-column.csv",
      "csv-spectrum/csvs/location_coordinates.csv",
    ]
    return index.split(separator: "\n").dropFirst().compactMap { line in
      let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard cells.count > 5, !cells[5].isEmpty, !deviating.contains(cells[0]) else { return nil }
      return (cells[0], cells[5])
    }
  }

  @Test(arguments: [1, 7, 1 << 16]) func expectedReadings(window: Int) throws {
    let files = try Self.files()
    #expect(files.count == 27)
    for (file, expected) in files {
      let text = try Data(contentsOf: Shared.url("csv/suites/\(file)"))
      let json = try JSONSerialization.jsonObject(with: Data(contentsOf: Shared.url("csv/suites/\(expected)")))
      let (columns, records) = try read(text, window: window)
      if let rows = json as? [[String: String]] {
        #expect(rows == records.map { Dictionary(uniqueKeysWithValues: zip(columns, $0)) }, "\(file)")
      } else {
        let rows = try #require(json as? [[String]], "\(file)")
        #expect(rows == [columns] + records, "\(file)")
      }
    }
  }

  /// Every file of the suites is read to an end by windows of any size alike, and no record is lost without a word.
  @Test func everyFile() throws {
    let folder = try Shared.url("csv/suites")
    let files = try #require(FileManager.default.enumerator(atPath: folder.path)).compactMap { $0 as? String }
    var count = 0
    for file in files.sorted() where file.hasSuffix(".csv") || file.hasSuffix(".tsv") {
      let path = folder.appendingPathComponent(file).path
      guard let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int, size < 200_000 else {
        continue
      }
      let dumps = [13, 1 << 16].map { window in
        dump {
          try DelimitedReader(
            try TextSource(try FileSource(path)), syntax: DelimitedSyntax(), layout: DelimitedReader.Layout(header: 0),
            windowSize: window)
        }
      }
      #expect(dumps[0] == dumps[1], "\(file)")
      count += 1
    }
    #expect(count > 300)
  }

  private func read(_ text: Data, window: Int) throws -> (columns: [String], records: [[String]]) {
    let source = try TextSource(MemorySource(text, file: "t.csv"))
    let reader = try DelimitedReader(
      source, syntax: DelimitedSyntax(), layout: DelimitedReader.Layout(), windowSize: window)
    let chunk = RecordChunk()
    var refused: [Diagnostic] = []
    while try reader.read(into: chunk, limit: 2, refuse: { refused.append($1) }) {}
    #expect(refused.isEmpty)
    return (
      reader.columns,
      (0..<chunk.count).map { record in (0..<chunk.fieldCount(record)).map { chunk.text(record, $0) } }
    )
  }
}
