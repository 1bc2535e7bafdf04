import Foundation
import TestSupport

/// The built tool, run once as a process: what it told the shell and what it wrote.
struct ToolRun: Sendable {
  /// The exit status.
  let status: Int32
  /// What it wrote to standard output.
  let output: String
  /// What it wrote to standard error.
  let errors: String

  /// Runs the tool to its end.
  ///
  /// - Parameters:
  ///   - tool: the build that is run; the one beside the tests by default.
  ///   - folder: the folder that it runs in; the test's own by default.
  ///   - environment: variables that are set beside the test's own.
  ///   - input: what it reads from standard input; nothing by default.
  init(
    _ arguments: [String], tool: URL = executable, in folder: URL? = nil, environment: [String: String] = [:],
    input: Data = Data()
  ) throws {
    self = try RunningTool(arguments, tool: tool, in: folder, environment: environment, input: input).wait()
  }

  /// Runs a script of the shell, in which `$GANTRY` is the tool: for pipes, limits and other users.
  init(shell script: String, in folder: URL) throws {
    self = try RunningTool(
      ["-c", script], tool: URL(fileURLWithPath: "/bin/sh"), in: folder, environment: ["GANTRY": Self.executable.path]
    ).wait()
  }

  fileprivate init(status: Int32, output: String, errors: String) {
    self.status = status
    self.output = output
    self.errors = errors
  }

  /// The tool: the one that stands beside the test bundle.
  static let executable: URL = {
    let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
    // On Linux the bundle is the running program itself.
    let tests = bundle ?? Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0])
    return tests.deletingLastPathComponent().appendingPathComponent("gantry")
  }()

  /// The release build that `Scripts/test` makes first, for what takes too long with the other.
  static let releaseExecutable = ProcessInfo.processInfo.environment["GANTRY_RELEASE_TOOL"].map {
    URL(fileURLWithPath: $0)
  }

  /// The folder of the project: that of Package.swift.
  static let project = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
}

/// The tool while it runs, for tests that stop it or run another beside it.
final class RunningTool {
  /// The process, for signals: `kill(running.process.processIdentifier, SIGKILL)`.
  let process = Process()
  private let folder: TemporaryFolder

  /// Starts the tool.
  init(
    _ arguments: [String], tool: URL = ToolRun.executable, in folder: URL? = nil, environment: [String: String] = [:],
    input: Data = Data()
  ) throws {
    self.folder = try TemporaryFolder()
    process.executableURL = tool
    process.arguments = arguments
    if let folder { process.currentDirectoryURL = folder }
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { _, new in new }
    // Files, not pipes: a pipe that nobody empties would stop the tool.
    let standardInput = try FileHandle(forReadingFrom: file("in", holding: input))
    let standardOutput = try FileHandle(forWritingTo: file("out"))
    let standardError = try FileHandle(forWritingTo: file("err"))
    process.standardInput = standardInput
    process.standardOutput = standardOutput
    process.standardError = standardError
    try process.run()
    // A process keeps its handles after its end, and Foundation's `run()` reads past its buffer where more than some
    // 1,300 descriptors are open.
    for handle in [standardInput, standardOutput, standardError] { try handle.close() }
  }

  /// Waits for the end, and makes one after a minute.
  ///
  /// - Returns: what it wrote; the status is 128 and the signal's number if a signal ended it, as a shell tells it.
  func wait() throws -> ToolRun {
    let limit = Date(timeIntervalSinceNow: 60)
    while process.isRunning {
      if Date() > limit { process.interrupt() }
      if Date() > limit + 1 { kill(process.processIdentifier, SIGKILL) }
      usleep(5000)
    }
    let isKilled = process.terminationReason == .uncaughtSignal
    return ToolRun(
      status: isKilled ? 128 + process.terminationStatus : process.terminationStatus, output: try text("out"),
      errors: try text("err"))
  }

  /// What it has written to standard error so far.
  func errorsSoFar() throws -> String { try text("err") }

  private func file(_ name: String, holding data: Data = Data()) throws -> URL {
    URL(fileURLWithPath: try folder.write(data, to: name))
  }

  private func text(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: folder.url.appendingPathComponent(name)), as: UTF8.self)
  }
}
