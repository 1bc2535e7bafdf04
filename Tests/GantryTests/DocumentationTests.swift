import Diagnostics
import Foundation
import TestSupport
import Testing

@testable import Gantry

/// What the documentation says is what the tool does.
struct DocumentationTests {
  static let files = ["README.md", "Pipelines/README.md"]

  @Test(arguments: files)
  func everyCommandRuns(_ file: String) throws {
    let project = try ProjectCopy()
    for line in Self.blocks(of: "sh", in: try ProjectCopy.text(file)).joined() {
      var words = Self.words(of: line)
      if let comment = words.firstIndex(of: "#") { words.removeSubrange(comment...) }
      guard let program = words.first else { continue }
      if program == "gantry" {
        let run = try ToolRun(Array(words.dropFirst()), in: project.folder.url)
        #expect(run.status == 0, "\(line)\n\(run.errors)")
      } else {
        // The scripts build and install; here they need only be there.
        #expect(words.count == 1 && program.hasPrefix("Scripts/"), "\(line)")
        let path = ToolRun.project.appendingPathComponent(program).path
        #expect(FileManager.default.isExecutableFile(atPath: path), "\(line)")
      }
    }
  }

  /// The summary that the README shows is the one that its first import prints; times are not compared.
  @Test func summaryIsAsShown() throws {
    let text = try ProjectCopy.text("README.md")
    let shown = try #require(Self.blocks(of: "", in: text).first { $0.first?.hasPrefix("step ") ?? false })
    let commands = Self.blocks(of: "sh", in: text).joined()
    let command = try #require(commands.first { $0.hasPrefix("gantry import SampleData/") })
    let project = try ProjectCopy()
    let run = try ToolRun(command.split(separator: " ").dropFirst().map(String.init), in: project.folder.url)
    #expect(run.errors.split(separator: "\n").map(Self.withoutTimes) == shown.map(Self.withoutTimes))
  }

  /// What the README shows of a fetch is what it prints of the sample contacts.
  @Test func fetchIsAsShown() throws {
    let text = try ProjectCopy.text("README.md")
    let shown = try #require(Self.blocks(of: "", in: text).first { $0.first?.hasPrefix("_id ") ?? false })
    let commands = Self.blocks(of: "sh", in: text).joined().map(Self.words)
    let project = try ProjectCopy()
    for words in [["import", "SampleData/"], ["fetch", "contacts.sqlite"]] {
      let command = try #require(commands.first { $0.count > 2 && $0[1] == words[0] && $0[2].hasPrefix(words[1]) })
      let run = try ToolRun(Array(command.dropFirst()), in: project.folder.url)
      #expect(run.status == 0, "\(run.errors)")
      if words[0] == "fetch" { #expect(run.output == shown.map { $0 + "\n" }.joined()) }
    }
  }

  /// What the README shows of a rehearsal is what it prints of the sample's fixtures; times are not compared.
  @Test func rehearsalIsAsShown() throws {
    let text = try ProjectCopy.text("README.md")
    let shown = try #require(Self.blocks(of: "", in: text).first { $0.first?.hasPrefix("store ") ?? false })
    let commands = Self.blocks(of: "sh", in: text).joined().map(Self.words)
    let project = try ProjectCopy()
    for word in ["fixtures", "--rehearse"] {
      let run = try ToolRun(
        Array(try #require(commands.first { $0.contains(word) }).dropFirst()), in: project.folder.url)
      #expect(run.status == 0, "\(run.errors)")
      if word != "fixtures" {
        #expect(run.output.split(separator: "\n").map(Self.withoutSeconds) == shown.map(Self.withoutSeconds))
      }
    }
  }

  @Test(arguments: files)
  func everyPipelineShownIsOne(_ file: String) throws {
    for block in Self.blocks(of: "json5", in: try ProjectCopy.text(file)) {
      let step = block.joined(separator: "\n")
      #expect(throws: Never.self) {
        try PipelineFile.decode("{ model: 'm', store: 's', steps: [\n\(step)\n] }", file: "README.md")
      }
    }
  }

  @Test(arguments: Command.all.map(\.name))
  func commandIsDocumented(_ name: String) throws {
    #expect(try ProjectCopy.text("README.md").contains("gantry \(name)"))
  }

  @Test(arguments: Gantry.ExitStatus.allCases)
  func exitStatusIsDocumented(_ status: Gantry.ExitStatus) throws {
    let rows = try ProjectCopy.text("README.md").split(separator: "\n")
    #expect(rows.contains("| \(status.rawValue) | \(status.meaning) |"))
  }

  /// The model that is shown is the one that the commands name.
  @Test func modelIsAsShown() throws {
    let shown = try #require(Self.blocks(of: "xml", in: ProjectCopy.text("README.md")).first)
    #expect(try ProjectCopy.text("SampleData/Notes.xcdatamodel/contents") == shown.joined(separator: "\n") + "\n")
  }

  /// Every flag that the documentation names is one of an option.
  @Test(arguments: files)
  func everyFlagIsAnOption(_ file: String) throws {
    let known = Set(Command.all.flatMap(\.options).map(\.flag) + ["--version", "--help"])
    let text = try ProjectCopy.text(file)
    for match in text.matches(of: /(?:^|\s|`)(--[a-z][a-z-]*)/) {
      #expect(known.contains(String(match.output.1)), "\(match.output.1)")
    }
  }

  @Test(arguments: files)
  func everyLinkLeadsSomewhere(_ file: String) throws {
    let folder = ToolRun.project.appendingPathComponent(file).deletingLastPathComponent()
    for match in try ProjectCopy.text(file).matches(of: /\]\(([^)#:]+)\)/) {
      let path = folder.appendingPathComponent(String(match.output.1)).path
      #expect(FileManager.default.fileExists(atPath: path), "\(match.output.1)")
    }
  }

  /// Every deviation names a suite that is there.
  @Test func everyDeviationHasItsTest() throws {
    let tests = ToolRun.project.appendingPathComponent("Tests")
    let files = try #require(FileManager.default.subpaths(atPath: tests.path)).filter { $0.hasSuffix(".swift") }
    let suites = Set(
      try files.flatMap { file in
        try String(contentsOf: tests.appendingPathComponent(file), encoding: .utf8)
          .matches(of: /(?:struct|class|enum) (\w+Tests)\b/).map { String($0.output.1) }
      })
    let rows = try ProjectCopy.text("DEVIATIONS.md").split(separator: "\n").filter { $0.hasPrefix("|") }.dropFirst(2)
    #expect(!rows.isEmpty)
    for row in rows {
      let names = row.matches(of: /\b(\w+Tests)\b/).map { String($0.output.1) }
      #expect(!names.isEmpty && names.allSatisfy(suites.contains), "\(row)")
    }
  }

  @Test func everyPipelineIsListed() throws {
    let text = try ProjectCopy.text("Pipelines/README.md")
    for name in try ProjectCopy.pipelines() { #expect(text.contains("`\(name)`"), "\(name)") }
  }

  // MARK: Texts

  /// The words of a command line, of which those in single quotes may hold blanks.
  static func words(of line: String) -> [String] {
    line.matches(of: /'([^']*)'|[^ ]+/).map { String($0.output.1 ?? $0.output.0) }
  }

  /// The lines of the blocks of a language.
  static func blocks(of language: String, in text: String) -> [[String]] {
    var blocks: [[String]] = []
    var isInside = false
    var isWanted = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        isInside.toggle()
        isWanted = isInside && line.dropFirst(3) == language
        if isWanted { blocks.append([]) }
      } else if isWanted {
        blocks[blocks.count - 1].append(String(line))
      }
    }
    return blocks
  }

  private static func withoutSeconds(_ line: some StringProtocol) -> String {
    String(line).replacing(#/\d+\.\d\d/#, with: "0.00")
  }

  /// A line of a summary without its times, rates and paddings.
  private static func withoutTimes(_ line: some StringProtocol) -> String {
    String(line).replacing(#/ +\d+\.\d\d +\d+/#, with: " TIMES").replacing(#/ +/#, with: " ")
  }
}
