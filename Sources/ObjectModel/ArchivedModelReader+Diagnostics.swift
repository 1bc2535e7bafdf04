package import Diagnostics

extension Diagnostic.Code {
  /// A compiled model, or the cache of one, cannot be read.
  package static let modelArchive = Diagnostic.Code("model.archive", .store)
  /// A compiled model has something that cannot be kept; the rest is read.
  package static let modelArchiveLoss = Diagnostic.Code("model.archive-loss", .warning)
}

extension Diagnostic {
  private static let damaged = "Compile the model again, or give its source, the .xcdatamodeld."

  private init(archive code: Code, _ message: String, hint: String, _ file: String) {
    self.init(code, message, hint: hint, at: SourcePosition(file: file))
  }

  // MARK: The archive

  static func modelArchive(_ error: Diagnostic, _ file: String) -> Diagnostic {
    Diagnostic(
      archive: .modelArchive, "the compiled model cannot be read: \(error.message)", hint: damaged, file)
  }

  static func modelArchiveClass(_ found: String?, _ file: String) -> Diagnostic {
    Diagnostic(
      archive: .modelArchive,
      "expected an archive of NSManagedObjectModel, found \(found.map { "one of \($0)" } ?? "a plain value")",
      hint: "Name a .mom or .momd of an app, the source of a model, or a store.", file)
  }

  static func modelArchiveLacks(_ key: String, _ owner: String, _ file: String) -> Diagnostic {
    Diagnostic(
      archive: .modelArchive, "the compiled model is damaged: \(owner) has no \(key) that can be read", hint: damaged,
      file)
  }

  static func modelArchiveEndless(_ file: String) -> Diagnostic {
    Diagnostic(
      archive: .modelArchive, "the compiled model is damaged: it unfolds to too many objects", hint: damaged, file)
  }

  // MARK: Names

  static func modelArchiveReference(_ owner: String, _ role: String, _ name: String, _ file: String) -> Diagnostic {
    let found = name.isEmpty ? "has no \(role)" : "has \(name) as its \(role), which is not there"
    return Diagnostic(archive: .modelReference, "the compiled model is damaged: \(owner) \(found)", hint: damaged, file)
  }

  static func modelArchiveDuplicate(_ what: String, _ file: String) -> Diagnostic {
    Diagnostic(archive: .modelDuplicate, "the compiled model is damaged: it has \(what) twice", hint: damaged, file)
  }

  static func modelArchiveInheritance(_ entity: String, _ file: String) -> Diagnostic {
    Diagnostic(
      archive: .modelCycle,
      "the compiled model is damaged: \(entity) inherits from itself, or over more than 100 entities",
      hint: damaged, file)
  }

  static func modelArchiveInverse(_ relationship: String, _ inverse: String, _ file: String) -> Diagnostic {
    Diagnostic(
      archive: .modelInverse, "the inverse of \(relationship) is \(inverse), which does not lead back", hint: damaged,
      file)
  }

  // MARK: What this program does not know

  static func modelArchiveNumber(_ what: String, _ number: Int, _ owner: String, _ file: String) -> Diagnostic {
    Diagnostic(
      archive: .modelType, "\(owner) has the \(what) \(number), which is not known",
      hint: "The model is damaged, or of a newer system than this program knows.", file)
  }

  static func modelArchivePropertyClass(_ name: String?, _ owner: String, _ file: String) -> Diagnostic {
    Diagnostic(
      archive: .modelType,
      "\(owner) is of \(name.map { "the class \($0)" } ?? "no class"), which is no kind of property",
      hint: "The model is damaged, or of a newer system than this program knows.", file)
  }

  static func modelArchiveDerivation(_ owner: String, _ file: String) -> Diagnostic {
    Diagnostic(
      archive: .modelArchive,
      "the derivation of \(owner), on which its version hash depends, is of a form that is not known",
      hint: "Give the source of the model, the .xcdatamodeld.", file)
  }

  // MARK: Losses

  static func modelArchivePredicate(_ owner: String, _ file: String) -> Diagnostic {
    Diagnostic(
      archive: .modelArchiveLoss, "the predicate of \(owner) is of a form that is not known; it is left out",
      hint: "Give the source of the model, the .xcdatamodeld, if it matters.", file)
  }

  static func modelArchiveDefault(
    _ owner: String, _ type: NSAttributeType, _ found: String?, _ file: String
  ) -> Diagnostic {
    Diagnostic(
      archive: .modelArchiveLoss,
      "the default of \(owner)\(found.map { ", an object of \($0)," } ?? "") is no value of the type "
        + "\(type.modelName) that can be kept; new objects have none",
      hint: "Give it a value by the columns of the input.", file)
  }

  static func modelArchiveLimit(_ text: String, _ owner: String, _ file: String) -> Diagnostic {
    Diagnostic(
      archive: .modelArchiveLoss, "values of \(owner) are not checked by the rule \(text), which is of an unknown form",
      hint: "The app checks them when it saves; name the source of the model to have them checked here.",
      file)
  }
}
