package import Diagnostics

extension Diagnostic.Code {
  /// There is no model at the path.
  package static let modelMissing = Diagnostic.Code("model.missing", .store)
  /// The model is in a binary form.
  package static let modelBinary = Diagnostic.Code("model.binary", .store)
  /// A compiled model is another than its folder says.
  package static let modelHashes = Diagnostic.Code("model.hashes", .store)
  /// The version of the model is unknown, or cannot be chosen.
  package static let modelVersion = Diagnostic.Code("model.version", .store)
}

extension Diagnostic {
  static func modelMissing(_ name: String) -> Diagnostic {
    Diagnostic(
      .modelMissing, "there is no model at \(name)",
      hint: "A path is relative to the folder in which the program runs, or to the pipeline file that names it.")
  }

  static func modelUnreadable(_ name: String) -> Diagnostic {
    Diagnostic(.modelMissing, "the model \(name) cannot be read", hint: "Check the permissions of the file.")
  }

  static func modelEndless(_ found: String, _ name: String) -> Diagnostic {
    Diagnostic(
      .modelMissing, "expected a model, found \(found): \(name)",
      hint: "Name an .xcdatamodeld or .momd folder, one of the files in it, or a store.")
  }

  static func modelEmpty(_ name: String) -> Diagnostic {
    Diagnostic(
      .modelMissing, "the folder \(name) holds no model",
      hint:
        "An .xcdatamodeld holds folders named .xcdatamodel, and each of these a file `contents`; a .momd holds .mom files."
    )
  }

  static func modelOld(_ name: String) -> Diagnostic {
    Diagnostic(
      .modelBinary, "\(name) is a model of Xcode 3, in a form that is not read",
      hint: "Open the model in Xcode 4 or later and save it, or give a store of it, whose cache may have the model.")
  }

  static func modelOptimised(_ name: String) -> Diagnostic {
    Diagnostic(
      .modelBinary, "\(name) is an optimised compiled model (.omo), whose form is Apple's own",
      hint: "Give the .mom of the same version, which lies beside it in the app, or the source of the model.")
  }

  static func modelIsStore(_ name: String) -> Diagnostic {
    Diagnostic(
      .modelBinary, "expected a model, found a store: \(name)",
      hint: "In Swift the model of a store is `NSManagedObjectModel(cachedIn:)`.")
  }

  static func modelHashes(_ entities: [String], _ name: String) -> Diagnostic {
    Diagnostic(
      .modelHashes,
      "the version hashes of \(name) are not those that VersionInfo.plist records; entities that differ: "
        + entities.joined(separator: ", "),
      hint: "Compile the model again, or name the .mom itself.")
  }

  static func modelMarker(_ name: String) -> Diagnostic {
    Diagnostic(
      .modelVersion, "\(name) is not a property list",
      hint: "Choose the current version in Xcode, or name one: --model-version, or --to of a migration.")
  }

  static func modelVersionUnknown(_ version: String, known: [String], _ name: String) -> Diagnostic {
    let hint =
      known.isEmpty ? "The file is not in a versioned model: leave --model-version out." : versionList(known)
    return Diagnostic(.modelVersion, "\(name) has no version \(version)", hint: hint)
  }

  static func modelVersionGone(_ version: String, known: [String], _ name: String) -> Diagnostic {
    Diagnostic(
      .modelVersion, "the current version of \(name) is \(version), which is not there",
      hint: versionList(known) + " Name one: --model-version, or --to of a migration.")
  }

  static func modelVersionOpen(known: [String], marker: String, _ name: String) -> Diagnostic {
    Diagnostic(
      .modelVersion, "\(name) has \(known.count) versions, and no \(marker) says which is the current one",
      hint: versionList(known) + " Name one: --model-version, or --to of a migration.")
  }

  private static func versionList(_ names: [String]) -> String { "The versions are \(names.joined(separator: ", "))." }
}
