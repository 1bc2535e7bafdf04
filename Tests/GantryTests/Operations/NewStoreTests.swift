import Foundation
import SQLiteDriver
import TestSupport
import Testing

/// New stores of the built tool: from a template, with either journal, with large values beside them.
struct NewStoreTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(
      """
      <model type="com.apple.IDECoreDataModeler.DataModel"><entity name="Photo">
        <attribute name="data" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES"/>
        <attribute name="name" attributeType="String"/>
        <uniquenessConstraints><uniquenessConstraint><constraint value="name"/></uniquenessConstraint></uniquenessConstraints>
      </entity></model>
      """, to: "M.xcdatamodel/contents")
    try folder.write("name\nRoma\n", to: "in.csv")
  }

  private func importing(_ file: String, _ options: [String], store: String = "s.sqlite") throws -> ToolRun {
    try ToolRun(
      ["import", file, "--model", "M.xcdatamodel", "--entity", "Photo", "--store", store] + options, in: folder.url)
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.url.path).filter {
      !["M.xcdatamodel", "in.csv"].contains($0)
    }
    .sorted()
  }

  private func journal(_ store: String) throws -> [UInt8] {
    Array(try Data(contentsOf: folder.url.appendingPathComponent(store))[18...19])
  }

  @Test(arguments: ["delete", "wal"]) func journalOfANewStore(_ journal: String) throws {
    let run = try importing("in.csv", ["--journal", journal])
    #expect(run.status == 0, "\(run.errors)")
    #expect(try names() == ["s.sqlite"])
    #expect(try self.journal("s.sqlite") == (journal == "wal" ? [2, 2] : [1, 1]))

    // A store that is there keeps its journal, whatever is asked for, and is one file again.
    let more = try importing(
      "in.csv", ["--key", "name", "--on-conflict", "skip", "--journal", journal == "wal" ? "delete" : "wal"])
    #expect(more.status == 0, "\(more.errors)")
    #expect(try names() == ["s.sqlite"])
    #expect(try self.journal("s.sqlite") == (journal == "wal" ? [2, 2] : [1, 1]))
  }

  /// A quiet run keeps its warnings from people; programs find them in the summary.
  @Test func warningsInTheSummary() throws {
    try folder.write(
      """
      <model><entity name="Photo"><attribute name="name" attributeType="String"/>
        <attribute name="folded" optional="YES" attributeType="String" derived="YES" derivationExpression="canonical:(name)"/>
      </entity></model>
      """, to: "M.xcdatamodel/contents")
    for code in ["store.derivation", "store.derived"] {
      let run = try importing("in.csv", ["--quiet", "--json"])
      #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
      let summary = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
      let warnings = try #require(summary["warnings"] as? [[String: String]])
      #expect(warnings.map { $0["code"] } == [code])
      #expect(warnings.allSatisfy { $0["message"]?.contains("Photo.folded") == true && $0["hint"] != nil })
    }
  }

  @Test func otherJournals() throws {
    let run = try importing("in.csv", ["--journal", "off"])
    #expect(run.status == 2)
    #expect(run.errors.hasPrefix("gantry: --journal is \"off\", expected one of delete, wal [usage.value]"))
  }

  @Test func template() throws {
    #expect(try ToolRun(["model", "create", "M.xcdatamodel", "t.sqlite"], in: folder.url).status == 0)
    try Connection(folder.path("t.sqlite"), .readWrite).execute("CREATE TABLE OWN (A); INSERT INTO OWN VALUES (7)")
    let run = try importing("in.csv", ["--template", "t.sqlite"])
    #expect(run.status == 0, "\(run.errors)")
    #expect(try rows("SELECT A, ZNAME FROM OWN, ZPHOTO", in: folder.path("s.sqlite")) == ["7|Roma"])
    #expect(try names() == ["s.sqlite", "t.sqlite"])

    // A template with rows is not for everybody's store.
    let full = try importing("in.csv", ["--template", "s.sqlite"], store: "full.sqlite")
    #expect(full.status == 6)
    #expect(
      full.errors.hasPrefix(
        """
        gantry: expected an empty store as the template, found rows in \(folder.path("s.sqlite")): 1 of Photo \
        [store.template-rows]
          Say --append (`append: true`) to keep them in the new store.
        """), "\(full.errors)")
    #expect(try names() == ["s.sqlite", "t.sqlite"])
    try folder.write("name\nOslo\n", to: "in.csv")
    let appended = try importing("in.csv", ["--template", "s.sqlite", "--append"], store: "full.sqlite")
    #expect(appended.status == 0, "\(appended.errors)")
    #expect(
      try rows("SELECT Z_PK, ZNAME FROM ZPHOTO ORDER BY 1", in: folder.path("full.sqlite")) == ["1|Roma", "2|Oslo"])
  }

  /// Paths of a pipeline file are relative to it.
  @Test func templateOfAPipeline() throws {
    #expect(try ToolRun(["model", "create", "M.xcdatamodel", "t.sqlite"], in: folder.url).status == 0)
    try folder.write(
      "{ model: 'M.xcdatamodel', store: 's.sqlite', template: 't.sqlite', journal: 'wal', steps: [{ read: { csv: 'in.csv' }, entity: 'Photo' }] }",
      to: "p.json5")
    let run = try ToolRun(["import", folder.path("p.json5")])
    #expect(run.status == 0, "\(run.errors)")
    #expect(try journal("s.sqlite") == [2, 2])
  }

  /// Large values go to files, with a new store and with one that is there; a changed value takes its file along.
  @Test func largeValues() throws {
    func large(_ byte: UInt8) -> String { Data(repeating: byte, count: 100_001).base64EncodedString() }
    try folder.write("name,data\nRoma,\(large(1))\nOslo,AQI=\n", to: "large.csv")
    let run = try importing("large.csv", [])
    #expect(run.status == 0, "\(run.errors)")
    #expect(try names().contains(".s_SUPPORT") && names().contains("s.sqlite"))
    #expect(try rows("SELECT ZNAME, length(ZDATA) FROM ZPHOTO", in: folder.path("s.sqlite")) == ["Roma|38", "Oslo|3"])
    try folder.write("name,data\nRoma,\(large(2))\nBern,\(large(3))\n", to: "large.csv")
    let more = try importing("large.csv", ["--key", "name", "--on-conflict", "update"])
    #expect(more.status == 0, "\(more.errors)")
    let check = try ToolRun(["check", "s.sqlite", "--model", "M.xcdatamodel"], in: folder.url)
    #expect(check.status == 0, "\(check.output)\(check.errors)")
    let external = folder.url.appendingPathComponent(".s_SUPPORT/_EXTERNAL_DATA")
    let files = try FileManager.default.contentsOfDirectory(atPath: external.path)
    let first = try files.map { try Data(contentsOf: external.appendingPathComponent($0)).first }
    #expect(Set(first) == [2, 3] && files.count == 2)
    try FileManager.default.removeItem(at: external.appendingPathComponent(files[0]))
    let broken = try ToolRun(["check", "s.sqlite", "--model", "M.xcdatamodel"], in: folder.url)
    #expect(broken.status == 6 && broken.output.contains("values of Photo.data whose files are missing: 1 ("))
  }
}
