import Bytes
import Diagnostics
import Foundation
import Migration

/// A model as a commit of a git repository has it, copied to a temporary folder.
final class GitModel {
  private let folder: URL
  private let place: URL

  /// Copies the model of a path as it is at a commit, tag or branch; nil if the commit does not have it.
  ///
  /// - Throws: Git that is not there, a folder that is in no repository, a name that is no commit.
  init?(_ path: String, at reference: String) throws {
    let path = FileSystem.resolved(path)
    let git = Git(in: FileSystem.folder(of: path))
    let prefix = try git.text(["rev-parse", "--show-prefix"], orElse: { .noRepository(path, reference, $0) })
    let commit = try git.text(
      ["rev-parse", "--verify", "--end-of-options", reference + "^{commit}"], orElse: { .noCommit(reference, $0) })
    let model = prefix + FileSystem.name(of: path)
    let list = try git.run(
      ["--literal-pathspecs", "ls-tree", "-r", "-z", "--full-tree", "--name-only", commit, "--", model],
      orElse: { .gitFailed($0) })
    let files = String(decoding: list, as: UTF8.self).split(separator: "\0").map(String.init)
      .filter { ["contents", ".xccurrentversion"].contains(FileSystem.name(of: $0)) }
    guard !files.isEmpty else { return nil }

    folder = FileManager.default.temporaryDirectory.appendingPathComponent("gantry-\(UUID().uuidString)")
    place = folder.appendingPathComponent(FileSystem.name(of: path))
    for file in files where !file.split(separator: "/").contains("..") {
      let data = try git.run(["show", "\(commit):\(file)"], orElse: { .gitFailed($0) })
      let url = place.appendingPathComponent(String(file.dropFirst(model.count)))
      try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try data.write(to: url)
    }
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// The versions of the model; they do not depend on the copy.
  func versions() throws(Diagnostic) -> ModelVersions { try ModelVersions(contentsOf: place) }
}

/// Git, run in a folder.
private struct Git {
  let folder: String

  init(in folder: String) { self.folder = folder }

  /// What a command prints.
  ///
  /// - Parameter orElse: What to throw when it fails, of what it says.
  func run(_ arguments: [String], orElse error: (String) -> Diagnostic) throws -> Data {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["git", "-C", folder] + arguments
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    process.standardInput = FileHandle.nullDevice
    do {
      try process.run()
    } catch {
      throw Diagnostic.gitFailed("\(error)")
    }
    // Its talk is short: it fits the pipe while the data are read.
    let data = output.fileHandleForReading.readDataToEndOfFile()
    let talk = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw error(
        String(decoding: talk, as: UTF8.self).split(separator: "\n").first.map(String.init) ?? "no reason given")
    }
    return data
  }

  /// The line that a command prints.
  func text(_ arguments: [String], orElse error: (String) -> Diagnostic) throws -> String {
    let text = String(decoding: try run(arguments, orElse: error), as: UTF8.self)
    return text.hasSuffix("\n") ? String(text.dropLast()) : text
  }
}

extension Diagnostic {
  fileprivate static func noRepository(_ path: String, _ reference: String, _ reason: String) -> Diagnostic {
    Diagnostic(
      Code("check.git", .usage), "there is no folder \(reference), and \(path) is in no git repository: \(reason)",
      hint: "Name a folder with the released model.")
  }

  fileprivate static func noCommit(_ reference: String, _ reason: String) -> Diagnostic {
    Diagnostic(
      Code("check.git", .usage), "\(reference) is no folder, and no commit, tag or branch: \(reason)",
      hint: "In continuous integration fetch it first, e.g. `git fetch origin main`, and name origin/main.")
  }

  fileprivate static func gitFailed(_ reason: String) -> Diagnostic {
    Diagnostic(
      Code("check.git-failed", .environment), "git failed: \(reason)", hint: "Install git, and see what it says.")
  }
}
