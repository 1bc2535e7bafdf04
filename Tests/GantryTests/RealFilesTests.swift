import Bytes
import Foundation
import Gantry
import SQLiteDriver
import TestSupport
import Testing

/// Real files of the shared folder, imported by a model and a pipeline of `RealFiles`, against the figures of `figures.py`.
@Suite(.enabled(if: Shared.isThere, Shared.comment))
struct RealFilesTests {
  /// The folder of models, pipelines and figures.
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("RealFiles")

  @Test(arguments: RealImport.small)
  func small(_ source: RealImport) throws { try compare(source, importedBy: ToolRun.executable) }

  @Test(
    .enabled(
      if: ToolRun.releaseExecutable != nil, "skipped: GANTRY_RELEASE_TOOL names no release build, and others are slow"),
    arguments: RealImport.large)
  func large(_ source: RealImport) throws {
    try compare(source, importedBy: try #require(ToolRun.releaseExecutable))
  }

  private func compare(_ source: RealImport, importedBy tool: URL) throws {
    let folder = try source.folder()
    let run = try ToolRun(["import", source.name + ".json5", "--json"], tool: tool, in: folder.url)
    #expect(run.status == (try source.rejects ? 1 : 0), "\(run.errors)")
    let summary = try JSONDecoder().decode(Summary.self, from: Data(run.output.utf8))
    let store = try Connection(folder.path(source.name + ".sqlite"), .readOnly)
    #expect(try store.pragma("integrity_check") == "ok")
    for figure in try Figure.all(of: source.name) {
      switch figure {
      case .step(let name, let counts):
        let step = try #require(summary.steps.first { $0.name == name }, "no step \(name)")
        #expect(Figure.Counts(step.counts) == counts, "\(name)")
      case .column(let query, let digest):
        #expect(try Figure.Digest(of: query, in: store) == digest, "\(query)")
      }
    }
  }

  /// The part of the summary that the figures speak of.
  private struct Summary: Decodable {
    struct Step: Decodable {
      let name: String
      let counts: StepCounts
    }
    let steps: [Step]
  }
}

/// An import: the files of the shared folder that a pipeline reads, and the model it fills.
struct RealImport: Sendable, CustomTestStringConvertible {
  /// The name of the pipeline and its store.
  let name: String
  let model: String
  let files: [String]

  var testDescription: String { name }

  static let large = [
    RealImport(
      name: "OpenFlights", model: "OpenFlights.xcdatamodeld", files: flights("airports", "airlines", "routes")),
    RealImport(
      name: "OpenFlightsStrict", model: "OpenFlights.xcdatamodeld", files: flights("airports", "airlines", "routes")),
    RealImport(name: "Equipment", model: "OpenFlights.xcdatamodeld", files: flights("planes", "routes")),
    RealImport(name: "EquipmentStrict", model: "OpenFlights.xcdatamodeld", files: flights("planes", "routes")),
    RealImport(name: "Unicode", model: "Unicode.xcdatamodel", files: ["realdata/unicode/UnicodeData.txt"]),
  ]

  static let small = [
    RealImport(
      name: "CountryCodes", model: "CountryCodes.xcdatamodel", files: ["realdata/country-codes/country-codes.csv"]),
    RealImport(name: "Currencies", model: "Currencies.xcdatamodel", files: ["realdata/iso/iso_4217.xml"]),
    RealImport(name: "Countries", model: "Countries.xcdatamodel", files: ["realdata/iso/iso_3166-1.xml"]),
    RealImport(name: "Colors", model: "Colors.xcdatamodel", files: ["realdata/colours/x11-rgb.txt"]),
    RealImport(
      name: "FixedWidth", model: "FixedWidth.xcdatamodel",
      files: ["fwf-sample", "massey-rating", "epa78"].map { "csv/suites/readr/inst/extdata/\($0).txt" }),
    RealImport(
      name: "Playlists", model: "Playlists.xcdatamodel",
      files: ["Track", "Playlist", "PlaylistTrack"].map { "realdata/chinook/\($0).csv" }),
  ]

  private static func flights(_ tables: String...) -> [String] { tables.map { "realdata/openflights/\($0).dat" } }

  /// A folder with the pipeline, its model, and links to its inputs beside them.
  func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for item in [name + ".json5", model] {
      try FileManager.default.copyItem(
        at: RealFilesTests.folder.appendingPathComponent(item), to: folder.url.appendingPathComponent(item))
    }
    for file in files {
      let input = try Shared.url(file)
      try FileManager.default.createSymbolicLink(
        at: folder.url.appendingPathComponent(input.lastPathComponent), withDestinationURL: input)
    }
    return folder
  }

  /// Whether some of the records must be rejected.
  var rejects: Bool {
    get throws {
      try Figure.all(of: name).contains { if case .step(_, let counts) = $0 { counts.rejected > 0 } else { false } }
    }
  }
}

/// A line of `figures.tsv`: what an independent reader says of a step or of a column of the store.
enum Figure {
  /// What becomes of the records of a step.
  case step(String, Counts)
  /// The values that a query gives, in the order of the records.
  case column(String, Digest)

  struct Counts: Equatable {
    let read: Int
    let filtered: Int
    let rejected: Int
    /// The keys of destinations that do not exist and become NULL.
    let nulled: Int
  }

  struct Digest: Equatable {
    let values: Int
    let nulls: Int
    /// The first digits of the SHA-256 of the values as text, each ended by a newline.
    let sha256: String
  }

  /// The figures of an import.
  static func all(of name: String) throws -> [Figure] {
    let file = RealFilesTests.folder.appendingPathComponent("figures.tsv")
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    let figures = lines.map { $0.split(separator: "\t").map(String.init) }.filter { $0[0] == name }.map(Figure.init)
    return try #require(figures.isEmpty ? nil : figures, "no figures of \(name)")
  }

  private init(_ fields: [String]) {
    let numbers = fields.dropFirst(2).map { Int($0) ?? -1 }
    if fields[1].hasPrefix("step ") {
      self = .step(
        String(fields[1].dropFirst("step ".count)),
        Counts(read: numbers[0], filtered: numbers[1], rejected: numbers[2], nulled: numbers[3]))
    } else {
      self = .column(fields[1], Digest(values: numbers[0], nulls: numbers[1], sha256: fields[4]))
    }
  }
}

extension Figure.Counts {
  /// What Gantry says of a step.
  init(_ counts: StepCounts) {
    self.init(
      read: counts.readCount, filtered: counts.filterCount, rejected: counts.rejectCount, nulled: counts.nullLinkCount)
  }
}

extension Figure.Digest {
  /// What a store holds.
  init(of query: String, in store: Connection) throws {
    let statement = try store.prepare(query)
    var hash = SHA256()
    var (values, nulls) = (0, 0)
    while try statement.step() {
      let value = statement.value(0)
      values += 1
      if value == .null { nulls += 1 }
      hash.update(Array((try Self.text(value) + "\n").utf8))
    }
    self.init(values: values, nulls: nulls, sha256: String(Hex.encode(hash.finish()).prefix(16)))
  }

  private static func text(_ value: SQLiteValue) throws -> String {
    switch value {
    case .null: "\\N"
    case .integer(let integer): "\(integer)"
    case .real(let real): "\(real)"
    case .text(let text): text
    case .blob(let bytes): try color(bytes) ?? Hex.encode(bytes)
    }
  }

  /// The colour that an archive of an opaque NSColor keeps, as `#rrggbb`; nil if the bytes are something else.
  private static func color(_ bytes: [UInt8]) throws -> String? {
    guard bytes.starts(with: Array("bplist00".utf8)) else { return nil }
    let archive = try PropertyListSerialization.propertyList(from: Data(bytes), format: nil) as? [String: Any]
    let objects = archive?["$objects"] as? [Any] ?? []
    let color = objects.lazy.compactMap { $0 as? [String: Any] }.first { $0["NSRGB"] != nil }
    guard let components = color?["NSRGB"] as? Data, let space = color?["NSColorSpace"] as? Int else { return nil }
    let texts = String(decoding: components.prefix { $0 != 0 }, as: UTF8.self).split(separator: " ")
    let levels = texts.compactMap { Double($0).flatMap { UInt8(exactly: ($0 * 255).rounded()) } }
    guard (1...2).contains(space), texts.count == 3, levels.count == 3 else { return nil }
    return "#" + Hex.encode(levels)
  }
}
