import Foundation
import TestSupport
import Testing

/// Runs that are killed, stopped or started twice. `Scripts/torture` does the same with large files.
struct InterruptionTests {
  static let count = 3000

  /// A shell starts what runs in its background with SIGINT ignored, and so would be the tool.
  init() { signal(SIGINT, SIG_DFL) }

  /// A folder with a store of one item and a file of many, some of them bad.
  private func folder() throws -> ItemFolder {
    let folder = try ItemFolder()
    try folder.csv([0], to: "first.csv")
    try folder.import("first.csv").expectDone()
    try folder.csv(1...Self.count, bad: Set(stride(from: 70, to: Self.count, by: 97)))
    return folder
  }

  private static let words = ["import", "items.csv", "--chunk", "50", "--skip-limit", "none"] + ItemFolder.options

  /// The dump and the reject file of an undisturbed run.
  private func calm() throws -> (dump: String, rejects: String) {
    let folder = try folder()
    let run = try folder.run(Self.words)
    #expect(run.status == 1, "\(run.errors)")
    return (try folder.dump(), try folder.text("items.sqlite.rejects/items.rejected.csv"))
  }

  @Test(arguments: ["DELETE", "WAL"]) func kills(journal: String) throws {
    let calm = try calm()
    let folder = try folder()
    try folder.setJournal(journal)
    var numbers = SeededGenerator(seed: 11)
    var count = 1
    var kills = 0
    while true {
      let running = try RunningTool(Self.words, in: folder.url)
      // Somewhere around the next chunks; the last run comes to its end, or on a machine that is slow to look an earlier one.
      if kills < 5 {
        try waitFor {
          guard running.process.isRunning else { return true }
          guard let found = try? folder.codes().count, found > count else { return false }
          count = found
          return true
        }
        usleep(.random(in: 0...20_000, using: &numbers))
        kill(running.process.processIdentifier, SIGKILL)
      }
      let run = try running.wait()
      kills += 1
      if run.status == 1 { break }
      #expect(run.status == 128 + SIGKILL, "\(run.errors)")
      try #require(kills <= 5)
    }
    #expect(kills > 1)
    #expect(try folder.leftovers() == [])
    #expect(try folder.dump() == calm.dump)
    #expect(try folder.text("items.sqlite.rejects/items.rejected.csv") == calm.rejects)
  }

  @Test(arguments: zip([SIGTERM, SIGINT], [143, 130] as [Int32])) func stops(signal: Int32, status: Int32) throws {
    let calm = try calm()
    let folder = try folder()
    let running = try RunningTool(Self.words, in: folder.url)
    try waitForRows(of: folder, over: 1)
    kill(running.process.processIdentifier, signal)
    let run = try running.wait()
    #expect(run.status == status, "\(run.errors)")
    #expect(run.errors.contains("Run the same command again to go on behind the last one."))
    #expect(try folder.leftovers() == [])
    let before = try folder.codes().count
    #expect(before > 1 && before < Self.count)
    let last = try folder.run(Self.words)
    #expect(last.status == 1 && last.errors.contains("[run.resuming]"), "\(last.errors)")
    #expect(try folder.dump() == calm.dump)
    #expect(try folder.text("items.sqlite.rejects/items.rejected.csv") == calm.rejects)
  }

  @Test(arguments: zip([SIGTERM, SIGINT], [143, 130] as [Int32])) func stopsOfNewStore(signal: Int32, status: Int32)
    throws
  {
    let folder = try ItemFolder()
    try folder.csv(1...20_000)
    let running = try RunningTool(["import", "items.csv", "--chunk", "50"] + ItemFolder.options, in: folder.url)
    try waitFor { try !folder.leftovers().filter { $0.hasSuffix(".importing") }.isEmpty }
    kill(running.process.processIdentifier, signal)
    let run = try running.wait()
    #expect(run.status == status, "\(run.errors)")
    #expect(run.errors.contains("nothing was made. Run the same command again to begin anew."))
    #expect(!folder.hasStore)
    #expect(try folder.leftovers() == [])
  }

  @Test func killedNewStoreIsMadeAnew() throws {
    let folder = try ItemFolder()
    try folder.csv(1...20_000)
    let words = ["import", "items.csv", "--chunk", "50"] + ItemFolder.options
    let running = try RunningTool(words, in: folder.url)
    try waitFor { try !folder.leftovers().filter { $0.hasSuffix(".importing") }.isEmpty }
    kill(running.process.processIdentifier, SIGKILL)
    _ = try running.wait()
    #expect(!folder.hasStore)
    try folder.run(words).expectDone()
    #expect(try folder.codes() == Array(1...20_000))
    #expect(try folder.leftovers() == [])
  }

  /// Nobody has opened the other end of the pipe.
  @Test(arguments: [true, false], zip([SIGTERM, SIGINT], [143, 130] as [Int32]).map { [$0, $1] })
  func stopWhileAPipeHasNoWriter(isNew: Bool, signal: [Int32]) throws {
    let folder = try ItemFolder()
    try folder.csv([0], to: "first.csv")
    if !isNew { try folder.import("first.csv").expectDone() }
    mkfifo(folder.path("pipe.csv"), 0o600)
    let running = try RunningTool(["import", "pipe.csv"] + ItemFolder.options, in: folder.url)
    try waitFor { try folder.leftovers().contains("items.sqlite.lock") }
    kill(running.process.processIdentifier, signal[0])
    let run = try running.wait()
    #expect(run.status == signal[1] && run.errors.contains("gantry: stopped"), "\(run.errors)")
    #expect(folder.hasStore == !isNew)
    #expect(try folder.leftovers() == [])
  }

  /// The pipeline file, too, may be one that takes long, and nothing is open yet.
  @Test func stopWhileTheModelIsRead() throws {
    let folder = try ItemFolder()
    let entities = (0..<4000).map { number in
      "<entity name='E\(number)'>"
        + (0..<10).map { "<attribute name='a\($0)' optional='YES' attributeType='String'/>" }.joined() + "</entity>"
    }
    try folder.write("<model>\(entities.joined())</model>", to: "Large.xcdatamodel/contents")
    try folder.csv(1...3)
    let running = try RunningTool(
      ["import", "items.csv", "--model", "Large.xcdatamodel", "--entity", "E1", "--store", "items.sqlite"],
      in: folder.url)
    usleep(300_000)
    kill(running.process.processIdentifier, SIGTERM)
    let run = try running.wait()
    #expect(run.status == 143, "\(run.errors)")
    #expect(run.errors.contains("stopped before anything was written") || run.errors.isEmpty, "\(run.errors)")
    #expect(!folder.hasStore)
    #expect(try folder.leftovers() == [])
  }

  @Test func stopWhileWaitingForInput() throws {
    let folder = try ItemFolder()
    let run = try folder.shell(
      """
      { printf 'code,name\\n1,a\\n'; sleep 3; } | { exec 3<&0; $GANTRY import - --format csv $OPTIONS <&3 & pid=$!; sleep 1; kill -TERM $pid; wait $pid; }
      """)
    #expect(run.status == 143, "\(run.errors)")
    #expect(!folder.hasStore)
    #expect(try folder.leftovers() == [])
  }

  @Test(arguments: [false, true]) func runsTogether(isNew: Bool) throws {
    for _ in 1...3 {
      let folder = try ItemFolder()
      try folder.csv(1...20_000)
      try folder.csv([0], to: "first.csv")
      if !isNew { try folder.import("first.csv").expectDone() }
      let words = ["import", "items.csv", "--chunk", "100"] + ItemFolder.options
      let both = [try RunningTool(words, in: folder.url), try RunningTool(words, in: folder.url)]
      let runs = try both.map { try $0.wait() }
      #expect(runs.map(\.status).sorted() == [0, 5], "\(runs.map(\.errors))")
      #expect(try folder.codes() == (isNew ? [] : [0]) + Array(1...20_000))
      #expect(try folder.leftovers() == [])
    }
  }

  private func waitForRows(of folder: ItemFolder, over count: Int) throws {
    try waitFor { (try? folder.codes().count) ?? 0 > count }
  }

  private func waitFor(_ condition: () throws -> Bool) throws {
    let limit = Date(timeIntervalSinceNow: 30)
    while try !condition() {
      try #require(Date() < limit, "waited for half a minute")
      usleep(2000)
    }
  }
}
