import Diagnostics
import Foundation

extension Diagnostic {
  static func unknownOption(_ name: String, known: [String]) -> Diagnostic {
    Diagnostic(
      Code("store.option", .usage), "\(name) is no option of a store",
      hint: "There are \(known.joined(separator: ", ")).")
  }

  static func optionOfType(_ name: String) -> Diagnostic {
    Diagnostic(
      Code("store.option", .usage), "the value of \(name) is of another type", hint: "Its documentation tells the type."
    )
  }

  static func unknownStoreType(_ name: String) -> Diagnostic {
    Diagnostic(
      Code("store.type", .usage), "there are no stores of the type \(name)",
      hint: "There are \(NSSQLiteStoreType) and \(NSInMemoryStoreType).")
  }

  static func storeWithoutFile(_ type: String) -> Diagnostic {
    Diagnostic(
      Code("store.type", .usage), "a store of the type \(type) has no file",
      hint: "That of \(NSSQLiteStoreType) has one.")
  }

  static func unknownConfiguration(_ name: String, known: [String]) -> Diagnostic {
    let near = NearestName.question(name, in: known)
    let list = known.isEmpty ? "It has none." : "There are \(known.joined(separator: ", "))."
    return Diagnostic(
      Code("store.configuration", .usage), "the model has no configuration \(name)", hint: near + list)
  }

  static func storeWithoutPlace() -> Diagnostic {
    Diagnostic(Code("store.place", .usage), "an SQLite store needs the URL of a file", hint: "Set its `url`.")
  }

  static func modelNotFound(_ name: String, in folders: [URL]) -> Diagnostic {
    Diagnostic(
      Code("model.not-found", .store),
      "there is no model \(name) (\(ModelFinder.extensions.map { ".\($0)" }.joined(separator: ", "))) in "
        + folders.map(\.path).joined(separator: ", "),
      hint: "Put it beside the store, or name its folder.")
  }
}
