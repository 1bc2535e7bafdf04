import Foundation
import TestSupport
import Testing

/// Folders and disks that do not serve.
struct EnvironmentTests {
  static let isRoot = geteuid() == 0
  /// The command that runs another one as a user without rights.
  static let asNobody = isRoot ? "setpriv --reuid 65534 --regid 65534 --clear-groups" : ""
  /// Whether such a user reaches the tool: a checkout in the folder of root is closed to it.
  static let nobodyMayRun: Bool = {
    guard let folder = try? TemporaryFolder() else { return false }
    return (try? ToolRun(shell: "chmod 755 .; \(asNobody) $GANTRY --version", in: folder.url))?.status == 0
  }()
  static let nobodyComment: Comment = "skipped: a user without rights cannot run the tool where it is"
  static let mayMount: Bool = {
    guard isRoot, let folder = try? TemporaryFolder() else { return false }
    let mounts = "mount -t tmpfs -o size=1m tmpfs . && cd / && umount '\(folder.url.path)'"
    return (try? ToolRun(shell: mounts, in: folder.url))?.status == 0
  }()
  static let mountComment: Comment = "skipped: only root can mount a small file system"

  @Test(.enabled(if: nobodyMayRun, nobodyComment)) func folderThatMayNotBeWritten() throws {
    let folder = try ItemFolder()
    try folder.csv(1...3)
    let run = try folder.shell(
      "chmod 555 . && \(Self.asNobody) $GANTRY import items.csv $OPTIONS; s=$?; chmod 755 .; exit $s")
    #expect(run.status == 7 && run.errors.contains("[environment.permission]"), "\(run.errors)")
    #expect(!folder.hasStore)
    #expect(try folder.leftovers() == [])
  }

  @Test(.enabled(if: nobodyMayRun, nobodyComment)) func storeAndInputThatMayNotBeUsed() throws {
    let folder = try ItemFolder()
    try folder.csv(1...3)
    let readOnly = try folder.shell(
      "$GANTRY import items.csv $OPTIONS --quiet && chmod 444 items.sqlite && chmod 777 . && "
        + "\(Self.asNobody) $GANTRY import items.csv $OPTIONS")
    #expect(
      readOnly.status == 7 && readOnly.errors.contains("items.sqlite may not be opened or written"),
      "\(readOnly.errors)")
    #expect(readOnly.errors.contains("[environment.permission]"))
    let unreadable = try folder.shell(
      "rm -f items.sqlite; chmod 000 items.csv && \(Self.asNobody) $GANTRY import items.csv $OPTIONS")
    #expect(unreadable.status == 3 && unreadable.errors.contains("[input.unreadable]"), "\(unreadable.errors)")
    #expect(!folder.hasStore)
    #expect(try folder.leftovers() == [])
  }

  @Test(.enabled(if: mayMount, mountComment), arguments: [false, true]) func fullDisk(isNew: Bool) throws {
    let folder = try ItemFolder()
    try folder.csv(1...2000)
    try folder.csv(5001...5100, to: "first.csv")
    let first = isNew ? "" : "$GANTRY import ../first.csv $OPTIONS --quiet &&"
    let run = try folder.shell(
      """
      mkdir disk && mount -t tmpfs -o size=\(isNew ? 64 : 128)k tmpfs disk && cp -r Item.xcdatamodel disk && cd disk || exit 99
      \(first) $GANTRY import ../items.csv $OPTIONS --chunk 100 --json; s=$?
      cd ..; rm -r disk/Item.xcdatamodel; cp -r disk/. kept; umount disk; exit $s
      """)
    #expect(run.status == 7, "\(run.status) \(run.errors)")
    #expect(run.errors.contains("no space is left on the disk") && run.errors.contains("[environment.no-space]"))
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.path("kept"))
    #expect(left == (isNew ? [] : ["items.sqlite"]))
    guard !isNew else { return }
    #expect(try folder.rows("PRAGMA integrity_check", of: "kept/items.sqlite") == ["ok"])
    let codes = try folder.codes(of: "kept/items.sqlite")
    #expect(codes.count > 100 && (codes.count - 100).isMultiple(of: 100))
    #expect(codes == Array(5001...5100) + Array(1...codes.count - 100))
    #expect(
      run.output.contains("\"written\" : \(codes.count - 100),")
        || run.output.contains("\"written\" : \(codes.count - 100)\n"))

    // With room again the same command goes on.
    try folder.shell("cp kept/items.sqlite .").expectDone()
    try folder.shell(
      "mkdir again && cp -r kept/items.sqlite Item.xcdatamodel again && cd again && $GANTRY import ../items.csv $OPTIONS --chunk 100"
    )
    .expectDone()
    #expect(try folder.codes(of: "again/items.sqlite") == Array(5001...5100) + Array(1...2000))
  }

  @Test(.enabled(if: mayMount, mountComment)) func diskWithoutRoomForAnEmptyStore() throws {
    let folder = try ItemFolder()
    try folder.csv(1...3)
    let run = try folder.shell(
      """
      mkdir disk && mount -t tmpfs -o size=12k tmpfs disk || exit 99
      $GANTRY import items.csv $STORELESS --store disk/items.sqlite; s=$?
      cp -r disk/. kept; umount disk; exit $s
      """)
    #expect(run.status == 7 && run.errors.contains("[environment.no-space]"), "\(run.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("kept")) == [])
  }

  @Test(arguments: [false, true]) func fileBeyondTheAllowedSize(isNew: Bool) throws {
    let folder = try ItemFolder()
    try folder.csv(1...3000)
    try folder.csv(5001...5100, to: "first.csv")
    if !isNew { try folder.import("first.csv").expectDone() }
    // Blocks of 512 bytes.
    let run = try folder.shell("ulimit -f 160; $GANTRY import items.csv $OPTIONS --chunk 100")
    #expect(run.status == 7 && run.errors.contains("[environment."), "\(run.status) \(run.errors)")
    #expect(folder.hasStore == !isNew)
    #expect(try folder.leftovers() == [])
    guard !isNew else { return }
    try folder.import("items.csv", "--chunk", "100").expectDone()
    #expect(try folder.codes() == Array(5001...5100) + Array(1...3000))
  }

  @Test func outputThatNobodyReads() throws {
    let folder = try ItemFolder()
    try folder.csv(1...3, bad: [2])
    let run = try folder.shell(
      "{ $GANTRY import items.csv $OPTIONS 2>&1; echo $? > status; } | true; sleep 0.2; cat status")
    #expect(run.output == "1\n")
    #expect(try folder.codes() == [1, 3])
    let full = try folder.shell("$GANTRY import items.csv $OPTIONS --on-conflict skip --key code --json > /dev/full")
    #expect(full.status == 7, "\(full.errors)")
  }
}

extension ToolRun {
  /// Expects a good end.
  func expectDone(sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(status == 0, "\(errors)", sourceLocation: sourceLocation)
  }
}
