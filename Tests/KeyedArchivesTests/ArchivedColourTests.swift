import Diagnostics
import Foundation
import TestSupport
import Testing

@testable import KeyedArchives

struct ArchivedColourTests {
  @Test func writtenArchive() throws {
    let archive = try KeyedArchive(ArchivedColour.rgb(red: 1, green: 0.2, blue: 0, alpha: 0.5).archive(as: .nscolor))
    let root = try #require(archive.rootObject)
    #expect(root.className == "NSColor")
    #expect(root.classes == ["NSColor", "NSObject"])
    #expect(root.fields["NSColorSpace"] == .integer(2))
    #expect(root.fields["NSRGB"] == .data(Data("1 0.2 0 0.5\0".utf8)))
    #expect(archive.objects.first == .string("$null"))
  }

  @Test func opaqueHasThreeComponents() throws {
    let archive = try KeyedArchive(ArchivedColour.rgb(red: 0, green: 0, blue: 1, alpha: 1).archive(as: .nscolor))
    #expect(archive.rootObject?.fields["NSRGB"] == .data(Data("0 0 1\0".utf8)))
  }

  @Test(arguments: 1...100) func randomRoundTrip(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let parts = (0..<4).map { _ in Double.random(in: 0...1, using: &random) }
    let data = ArchivedColour.rgb(red: parts[0], green: parts[1], blue: parts[2], alpha: parts[3]).archive(as: .nscolor)
    #expect(try ArchivedColour(data) == .rgb(red: parts[0], green: parts[1], blue: parts[2], alpha: parts[3]))
  }

  /// An archive of a colour with other keys than ours has.
  private static func archive(_ fields: [PropertyList.Entry], _ classes: [String] = ["NSColor", "NSObject"]) -> Data {
    var archive = KeyedArchive()
    archive.add(fields, classes: classes)
    return archive.data
  }

  private static func text(_ text: String) -> PropertyList { .data(Data(text.utf8)) }

  static let read: [Case<Data, ArchivedColour>] = [
    Case(
      "calibrated", archive([.init("NSColorSpace", .integer(1)), .init("NSRGB", text("0.5 1e-05 1\0"))]),
      .rgb(red: 0.5, green: 0.00001, blue: 1, alpha: 1)),
    Case(
      "no NUL", archive([.init("NSColorSpace", .integer(2)), .init("NSRGB", text("0 0 1 0"))]),
      .rgb(red: 0, green: 0, blue: 1, alpha: 0)),
    Case(
      "grey", archive([.init("NSColorSpace", .integer(3)), .init("NSWhite", text("0.5\0"))]), .white(0.5, alpha: 1)),
    Case(
      "device grey", archive([.init("NSColorSpace", .integer(4)), .init("NSWhite", text("0.5 0.25\0"))]),
      .white(0.5, alpha: 0.25)),
    Case(
      "CMYK", archive([.init("NSColorSpace", .integer(5)), .init("NSCMYK", text("0.1 0.2 0.3 0.4 1\0"))]),
      .cmyk(cyan: 0.1, magenta: 0.2, yellow: 0.3, black: 0.4, alpha: 1)),
  ]

  @Test(arguments: read) func reads(_ c: Case<Data, ArchivedColour>) throws {
    #expect(try ArchivedColour(c.input) == c.expected)
  }

  static let refused: [Case<Data, String>] = [
    Case(
      "a text", PropertyList.string("x").binary,
      "the property list is no keyed archive: its $archiver is not NSKeyedArchiver"),
    Case(
      "another class", archive([], ["Cover", "NSObject"]),
      "expected an archive of NSColor or UIColor, found one of Cover"),
    Case(
      "no space", archive([.init("NSRGB", text("0 0 0\0"))]),
      "the archived colour cannot be read: it has no NSColorSpace"),
    Case(
      "unknown space", archive([.init("NSColorSpace", .integer(10))]),
      "the archived colour cannot be read: its NSColorSpace is 10"),
    Case(
      "no components", archive([.init("NSColorSpace", .integer(2))]),
      "the archived colour cannot be read: it has no NSRGB"),
    Case(
      "two components", archive([.init("NSColorSpace", .integer(2)), .init("NSRGB", text("0 0\0"))]),
      "the archived colour cannot be read: its NSRGB does not hold 3 or 4 numbers"),
    Case(
      "words", archive([.init("NSColorSpace", .integer(2)), .init("NSRGB", text("0 nan 0x1p3\0"))]),
      "the archived colour cannot be read: its NSRGB does not hold 3 or 4 numbers"),
  ]

  @Test(arguments: refused) func refuses(_ c: Case<Data, String>) {
    let error = #expect(throws: Diagnostic.self) { try ArchivedColour(c.input) }
    #expect(error?.message == c.expected)
  }

  /// Python's plistlib is an independent reader of binary property lists and knows references.
  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3"), "skipped: no /usr/bin/python3"))
  func pythonReadsIt() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(
      ArchivedColour.rgb(red: 1, green: 0, blue: 0.5, alpha: 1).archive(as: .nscolor), to: "colour.plist")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    let script = """
      import plistlib, sys
      a = plistlib.load(open(sys.argv[1], "rb")); o = a["$objects"]; c = o[a["$top"]["root"].data]; k = o[c["$class"].data]
      print(a["$version"], a["$archiver"], o[0], c["NSColorSpace"], c["NSRGB"], k["$classname"], *k["$classes"])
      """
    process.arguments = ["-c", script, path]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(text == "100000 NSKeyedArchiver $null 2 b'1 0 0.5\\x00' NSColor NSColor NSObject\n")
  }

  private static func keys(of archive: KeyedArchive) -> Set<String> {
    guard case .dictionary(let entries)? = archive.rootObject?.fields else { return [] }
    return Set(entries.map(\.key))
  }

  /// Terminal's settings keep each colour as an archive; the text beside a file lists its colours.
  ///
  /// 33 of the 540 texts are not the archived colour: one theme's are of another colour space, some were lightened for
  /// contrast. Python's plistlib reads the same 33 others from the archives.
  @Test(.enabled(if: Shared.isThere, Shared.comment)) func terminalSettings() throws {
    let folder = try Shared.url("archives/nscolor")
    let names = [
      "Black", "Red", "Green", "Yellow", "Blue", "Magenta", "Cyan", "White", "BrightBlack", "BrightRed", "BrightGreen",
      "BrightYellow", "BrightBlue", "BrightMagenta", "BrightCyan", "BrightWhite",
    ]
    var (count, others) = (0, 0)
    for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    where file.pathExtension == "terminal" {
      let read = try PropertyListSerialization.propertyList(from: Data(contentsOf: file), format: nil)
      let settings = try #require(read as? [String: Any])
      let listed = try String(contentsOf: file.deletingPathExtension().appendingPathExtension("txt"), encoding: .utf8)
      for line in listed.split(separator: "\n") {
        let parts = line.split(separator: "=").map { $0.trimmingCharacters(in: .whitespaces) }
        let key: String
        switch parts[0] {
        case "palette": key = "ANSI\(names[try #require(Int(parts[1]))])Color"
        case "background": key = "BackgroundColor"
        case "foreground": key = "TextColor"
        default: continue
        }
        guard let archive = settings[key] as? Data else { continue }
        guard case .rgb(let red, let green, let blue, _) = try ArchivedColour(archive) else {
          Issue.record("\(file.lastPathComponent) \(key): not RGB")
          continue
        }
        let text = "#" + [red, green, blue].map { String(format: "%02x", Int(($0 * 255).rounded())) }.joined()
        if text != parts.last?.lowercased() { others += 1 }
        let ours = try KeyedArchive(
          ArchivedColour.rgb(red: red, green: green, blue: blue, alpha: 1).archive(as: .nscolor))
        let theirs = try KeyedArchive(archive)
        #expect(ours.rootObject?.className == theirs.rootObject?.className)
        #expect(ours.rootObject?.classes == theirs.rootObject?.classes)
        #expect(Self.keys(of: ours).isSubset(of: Self.keys(of: theirs)))
        // A colour of a custom space has two keys more.
        if theirs.rootObject?.fields["NSCustomColorSpace"] == nil {
          #expect(Self.keys(of: ours) == Self.keys(of: theirs))
        }
        #expect(ours.rootObject?.fields["NSColorSpace"] == theirs.rootObject?.fields["NSColorSpace"])
        count += 1
      }
    }
    #expect(count == 540)
    #expect(others == 33)
  }
}
