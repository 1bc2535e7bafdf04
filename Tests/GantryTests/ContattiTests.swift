import Foundation
import TestSupport
import Testing

/// The program of `Pipelines/Contatti`, run as a user runs it.
struct ContattiTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func addsListsChangesDeletes() throws {
    try expect(["add", "nome=Ada", "cognome=Lovelace", "nick=ada"], 0, "added Ada Lovelace (ada)\n")
    try expect(["add", "nome=Grace", "cognome=Hopper"], 0, "added Grace Hopper\n")
    try expect(["list"], 0, "1  Ada Lovelace (ada)\n2  Grace Hopper\n")
    try expect(["change", "2", "nick=amazing"], 0, "changed Grace Hopper (amazing)\n")
    try expect(["change", "1", "nick="], 0, "changed Ada Lovelace\n")
    try expect(["list"], 0, "1  Ada Lovelace\n2  Grace Hopper (amazing)\n")
    try expect(["delete", "1"], 0, "deleted Ada Lovelace\n")
    try expect(["list"], 0, "1  Grace Hopper (amazing)\n")
  }

  /// An incomplete contact is refused with the names of the fields, all of them, and is not in the store.
  @Test func incompleteContacts() throws {
    try expect(["add", "nome=Ada"], 1, errors: "Contatti: Contatto.cognome is required, found no value\n")
    try expect(
      ["add", "nick=ada"], 1,
      errors: """
        Contatti: Contatto.cognome is required, found no value
        Contatti: Contatto.nome is required, found no value

        """)
    try expect(["list"], 0)
    try expect(["add", "nome=Ada", "cognome=Lovelace"], 0, "added Ada Lovelace\n")
    try expect(["change", "1", "cognome="], 1, errors: "Contatti: Contatto.cognome is required, found no value\n")
    try expect(["list"], 0, "1  Ada Lovelace\n")
  }

  @Test func deletingNothing() throws {
    try expect(["add", "nome=Ada", "cognome=Lovelace"], 0, "added Ada Lovelace\n")
    let store = try Data(contentsOf: folder.url.appendingPathComponent("c.sqlite"))
    try expect(["delete"], 0, errors: "Contatti: nothing is selected, nothing is deleted\n")
    #expect(try run(["delete", "2"]).status == 2)
    #expect(try Data(contentsOf: folder.url.appendingPathComponent("c.sqlite")) == store)
  }

  /// What a save is refused for otherwise: a nick that is taken.
  @Test func takenNicks() throws {
    try expect(["add", "nome=Ada", "cognome=Lovelace", "nick=a"], 0, "added Ada Lovelace (a)\n")
    let taken = "Contatti: another contact has this nick\n"
    try expect(["add", "nome=Alan", "cognome=Turing", "nick=a"], 1, errors: taken)
    try expect(["add", "nome=Alan", "cognome=Turing"], 0, "added Alan Turing\n")
    try expect(["change", "2", "nick=a"], 1, errors: taken)
    try expect(["list"], 0, "1  Ada Lovelace (a)\n2  Alan Turing\n")
  }

  @Test(arguments: [["sing"], [], ["add", "nom=Ada"], ["change"], ["change", "x"], ["--loud", "list"]])
  func wrongCalls(_ words: [String]) throws {
    let run = try run(words)
    #expect(run.status == 2 && run.errors.contains("usage: Contatti") && run.output.isEmpty)
  }

  /// A store that cannot be opened is reported, and stays as it is.
  @Test func damagedStores() throws {
    let text = "no database, but long enough to be taken for one"
    try folder.write(text, to: "c.sqlite")
    let run = try run(["list"])
    #expect(run.status == 1 && run.errors.contains("[store.not-sqlite]"), "\(run.errors)")
    #expect(try String(contentsOfFile: folder.path("c.sqlite"), encoding: .utf8) == text)
  }

  private func expect(_ words: [String], _ status: Int32, _ output: String = "", errors: String = "") throws {
    let run = try run(words)
    #expect(run.status == status, "\(words)")
    #expect(run.output == output)
    #expect(run.errors == errors)
  }

  private func run(_ words: [String]) throws -> ToolRun {
    let tool = ToolRun.executable.deletingLastPathComponent().appendingPathComponent("Contatti")
    let models = ToolRun.project.appendingPathComponent("SampleData").path
    let options = words.first?.hasPrefix("--") ?? false ? [] : ["--store", folder.path("c.sqlite"), "--models", models]
    return try ToolRun(options + words, tool: tool, in: folder.url)
  }
}
