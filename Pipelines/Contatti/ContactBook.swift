import CoreData
import Diagnostics
import Foundation

/// The commands of the program: each opens the store, does one thing, and saves once.
struct ContactBook {
  private static let usage = """
    usage: Contatti [--store FILE] [--models DIR] COMMAND
      add FIELD=VALUE...            a new contact
      list                          all contacts, each with its number
      change NUMBER FIELD=VALUE...  other values for a contact
      delete NUMBER...              the contacts of these numbers; without a number nothing
    The fields are nome, cognome and nick. The store is contatti.sqlite, the model is looked for beside it and in SampleData.
    """

  private let context: NSManagedObjectContext
  /// The contacts; the number of one is its place from 1.
  private let contacts: [Contatto]

  /// Runs the program and gives its exit status: 0 if all went well, 1 if something was refused, 2 if it was called wrongly.
  static func run(_ words: [String]) -> Int32 {
    var words = words[...]
    var (store, models) = ("contatti.sqlite", "SampleData")
    while let option = words.first, option.hasPrefix("--") {
      guard ["--store", "--models"].contains(option), words.count > 1 else { return wrong("unknown option \(option)") }
      words.removeFirst()
      if option == "--store" { store = words.removeFirst() } else { models = words.removeFirst() }
    }
    do {
      let storage = try ManagedObjectStorage(
        fileURL: URL(fileURLWithPath: store), modelName: "Contacts", folders: [URL(fileURLWithPath: models)],
        prepare: { $0.registerClasses() })
      let book = try ContactBook(storage.newBackgroundContext())
      return try book.context.performAndWait { try book.perform(words.first ?? "", Array(words.dropFirst())) }
    } catch let error as SaveError {
      // Every reason is told, that of each field on a line of its own.
      for reason in error.reasons { note(reason) }
      return 1
    } catch {
      note("\(error)")
      return 1
    }
  }

  private init(_ context: NSManagedObjectContext) throws {
    self.context = context
    contacts = try context.fetch(Contatto.fetchRequest())
  }

  private func perform(_ command: String, _ words: [String]) throws -> Int32 {
    switch command {
    case "add": return try add(words)
    case "list": return list()
    case "change": return try change(words)
    case "delete": return try delete(words)
    default: return Self.wrong(command.isEmpty ? "a command is missing" : "unknown command \(command)")
    }
  }

  // MARK: Commands

  private func add(_ words: [String]) throws -> Int32 {
    let contact = NSEntityDescription.insertNewObject(forEntityName: "Contatto", into: context)
    guard let contact = contact as? Contatto, set(words, of: contact) else { return 2 }
    try context.save()
    print("added \(contact.line)")
    return 0
  }

  private func list() -> Int32 {
    for (index, contact) in contacts.enumerated() { print("\(index + 1)  \(contact.line)") }
    return 0
  }

  private func change(_ words: [String]) throws -> Int32 {
    guard let selected = selection(words.prefix(1)), let contact = selected.first else {
      return Self.wrong("change needs the number of a contact")
    }
    guard set(Array(words.dropFirst()), of: contact) else { return 2 }
    try context.save()
    print("changed \(contact.line)")
    return 0
  }

  private func delete(_ words: [String]) throws -> Int32 {
    guard let selected = selection(words[...]) else { return 2 }
    if selected.isEmpty {
      Self.note("nothing is selected, nothing is deleted")
      return 0
    }
    for contact in selected { context.delete(contact) }
    let lines = selected.map(\.line)
    try context.save()
    for line in lines { print("deleted \(line)") }
    return 0
  }

  // MARK: Words

  /// The contacts of some numbers; nil, with a message, if one is none.
  private func selection(_ words: ArraySlice<String>) -> [Contatto]? {
    var selected: [Contatto] = []
    for word in words {
      guard let number = Int(word), contacts.indices.contains(number - 1) else {
        _ = Self.wrong("\(word) is the number of no contact; there are \(contacts.count)")
        return nil
      }
      selected.append(contacts[number - 1])
    }
    return selected
  }

  /// Gives a contact the values of `FIELD=VALUE`, an empty one for none; false, with a message, if a word is no such thing.
  private func set(_ words: [String], of contact: Contatto) -> Bool {
    for word in words {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      let value = parts.count == 2 && !parts[1].isEmpty ? parts[1] : nil
      switch (parts.count, parts[0]) {
      case (2, "nome"): contact.nome = value
      case (2, "cognome"): contact.cognome = value
      case (2, "nick"): contact.nick = value
      default:
        _ = Self.wrong("\(word) is no FIELD=VALUE of the fields nome, cognome and nick")
        return false
      }
    }
    return true
  }

  private static func wrong(_ message: String) -> Int32 {
    note("\(message)\n\(usage)")
    return 2
  }

  private static func note(_ message: String) {
    FileHandle.standardError.write(Data("Contatti: \(message)\n".utf8))
  }
}

extension Contatto {
  /// The contact as a list shows it.
  fileprivate var line: String {
    let name = [nome, cognome].compactMap(\.self).joined(separator: " ")
    return nick.map { "\(name) (\($0))" } ?? name
  }
}

extension SaveError {
  /// Why the save was refused, each reason as a sentence.
  fileprivate var reasons: [String] {
    switch self {
    case .validation(let invalid): invalid.map { "\($0.error)" }
    case .duplicate(let duplicates):
      duplicates.map { "another contact has this \($0.constraint.joined(separator: " and "))" }
    case .conflict: ["the contact was changed by another program meanwhile"]
    case .store(let diagnostic): ["\(diagnostic)"]
    }
  }
}
