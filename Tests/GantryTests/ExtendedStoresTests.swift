import Foundation
import SQLiteDriver
import SQLiteStore
import TestSupport
import Testing

/// Stores that apps made, extended by an import of the built tool: they are sound, and their old rows are what they were.
@Suite(.enabled(if: Shared.isThere, Shared.comment)) struct ExtendedStoresTests {
  struct Extension: Sendable {
    /// The store of the corpus.
    let store: String
    /// The model of the corpus; by default the one that the store keeps of itself.
    var model: String?
    let steps: String
    let files: [String: String]
    /// A query, and what it gives when the records are in.
    let query: String
    let rows: [String]
    /// Whether the store tracks history.
    var hasHistory = false
    /// Lines of the old dump that change, beside those of Z_PRIMARYKEY.
    var changed = 0
    /// How many rows the store has then.
    let count: Int
  }

  static let uuid = "00112233-4455-6677-8899-AABBCCDDEEFF"

  static let extensions: [Case<Extension, Void>] = [
    (
      "plain, without a model cache",
      Extension(
        store: "hwaxxer__BookMigration__BookMigration_Model1.sqlite__7b4e1e39",
        model: "hwaxxer__BookMigration/BookMigration/Model.xcdatamodeld/Model1.xcdatamodel",
        steps:
          "{ read: { csv: 'a.csv' }, entity: 'Book', relationships: { user: { column: 'user', by: 'userId', missing: 'create' } } }",
        files: ["a.csv": "title,authorName,user\nSe questo è un uomo,Primo Levi,77\n"],
        query: "SELECT b.ZTITLE, b.Z_OPT, u.ZUSERID FROM ZBOOK b JOIN ZUSER u ON u.Z_PK = b.ZUSER WHERE ZUSERID = 77",
        rows: ["Se questo è un uomo|1|77"], count: 7)
    ),
    (
      "with inheritance",
      Extension(
        store: "alemar11__CoreDataPlus__Fixtures_SampleModel_V1.sqlite__c6f83c7d",
        steps:
          "{ read: { csv: 'a.csv' }, entity: 'Person' }, { read: { csv: 'b.csv' }, entity: 'ExpensiveSportCar', relationships: { owner: { column: 'owner', by: 'lastName' } } }",
        files: [
          "a.csv": "firstName,lastName,id,updatedAt\nAda,Zzz,\(uuid),2024-01-01T00:00:00Z\n",
          "b.csv": "numberPlate,maker,model,isLimitedEdition,owner\nZZ 1,Lancia,Stratos,true,Zzz\n",
        ],
        query: "SELECT Z_PK, Z_ENT, Z_OPT, ZISLIMITEDEDITION, ZOWNER FROM ZCAR WHERE ZNUMBERPLATE = 'ZZ 1'",
        rows: ["126|3|1|1|21"], count: 147)
    ),
    (
      "with derived attributes and history",
      Extension(
        store: "alemar11__CoreDataPlus__Fixtures_SampleModel2_V1.sqlite__d16ce86f",
        steps:
          "{ read: { csv: 'a.csv' }, entity: 'Page', relationships: { book: { column: 'book', by: 'title' } } }",
        files: [
          "a.csv":
            "number,isBookmarked,content,book\n1001,true,AQID,title 7 - author 2\n1002,no,AQID,title 7 - author 2\n"
        ],
        query: "SELECT ZPAGESCOUNT, Z_OPT FROM ZBOOK WHERE ZTITLE = 'title 7 - author 2'",
        rows: ["101|1"], hasHistory: true, changed: 1, count: 5470)
    ),
    (
      "with a log, history and SwiftData",
      Extension(
        store: "sergd2005__ResourcesManager__default.store__d755b5d6",
        steps:
          "{ read: { csv: 'a.csv' }, entity: 'Item' }, { read: { csv: 'b.csv' }, entity: 'Component', relationships: { item: { column: 'item', by: 'name' } } }",
        files: ["a.csv": "name\nZinc\n", "b.csv": "id,count,item\n\(uuid),3,Zinc\n"],
        query:
          "SELECT c.Z_PK, c.ZCOUNT, i.Z_PK FROM ZCOMPONENT c JOIN ZITEM i ON i.Z_PK = c.ZITEM WHERE ZNAME = 'Zinc'",
        rows: ["3|3|6"], hasHistory: true, count: 9)
    ),
    (
      "SwiftData with composites",
      Extension(
        store: "MatthewHunt84__MetaCocktailsSwiftData/PreloadedCocktails.store",
        steps:
          "{ read: { csv: 'a.csv' }, entity: 'IngredientBase' }, { read: { csv: 'b.csv' }, entity: 'Ingredient', relationships: { ingredientBase: { column: 'base', by: 'name' } } }",
        files: [
          "a.csv":
            "name,specialtyCategory,umbrellaCategory,baseCategory,isCustom,id,prep.prepIngredientName\nZedro,a,b,c,true,\(uuid),Cedrata\n",
          "b.csv": "id,value,unit.unit,base\n\(uuid),1.5,oz,Zedro\n",
        ],
        query:
          "SELECT i.Z_PK, ZVALUE, ZUNIT, ZPREPINGREDIENTNAME FROM ZINGREDIENT i JOIN ZINGREDIENTBASE b ON b.Z_PK = i.ZINGREDIENTBASE WHERE ZNAME = 'Zedro'",
        rows: ["1894|1.5|oz|Cedrata"], hasHistory: true, count: 2785)
    ),
  ].map { Case($0.0, $0.1, ()) }

  @Test(arguments: extensions) func oldRowsStay(_ c: Case<Extension, Void>) throws {
    let folder = try TemporaryFolder()
    let store = folder.path("s.sqlite")
    let original = try Shared.url("corpus/stores/\(c.input.store)").path
    for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: original + suffix) {
      try folder.write(Data(contentsOf: URL(fileURLWithPath: original + suffix)), to: "s.sqlite\(suffix)")
    }
    let model = try c.input.model.map { try Shared.url("corpus/models/\($0)").path } ?? store
    for (name, text) in c.input.files { try folder.write(text, to: name) }
    try folder.write(
      "{ model: '\(model)', store: 's.sqlite', steps: [\(c.input.steps)] }", to: "p.json5")
    let before = try StoreText(store)
    let journal = try Data(contentsOf: URL(fileURLWithPath: store))[18]

    let run = try ToolRun(["import", "p.json5"], in: folder.url)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.errors.contains("tracks the history of its changes") == c.input.hasHistory, "\(run.errors)")
    let check = try ToolRun(["check", "s.sqlite", "--model", model], in: folder.url)
    #expect(
      check.status == 0 && check.errors.hasSuffix("s.sqlite: sound, \(c.input.count) rows\n"),
      "\(check.output)\(check.errors)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: store))[18] == journal)
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    #expect(Set(left) == Set(["p.json5", "s.sqlite"] + c.input.files.keys))

    let after = try StoreText(store)
    #expect(before.lines.subtracting(after.lines).count == c.input.changed, "\(before.lines.subtracting(after.lines))")
    #expect(after.schema == before.schema)
    #expect(try rows(c.input.query, in: store) == c.input.rows)
  }
}

/// A store as text: a line a row, without the table `Z_PRIMARYKEY`, whose numbers an import raises.
private struct StoreText {
  let lines: Set<String>
  let schema: [String]

  init(_ path: String) throws {
    let connection = try UntouchedStore(path).connection
    let tables = try SQLitePersistentStore.dump(connection).components(separatedBy: "\n\n")
      .filter { !$0.hasPrefix("Z_PRIMARYKEY\n") }
    lines = Set(tables.flatMap { $0.split(separator: "\n").map(String.init) })
    schema = try rows(
      "SELECT type, name, sql, (SELECT Z_UUID FROM Z_METADATA) FROM sqlite_master ORDER BY rowid", of: connection)
  }
}
