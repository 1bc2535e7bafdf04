import Diagnostics
import TestSupport
import Testing

@testable import Gantry

struct HelpTests {
  @Test func overview() {
    #expect(
      Help.overview.joined(separator: "\n") == """
        Gantry \(version): fills Core Data stores from txt, CSV and XML files.

          gantry import PIPELINE.json5
          gantry import FILE... --model MODEL --entity NAME --store STORE
              Fill a store from files: as a pipeline file says, or from files of one entity by the options.
          gantry export STORE DIR
              Write all objects and links of a store into a folder of files that `gantry import` reads back.
          gantry fetch STORE ENTITY
              Print the objects of an entity for which a condition holds. The store is not touched.
          gantry migrate STORE --model MODEL
          gantry migrate --rehearse DIR --model MODEL
              Make a store of another version of its model one of the current version, or say what that
              would do; or rehearse it on copies of all stores in a folder.
          gantry fixtures PIPELINE.json5 DIR
              Fill a store of each version of a pipeline's model from the pipeline's files:
              DIR/VERSION.sqlite, the same bytes each time.
          gantry inspect STORE|MODEL
              Print what a store or a model is: versions, hashes, entities, rows. Nothing is changed or left
              behind.
          gantry check STORE [--model MODEL]
          gantry check MODEL [--against FOLDER|GIT-REF]
          gantry check PIPELINE.json5
              Say what is wrong with a store; with the shadow attributes of a model, and whether released
              versions are unchanged and renames told; or with a pipeline file and the model as the pipeline
              uses it.
          gantry model hash MODEL
              Print the version hash of each entity, the digest and the checksum, separated by tabs.
          gantry model ddl MODEL
              Print the SQL of a new store of the model, one statement a line.
          gantry model diff A B
          gantry model diff MODEL --from NAME --to NAME
              Print what differs between two models, and what it means for stores of A that become stores of
              B.
          gantry model create MODEL STORE
              Make an empty store of the model.
          gantry model generate MODEL DIR
              Write a Swift class for each entity that names one; your own parts of the classes stay.

        `gantry help COMMAND` lists the options of a command. Exit codes:

          0    all records are in, or there were none; nothing is wrong
          1    finished, some records rejected within the skip limit
          2    command line, pipeline or mapping error: an unknown option, an unmatched column, a required
               attribute without one
          3    input missing, a folder, unreadable, of 0 bytes (unless allowed), cut short or malformed
          4    skip limit exceeded: rolled back to the last chunk, or to nothing for a new store
          5    another run holds the store
          6    model or store does not serve: missing model, unknown type, no such entity, not SQLite, not
               Core Data, other version hashes, no way to migrate, damaged; or `gantry check` found
               something
          7    no folder for the store, no permission, disk full
          130  stopped by SIGINT; the open chunk is rolled back, and the same command goes on behind the
               last one
          143  stopped by SIGTERM, likewise
        """)
  }

  @Test func oneCommand() {
    #expect(
      Help.text(.modelCreate).joined(separator: "\n") == """
        gantry model create MODEL STORE

        Make an empty store of the model.

          --model-version NAME   the version of the model (default: the current one)
          --framework-version N  the version of Core Data that a new store says wrote it (default: 1345)
          --journal delete|wal   the journal that a new store keeps (default: delete)
          --template STORE       an empty store, made by the app itself, that a new store starts from as a
                                 copy
          --append               keep the rows of a template that is not empty
          --reproducible         make the same bytes of the same input: the UUID is derived from the
                                 content; a store that is there is refused
        """)
  }

  /// A terminal of 100 columns shows all of it as it is.
  @Test(arguments: [[]] + Command.all.map(\.words) + [["model"]])
  func lengthOfLines(_ words: [String]) throws {
    let lines = try Help.text(words)
    #expect(lines.allSatisfy { $0.count <= 100 && $0.last != " " })
  }

  @Test(arguments: [["help", "model"], ["model", "--help"], ["model", "-h"]])
  func severalCommands(_ words: [String]) {
    let talk = Talk(words)
    #expect(talk.status == .done && talk.errors.isEmpty)
    for command in Command.all where command.words[0] == "model" {
      for way in command.operands.split(separator: " | ") {
        #expect(talk.output.contains("  gantry \(command.name) \(way)\n"))
      }
    }
  }

  @Test(arguments: [["help"], ["--help"], ["-h"]])
  func wayToTheOverview(_ words: [String]) {
    let talk = Talk(words)
    #expect(talk.status == .done && talk.output == Self.text(Help.overview) && talk.errors.isEmpty)
  }

  /// No command at all is an error: a script that calls the tool so has lost its arguments.
  @Test func noCommand() {
    let talk = Talk([])
    #expect(talk.status == .usage && talk.output.isEmpty && talk.errors == Self.text(Help.overview))
  }

  @Test(arguments: Command.all.map(\.words))
  func wayToACommand(_ words: [String]) throws {
    let command = try #require(Command.all.first { $0.words == words })
    for line in [["help"] + words, words + ["--help"], words + ["x", "-h"]] {
      let talk = Talk(line)
      #expect(talk.status == .done && talk.output == Self.text(Help.text(command)) && talk.errors.isEmpty, "\(line)")
    }
    for way in command.operands.split(separator: " | ") {
      #expect(Help.overview.contains("  gantry \(command.name) \(way)"))
    }
  }

  @Test(arguments: Command.all.map(\.words))
  func everyOptionIsThere(_ words: [String]) throws {
    let command = try #require(Command.all.first { $0.words == words })
    // Lines are cut at blanks: without their ends and paddings the texts are whole.
    let text = Help.text(command).joined(separator: " ").split(separator: " ").joined(separator: " ")
    for option in command.options {
      #expect(text.contains(" \(option.flag) ") && text.contains(option.help), "\(option.flag)")
      // One style for all of them.
      #expect(option.help.first?.isUppercase == false && !option.help.hasSuffix("."), "\(option.flag)")
      #expect(option.form != .object, "\(option.flag) cannot be spelled on a command line")
    }
    #expect(Set(command.options.map(\.flag)).count == command.options.count)
  }

  @Test(arguments: Gantry.ExitStatus.allCases)
  func everyExitStatusIsThere(_ status: Gantry.ExitStatus) {
    let text = Help.overview.joined(separator: " ").split(separator: " ").joined(separator: " ")
    #expect(text.contains(" \(status.rawValue) \(status.meaning)"))
  }

  @Test func versionNumber() {
    let talk = Talk(["--version"])
    #expect(talk.status == .done && talk.output == "gantry \(version)\n" && talk.errors.isEmpty)
  }

  private static func text(_ lines: [String]) -> String { lines.map { $0 + "\n" }.joined() }
}
