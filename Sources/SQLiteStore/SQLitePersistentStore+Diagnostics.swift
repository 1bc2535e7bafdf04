import Bytes
package import Diagnostics
import Foundation
import ObjectGraph
import ObjectModel

extension Diagnostic.Code {
  static let storeExists = Self("store.exists", .store)
  static let storeReadOnly = Self("store.read-only", .store)
  static let storeNotCoreData = Self("store.not-core-data", .store)
  static let storeEmpty = Self("store.empty", .store)
  static let storeMetadata = Self("store.metadata", .store)
  static let storeMetadataValue = Self("store.metadata-value", .usage)
  static let storeNewer = Self("store.newer", .store)
  package static let storeIncompatibleModel = Self("store.incompatible-model", .store)
  static let storeEntityMissing = Self("store.entity-missing", .store)
  static let storeColumnsMissing = Self("store.columns-missing", .store)
  static let storeKeysUsedUp = Self("store.keys-used-up", .store)
  static let storeValue = Self("store.value", .store)
  static let storeExternalValue = Self("store.external-value", .store)
  static let storeTrigger = Self("store.trigger", .store)
  static let storeTemplateRows = Self("store.template-rows", .store)
  static let storeHistory = Self("store.history", .warning)
  static let storeMirrored = Self("store.mirrored", .warning)
  static let storeDerived = Self("store.derived", .warning)
}

extension Diagnostic {
  static func storeExists(_ path: String) -> Diagnostic {
    Diagnostic(.storeExists, "\(path) exists already", hint: "Remove it first, or name another.")
  }

  static func readOnly(_ path: String) -> Diagnostic {
    Diagnostic(.storeReadOnly, "\(path) was opened for reading, or its writing has ended", hint: "Open it for writing.")
  }

  static func notCoreData(_ path: String) -> Diagnostic {
    Diagnostic(
      .storeNotCoreData,
      "expected a Core Data store, found an SQLite database without Z_METADATA and Z_PRIMARYKEY: \(path)",
      hint: "Name the file that the app itself uses, or a new one.")
  }

  static func emptyFile(_ path: String) -> Diagnostic {
    Diagnostic(
      .storeEmpty, "expected a Core Data store, found an empty file: \(path)",
      hint: "Remove it: an import makes a new store where there is none.")
  }

  static func journalWithoutStore(_ store: String, _ journal: String) -> Diagnostic {
    Diagnostic(
      .storeExists, "there is no store \(store), but \(journal), in which changes of one may stand",
      hint: "Bring back the store that it belongs to, or remove it.")
  }

  static func filesWithoutStore(_ store: String, _ folder: String) -> Diagnostic {
    Diagnostic(
      .storeExists, "there is no store \(store), but the folder of its large values, \(folder)",
      hint: "A store that is to be reproducible takes none over: bring back the store that it belongs to, or remove it."
    )
  }

  static func metadataDamaged(_ path: String) -> Diagnostic {
    Diagnostic(
      .storeMetadata, "the metadata of \(path) are no property list of an SQLite store with its model's hashes",
      hint: "Take the store from a backup.")
  }

  static func metadataValue(_ metadata: [String: Any]) -> Diagnostic {
    let keys = metadata.filter { !PropertyListSerialization.propertyList($0.value, isValidFor: .binary) }.keys.sorted()
    return Diagnostic(
      .storeMetadataValue, "the metadata cannot be written: no property list is in \(keys.joined(separator: ", "))",
      hint: "Values may be texts, numbers, booleans, dates, data, arrays and dictionaries.")
  }

  static func newer(_ path: String, hashesVersion: Int) -> Diagnostic {
    Diagnostic(
      .storeNewer,
      "expected version hashes of version \(StoreMetadata.knownHashesVersion) at most, found \(hashesVersion): "
        + "\(path) is of a newer system", hint: "Use a newer version of this program.")
  }

  static func incompatible(
    _ path: String, _ difference: HashDifference, properties: [String: [String]], _ model: NSManagedObjectModel,
    fitting version: String?
  ) -> Diagnostic {
    let changed = difference.changed.map { name in
      let names = properties[name] ?? []
      return names.isEmpty ? name : "\(name) (\(names.joined(separator: ", ")))"
    }
    let parts = [
      ("not in the store", difference.missing), ("not in the model", difference.extra), ("changed", changed),
    ].filter { !$0.1.isEmpty }.map { "\($0.0): \($0.1.joined(separator: ", "))" }
    let words =
      ["gantry", "migrate", path, "--model", model.origin?.path ?? "MODEL"]
      + (model.origin?.version.map { ["--to", $0] } ?? [])
    return Diagnostic(
      .storeIncompatibleModel, "\(path) is of another version of the model; \(parts.joined(separator: "; "))",
      hint: "Name the version that made the store\(version.map { ", by --model-version \($0)" } ?? ""), or migrate it: "
        + words.map(\.shellWord).joined(separator: " "))
  }

  static func entityMissing(_ name: String) -> Diagnostic {
    Diagnostic(
      .storeEntityMissing, "the store has no number for the entity \(name) in Z_PRIMARYKEY",
      hint: "Take the store from a backup.")
  }

  static func columnsMissing(_ columns: [String], in table: String) -> Diagnostic {
    let what = columns.isEmpty ? "the table \(table)" : "\(columns.joined(separator: ", ")) in the table \(table)"
    return Diagnostic(
      .storeColumnsMissing, "the model's hashes are the store's, yet the store lacks \(what)",
      hint: "Let the app open the store once, or take it from a backup.")
  }

  static func keysUsedUp(_ entity: NSEntityDescription) -> Diagnostic {
    Diagnostic(
      .storeKeysUsedUp, "no primary keys are left for \(entity.name ?? "")",
      hint: "Z_PRIMARYKEY holds the largest number there is: `gantry check` says whether rows have it.")
  }

  static func storedValue(_ stored: StoredValue, _ path: String, _ objectID: NSManagedObjectID) -> Diagnostic {
    let type = objectID.entity.layout.attributeIndex[path].map {
      objectID.entity.layout.attributes[$0].attribute.attributeType
    }
    return Diagnostic(
      .storeValue,
      "\(objectID.entity.name ?? "").\(path) of row \(objectID.key) holds \(stored.kind), which is no \(type?.modelName ?? "value")",
      hint: "`gantry check` lists the rows with such values.")
  }

  static func storedValue(_ stored: StoredValue, ofColumn name: String, _ type: NSAttributeType) -> Diagnostic {
    Diagnostic(
      .storeValue, "a row holds \(stored.kind) in the column \(name), which is no \(type.modelName)",
      hint: "`gantry check` lists the rows with such values.")
  }

  static func externalValue(_ path: String, _ objectID: NSManagedObjectID, file: URL?) -> Diagnostic {
    let what = file.map { "its file \($0.path) is missing" } ?? "it begins with none of the marks of such values"
    return Diagnostic(
      .storeExternalValue, "\(objectID.entity.name ?? "").\(path) of row \(objectID.key) cannot be read: \(what)",
      hint: "Copy the store together with the hidden folder `.NAME_SUPPORT` beside it.")
  }

  static func trigger(of table: String, _ path: String, _ message: String) -> Diagnostic {
    Diagnostic(
      .storeTrigger, "a trigger on the table \(table) of \(path) cannot run outside the app that made it: \(message)",
      hint: "Import into a store of the same model without that trigger, or let the app do the import.")
  }

  static func templateRows(_ path: String, _ rows: [(entity: String, count: Int64)]) -> Diagnostic {
    Diagnostic(
      .storeTemplateRows,
      "expected an empty store as the template, found rows in \(path): "
        + rows.map { "\($0.count) of \($0.entity)" }.joined(separator: ", "),
      hint: "Say --append (`append: true`) to keep them in the new store.")
  }

  static func externalCopy(_ name: String, from folder: URL, _ error: any Error) -> Diagnostic {
    Diagnostic(
      .environmentFile, "\(name) in \(folder.path) cannot be copied: \((error as NSError).localizedDescription)",
      hint: "Check the folder and the disk, then start again.")
  }

  static func history(_ path: String) -> Diagnostic {
    Diagnostic(
      .storeHistory, "\(path) tracks the history of its changes; what is imported is not recorded in it",
      hint: "An app or a widget that follows the history must fetch anew after an import.")
  }

  static func mirrored(_ path: String) -> Diagnostic {
    Diagnostic(
      .storeMirrored, "\(path) is mirrored to CloudKit; what is imported is not marked for upload",
      hint:
        "CloudKit is told by the history of changes, which only Core Data writes: let the app save what must go there.")
  }

  static func derivedWithoutTrigger(_ attribute: NSDerivedAttributeDescription, of entity: NSEntityDescription)
    -> Diagnostic
  {
    Diagnostic(
      .storeDerived,
      "\(entity.name ?? "").\(attribute.name) is derived by '\(attribute.derivationExpressionFormat)', and no trigger of "
        + "the store computes it: it is not written",
      hint: "Imported objects get the value when the app saves them.")
  }
}

extension String {
  /// The text as a shell takes it for one word.
  fileprivate var shellWord: String {
    let isPlain = allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "_-./:=@+,%".contains($0)) }
    return isPlain && !isEmpty
      ? self : "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }
}

extension StoredValue {
  /// What it is, for messages.
  fileprivate var kind: String {
    switch self {
    case .null: "nothing"
    case .integer(let integer): "the integer \(integer)"
    case .real(let real): "the number \(real)"
    case .text: "a text"
    case .blob(let data): "\(data.count) bytes"
    }
  }
}
