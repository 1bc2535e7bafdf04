import Diagnostics
import TestSupport
import Testing

@testable import Gantry

struct HelpTests {
  @Test func overview() {
    #expect(
      Help.overview == """
        Gantry \(version): fills Core Data stores from txt, CSV and XML files.

          gantry import PIPELINE.json5 | FILE... --model MODEL --entity NAME --store STORE
                                              Fill a store from files: as a pipeline file says, or from files of one entity by the options.
          gantry export STORE DIR             Write all objects and links of a store into a folder of files that `gantry import` reads back.
          gantry migrate STORE --model MODEL  Make a store of another version of its model one of the current version, or say what that would do.
          gantry inspect STORE|MODEL          Print what a store or a model is: versions, hashes, entities, rows. Nothing is changed or left behind.
          gantry check STORE [--model MODEL] | MODEL --against FOLDER|GIT-REF
                                              Say what is wrong with a store, or whether released versions of a model are unchanged and renames told.
          gantry model hash MODEL             Print the version hash of each entity, the digest and the checksum, separated by tabs.
          gantry model ddl MODEL              Print the SQL of a new store of the model, one statement a line.
          gantry model diff A [B]             Print what differs between two models, and what it means for stores of A that become stores of B.
          gantry model create MODEL STORE     Make an empty store of the model.
          gantry model generate MODEL DIR     Write a Swift class for each entity that names one; your own parts of the classes stay.

        `gantry help COMMAND` lists the options of a command. Exit codes:

          0    all records are in, or there were none
          1    finished, some records rejected within the skip limit
          2    command line, pipeline or mapping error
          3    input missing, a folder, unreadable, empty or malformed
          4    skip limit exceeded: rolled back to the last chunk, or to nothing for a new store
          5    another run holds the store
          6    model or store does not serve
          7    no folder, no permission, disk full
          130  stopped by SIGINT
          143  stopped by SIGTERM
        """)
  }

  @Test func oneCommand() {
    #expect(
      Help.text(.modelCreate) == """
        gantry model create MODEL STORE

        Make an empty store of the model.

          --model-version NAME   the version of the model (default: the current one)
          --framework-version N  the version of Core Data that a new store says wrote it (default: 1345)
          --journal delete|wal   the journal that a new store keeps (default: delete)
          --template STORE       an empty store, made by the app itself, that a new store starts from as a copy
          --append               keep the rows of a template that is not empty
        """)
  }

  @Test(arguments: [["help"], ["--help"], ["-h"]])
  func wayToTheOverview(_ words: [String]) {
    let talk = Talk(words)
    #expect(talk.status == .done && talk.output == Help.overview + "\n" && talk.errors.isEmpty)
  }

  /// No command at all is an error: a script that calls the tool so has lost its arguments.
  @Test func noCommand() {
    let talk = Talk([])
    #expect(talk.status == .usage && talk.output.isEmpty && talk.errors == Help.overview + "\n")
  }

  @Test(arguments: Command.all.map(\.words))
  func wayToACommand(_ words: [String]) throws {
    let command = try #require(Command.all.first { $0.words == words })
    for line in [["help"] + words, words + ["--help"], words + ["x", "-h"]] {
      let talk = Talk(line)
      #expect(talk.status == .done && talk.output == Help.text(command) + "\n" && talk.errors.isEmpty, "\(line)")
    }
    #expect(Help.overview.contains("gantry \(command.name) \(command.operands)"))
  }

  @Test(arguments: Command.all.map(\.words))
  func everyOptionIsThere(_ words: [String]) throws {
    let command = try #require(Command.all.first { $0.words == words })
    let lines = Help.text(command).split(separator: "\n")
    for option in command.options {
      let line = lines.firstIndex { $0.hasPrefix("  \(option.flag) ") }
      // The help of a long option stands on the line below.
      let texts = line.map { lines[$0...].prefix(2).joined() } ?? ""
      #expect(texts.contains(option.help), "\(option.flag)")
      // One style for all of them.
      #expect(option.help.first?.isUppercase == false && !option.help.hasSuffix("."), "\(option.flag)")
      #expect(option.form != .object, "\(option.flag) cannot be spelled on a command line")
    }
    #expect(Set(command.options.map(\.flag)).count == command.options.count)
  }

  @Test(arguments: Gantry.ExitStatus.allCases)
  func everyExitStatusIsThere(_ status: Gantry.ExitStatus) {
    let lines = Help.overview.split(separator: "\n")
    #expect(lines.contains { $0.hasPrefix("  \(status.rawValue) ") && $0.hasSuffix(status.meaning) })
  }

  @Test func versionNumber() {
    let talk = Talk(["--version"])
    #expect(talk.status == .done && talk.output == "gantry \(version)\n" && talk.errors.isEmpty)
  }
}
