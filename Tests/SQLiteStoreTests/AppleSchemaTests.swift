import Foundation
import ObjectModel
import SQLiteDriver
import TestSupport
import Testing

@testable import SQLiteStore

/// The SQL of new stores beside that of stores that Core Data made of the very model, and has not migrated since.
@Suite(.enabled(if: Shared.isThere, Shared.comment)) struct AppleSchemaTests {
  /// What is written in another style, by the stores that have it. All others are equal to the letter.
  ///
  /// - join name: which of two relationships of one entity names their join table follows no known rule.
  /// - indexes: systems before iOS 11 named indexes of attributes by table and columns, without collations.
  /// - constraints: the same systems wrote uniqueness constraints into the table.
  /// - order keys: the order of several `Z_FOK_` columns follows a hash.
  /// - columns: Mac OS X 10.6 and iOS 3 did not sort the columns of a group.
  static let otherStyles = """
    Sunic__DigitalOrder__Hotel.app_CoreData.sqlite__e94144a8: columns
    objcio__core-data__MigrationsTests_Moody_2.moody__6e5ad408: indexes, constraints
    objcio__core-data__MigrationsTests_Moody_3.moody__6b118d65: indexes, constraints
    objcio__core-data__MigrationsTests_Moody_4.moody__800cbcf9: indexes, constraints
    objcio__core-data__MigrationsTests_Moody_5.moody__2a089d49: indexes, constraints
    objcio__core-data__MigrationsTests_Moody.moody__46891de3: indexes, constraints
    wireapp__wire-ios-data-model__Resources_store1-28.wiredatabase__a8711ddf: join name, indexes, order keys
    wireapp__wire-ios-data-model__Resources_store2-3.wiredatabase__4edcce3b: join name, indexes, order keys
    wireapp__wire-ios-data-model__Resources_store2-5.wiredatabase__e0653115: indexes, order keys
    log2timeline__plaso__macos_knowledgec-10.13.db__a50f44c5: constraints
    """

  @Test func sqlIsCoreDatas() throws {
    var styles: [String] = []
    var equal = 0
    for original in try SharedStoreTests.stores() {
      let connection = try UntouchedStore(original.url.path).connection
      let made = try Made(connection)
      guard !made.isMigrated else { continue }
      let schema = try StoreSchema(original.model)
      #expect(made.primaryKeys == schema.primaryKeyRows.map { "\($0.number) \($0.name) \($0.superNumber)" })
      let found = Style.found(made.statements, in: schema)
      if found.isEmpty {
        equal += 1
      } else {
        styles.append("\(original.url.lastPathComponent): \(found.joined(separator: ", "))")
      }
    }
    #expect(styles.joined(separator: "\n") == Self.otherStyles)
    #expect("\(equal) equal of \(equal + styles.count)" == "39 equal of 49")
  }

  /// A way to write the same that is not that of current systems.
  struct Style: Sendable {
    let name: String
    /// The same statement in a form that both styles share; nil for one that the other style has no statement for.
    let common: @Sendable (String) -> String?

    static let all = [
      Style(name: "join name") { sql in
        guard let join = sql.firstMatch(of: /(TABLE|INDEX) Z_\d\w+ .*\((\w+), (\w+)\)/) else { return sql }
        return "\(join.output.1) of a join of \(sorted(join.output.2 + ", " + join.output.3))"
      },
      Style(name: "indexes") { sql in
        guard sql.hasPrefix("CREATE INDEX "), let on = sql.firstRange(of: " ON ") else { return sql }
        return "INDEX" + sql[on.lowerBound...].replacingOccurrences(of: " COLLATE BINARY ASC", with: "")
      },
      Style(name: "constraints") { sql in
        if sql.hasPrefix("CREATE UNIQUE INDEX ") { return nil }
        guard sql.hasPrefix("CREATE TABLE Z"), !sql.contains("PRIMARY KEY (") else { return sql }
        return sql.replacing(/, CONSTRAINT \w+ UNIQUE \([^)]*\)/, with: "").replacing(/\ UNIQUE\b/, with: "")
          .replacing(/\ ?\)$/, with: " )")
      },
      Style(name: "order keys") { $0.replacing(/(Z_FOK_\w+ INTEGER, )+/) { sorted($0.output.0) } },
      Style(name: "columns") { $0.hasPrefix("CREATE TABLE") ? sorted($0.dropLast(2)) : $0 },
    ]

    private static func sorted(_ list: Substring) -> String {
      list.split(separator: ", ").sorted().joined(separator: ", ")
    }

    /// The styles in which statements differ from those of a schema.
    static func found(_ theirs: Set<String>, in schema: StoreSchema) -> [String] {
      var ours = Set(schema.ddl().filter { $0 != StoreSchema.modelCacheTable })
      var theirs = theirs
      var found: [String] = []
      for style in all {
        let before = ours.symmetricDifference(theirs)
        ours = Set(ours.compactMap(style.common))
        theirs = Set(theirs.compactMap(style.common))
        if ours.symmetricDifference(theirs).count < before.count { found.append(style.name) }
      }
      #expect(ours == theirs)
      return found
    }
  }

  /// What a store was made with.
  struct Made {
    let statements: Set<String>
    let primaryKeys: [String]
    /// Whether tables were changed or made anew since.
    let isMigrated: Bool

    init(_ connection: Connection) throws {
      var statements: [(table: String, sql: String)] = []
      try connection.prepare("SELECT tbl_name, sql FROM sqlite_master WHERE sql NOT NULL ORDER BY rowid").forEachRow {
        statements.append(($0.text(0) ?? "", $0.text(1) ?? ""))
      }
      let own: Set = ["ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING", "Z_MODELCACHE"]
      let tables = statements.filter { $0.sql.hasPrefix("CREATE TABLE") }.map(\.table)
      let first = tables.firstIndex { $0 == "Z_PRIMARYKEY" || $0 == "Z_METADATA" } ?? 0
      isMigrated =
        statements.contains { $0.sql.hasPrefix("CREATE TABLE \"") || $0.sql.contains(" , Z") }
        || tables[first...].contains {
          $0.hasPrefix("Z") && !["Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE"].contains($0)
        }
      self.statements = Set(statements.filter { !own.contains($0.table) && !$0.table.hasPrefix("sqlite_") }.map(\.sql))
      var keys: [String] = []
      let select = try connection.prepare(
        "SELECT Z_ENT, Z_NAME, Z_SUPER FROM Z_PRIMARYKEY WHERE Z_ENT < 16000 ORDER BY 1")
      try select.forEachRow { keys.append("\($0.integer(0)) \($0.text(1) ?? "") \($0.integer(2))") }
      primaryKeys = keys
    }
  }
}
