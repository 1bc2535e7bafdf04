import TestSupport

@testable import Gantry

/// What a command said, run inside the test.
struct Talk {
  let status: ExitStatus
  let output: String
  let errors: String

  init(_ words: [String]) {
    let record = Record()
    let console = Console(out: { record.output += $0 }, err: { record.errors += $0 })
    status = Command.run(words, console: console)
    output = record.output
    errors = record.errors
  }

  private final class Record {
    var output = ""
    var errors = ""
  }
}

extension [String] {
  /// The words of a command line in which no word holds a blank.
  init(words: String) { self = words.split(separator: " ").map(String.init) }
}
