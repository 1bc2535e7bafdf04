public import Diagnostics
import Foundation
public import ObjectGraph
import ObjectModel
package import SQLiteDriver

/// Core Data's SQLite store: read, and written as Core Data itself would.
///
/// Make a new one with `StoreBuilder`, or open one that exists with `open(at:model:)`.
public final class SQLitePersistentStore: NSPersistentStore, StoreRequests, @unchecked Sendable {
  /// The connection to the file.
  package let connection: Connection
  /// Where the model's properties are in this very store.
  package let schema: StoreSchema
  /// The files of values that are kept beside the store.
  var externalFiles: ExternalFiles
  /// Tables of keys for look-ups that no index of the store serves.
  var keyMaps = KeyMaps()
  /// The statements of fetches.
  var fetchStatements = FetchStatements()
  /// Tables that show the keys of requests.
  var batchTables = KeyBatchTables()

  /// What keeps a store that is only read as it is, and its copy, if there is one, in its place.
  private let untouched: UntouchedStore?
  var uuid: String
  private var plans: [ObjectIdentifier: EntityPlan] = [:]
  private var entityOfNumber: [Int64: NSEntityDescription] = [:]
  /// For each root entity the greatest key that was handed out.
  var lastKeys: [NSEntityDescription: Int64] = [:]
  /// What writing this store leaves out, or leaves to the app.
  public internal(set) var warnings: [Diagnostic] = []
  /// Whether `finish()` has been called.
  var isFinished = false

  init(
    connection: Connection, schema: StoreSchema, uuid: String, metadata: [String: Any], url: URL,
    configurationName: String?, externalFiles: ExternalFiles? = nil, untouched: UntouchedStore? = nil
  ) throws(SQLiteError) {
    self.untouched = untouched
    self.connection = connection
    self.schema = schema
    self.uuid = uuid
    self.externalFiles = externalFiles ?? ExternalFiles(store: url)
    super.init(url: url, model: schema.model, configurationName: configurationName, isReadOnly: untouched != nil)
    self.metadata = metadata
    hasUnsavedMetadata = false
    for (entity, number) in schema.numbers { entityOfNumber[Int64(number)] = entity }
    try addFunctions()
  }

  /// Runs a body that reads, and throws if the store was written meanwhile where nothing could keep a writer out.
  func whole<Result>(_ body: () throws -> Result) throws -> Result {
    guard let untouched else { return try body() }
    return try untouched.whole(body)
  }

  /// The store's UUID, the host of its objects' URIs.
  public override var identifier: String { uuid }

  /// The kind of store.
  public override var type: String { "SQLite" }
}

// MARK: - Plans and statements

extension SQLitePersistentStore {
  /// The SQL of an entity's rows.
  func plan(of entity: NSEntityDescription) -> EntityPlan {
    if let plan = plans[ObjectIdentifier(entity)] { return plan }
    let plan = EntityPlan(entity, schema: schema, connection: connection)
    plans[ObjectIdentifier(entity)] = plan
    return plan
  }

  /// The ID of a row.
  func objectID(_ key: Int64, entityNumber: Int64?, declared: NSEntityDescription) -> NSManagedObjectID {
    // A row of a number that the model does not know counts as one of the entity that was asked for.
    let entity = entityNumber.flatMap { entityOfNumber[$0] } ?? declared
    return NSManagedObjectID(entity: entity, store: self, key: key, isTemporary: false)
  }

  /// The entity of a number of the store's; nil for a number that the model does not know.
  func entity(_ number: Int64) -> NSEntityDescription? { entityOfNumber[number] }

  private func addFunctions() throws(SQLiteError) {
    // Core Data's triggers call these to tell of the values they computed, which a store need not know.
    for event in ["DATriggerUpdated", "DATriggerInsertUpdated", "TriggerUpdate"] {
      try connection.addFunction("NSCoreData\(event)AffectedObjectValue", argumentCount: -1) { _ in .null }
    }
    try connection.addFunction(ExternalFiles.function, argumentCount: 1) { [unowned self] arguments in
      guard case .blob(let bytes)? = arguments.first else { return arguments.first ?? .null }
      do {
        return .blob(Array(try externalFiles.encode(Data(bytes))))
      } catch {
        externalFiles.failure = error
        throw error
      }
    }
    try PredicateFunctions.add(to: connection)
    try connection.addFunction(KeyMap.normalise, argumentCount: 1) { arguments in
      guard case .text(let text)? = arguments.first else { return arguments.first ?? .null }
      return .text(text.normalisedForKeys)
    }
  }
}

extension String {
  /// The text in normalisation form C, in which keys are compared.
  var normalisedForKeys: String { isASCII ? self : precomposedStringWithCanonicalMapping }

  /// Whether all characters are of ASCII, which have one form only.
  var isASCII: Bool { utf8.allSatisfy { $0 < 0x80 } }
}
