import Foundation
import TestSupport
import Testing

@testable import Batch

/// The files of refused records, to the byte.
struct RejectFileTests {
  private static let model = """
    <entity name="Item"><attribute name="id" attributeType="Integer 16"/>
      <attribute name="text" optional="YES" attributeType="String"/></entity>
    """
  private static let step = "{read: {csv: 'items.csv'}, entity: 'Item', key: ['id']}"

  static let files: [Case<String, String>] = [
    Case(
      "fields are kept as they were written: in quotes, empty or not, with what must be quoted",
      "id,text\nx,plain\nx,\"in quotes\"\nx,\nx,\"\"\nx,\"a,b\"\nx,\"he said \"\"no\"\"\"\nx, blank \nx,\"two\nlines\"\n",
      #"""
      id,text,_line,_byte,_column,_code,_reason
      x,plain,2,8,1,convert.number,"column id: expected a whole number for Item.id, found ""x"""
      x,"in quotes",3,16,1,convert.number,"column id: expected a whole number for Item.id, found ""x"""
      x,,4,30,1,convert.number,"column id: expected a whole number for Item.id, found ""x"""
      x,"",5,33,1,convert.number,"column id: expected a whole number for Item.id, found ""x"""
      x,"a,b",6,38,1,convert.number,"column id: expected a whole number for Item.id, found ""x"""
      x,"he said ""no""",7,46,1,convert.number,"column id: expected a whole number for Item.id, found ""x"""
      x," blank ",8,65,1,convert.number,"column id: expected a whole number for Item.id, found ""x"""
      x,"two
      lines",9,75,1,convert.number,"column id: expected a whole number for Item.id, found ""x"""

      """#),
    Case(
      "too few and too many fields", "id,text\n1\n2,a,b,\"c,d\"\n3,ok\n",
      #"""
      id,text,_line,_byte,_column,_code,_reason
      1,,2,8,,csv.field-count,"expected 2 fields, found 1"
      2,a,3,10,,csv.field-count,"expected 2 fields, found 4",b,"c,d"

      """#),
    Case(
      "the records of all stages in their order", "id,text\n1,a\n2,\"b\"c\n99999,d\n,e\n1,f\n",
      #"""
      id,text,_line,_byte,_column,_code,_reason
      2,"b""c",3,12,2,csv.quote,"expected the delimiter or the end of the line behind a closing quote, found something else"
      99999,d,4,19,1,convert.range,"column id: expected a number from -32768 to 32767 for Item.id, found ""99999"""
      ,e,5,27,,key.null,the key id is null
      1,f,6,30,,key.exists,REASON

      """#),
    Case("nothing is refused", "id,text\n1,a\n", ""),
    Case(
      "a reject file that is refused again has its own columns once",
      "id,text,_line,_byte,_column,_code,_reason\nx,a,7,8,9,c,r\n1,b,2,2,2,c,r\n",
      #"""
      id,text,_line,_byte,_column,_code,_reason
      x,a,2,42,1,convert.number,"column id: expected a whole number for Item.id, found ""x"""

      """#),
  ]

  @Test(arguments: files, Way.all)
  func content(_ c: Case<String, String>, way: Way) throws {
    let ground = try Ground(Scenario(Self.model, ["items.csv": c.input]), way, .none)
    _ = ground.run(Self.step)
    let text = (try? String(contentsOfFile: ground.folder.path("rejects/items.rejected.csv"), encoding: .utf8)) ?? ""
    // Within a chunk the line of the first record is known.
    let reason = way.chunk == 1000 ? "the id is that of line 2" : "the store has an object of Item with this id"
    #expect(text == c.expected.replacing("REASON", with: reason))
  }

  /// A reject file that is imported as it is, is refused for the same reasons; mended, it is in.
  @Test func mended() throws {
    let ground = try Ground(Scenario(Self.model, ["items.csv": "id,text\n1,a\nx,\"b, \"\"b\"\"\"\n3\n"]), .plain, .none)
    #expect(ground.run(Self.step) == ["items: 3 read, 1 new, 1 unread, 1 unfit"])
    let rejected = try String(contentsOfFile: ground.folder.path("rejects/items.rejected.csv"), encoding: .utf8)
    let mended = rejected.replacing("\nx,", with: "\n2,").replacing("\n3,,", with: "\n3,c,")
    try ground.folder.write(mended, to: "mended.csv")
    #expect(
      ground.run("{read: {csv: 'mended.csv'}, entity: 'Item', key: ['id']}") == ["mended: 2 read, 2 new"])
    #expect(try ground.objects() == ["Item id=1 text=a", "Item id=2 text=b, \"b\"", "Item id=3 text=c"])
  }

  /// Columns that are called like those of a reject file are the entity's own if it has such attributes, or if not all five are
  /// there.
  @Test func ownColumns() throws {
    let names = ["_line", "_byte", "_column", "_code", "_reason"]
    let attributes = names.map { "<attribute name=\"\($0)\" optional=\"YES\" attributeType=\"String\"/>" }.joined()
    let model = """
      <entity name="Odd"><attribute name="id" attributeType="Integer 16"/>\(attributes)</entity>
      <entity name="Item"><attribute name="code" optional="YES" attributeType="String"/></entity>
      """
    let ground = try Ground(
      Scenario(
        model,
        [
          "odd.csv": "id,_line,_byte,_column,_code,_reason\nx,1,2,3,4,5\n2,a,b,c,d,e\n",
          "items.csv": "_code,_line\nc,7\n",
        ]), .plain, .none)
    func step(_ name: String) -> String { "{read: {csv: '\(name).csv'}, entity: 'Odd', key: ['id']}" }
    #expect(ground.run(step("odd")) == ["odd: 2 read, 1 new, 1 unfit"])
    let rejected = try String(contentsOfFile: ground.folder.path("rejects/odd.rejected.csv"), encoding: .utf8)
    #expect(
      rejected.hasPrefix(
        "id,_line,_byte,_column,_code,_reason,__line,__byte,__column,__code,__reason\nx,1,2,3,4,5,2,37,1,convert.number,"
      ))
    try ground.folder.write(rejected.replacing("\nx,", with: "\n1,"), to: "mended.csv")
    #expect(ground.run(step("mended")) == ["mended: 1 read, 1 new"])
    #expect(
      ground.run("{read: {csv: 'items.csv'}, entity: 'Item', ignore: ['_line']}") == ["items: 1 read, 1 new"])
    #expect(
      try ground.objects() == [
        "Item code=c", "Odd _byte=b _code=d _column=c _line=a _reason=e id=2",
        "Odd _byte=2 _code=4 _column=3 _line=1 _reason=5 id=1",
      ])
  }

  /// A chunk that the store refuses again and again is written once, with its header; nothing is left of a run that ends.
  @Test(arguments: [1, 2, 1000])
  func chunksThatAreDoneAgain(chunk: Int) throws {
    let member = """
      <entity name="Member"><attribute name="id" optional="YES" attributeType="String"/>
        <relationship name="one" optional="YES" maxCount="1" destinationEntity="Badge" inverseName="of" inverseEntity="Badge"/></entity>
      <entity name="Badge"><attribute name="id" optional="YES" attributeType="String" minValueString="2"/>
        <relationship name="of" optional="YES" maxCount="1" destinationEntity="Member" inverseName="one" inverseEntity="Member"/></entity>
      """
    let records = (1...5).map { "\($0),x\n" }.joined()
    let ground = try Ground(
      Scenario(member, ["m.csv": "id,badge\n\(records)6,ok\n"]), Way(isInMemory: false, chunk: chunk))
    let step =
      "{read: {csv: 'm.csv'}, entity: 'Member', relationships: {one: {column: 'badge', by: 'id', missing: 'create'}}}"
    #expect(ground.run(step) == ["m: 6 read, 1 new, 5 invalid, 1 made"])
    let text = try String(contentsOfFile: ground.folder.path("rejects/m.rejected.csv"), encoding: .utf8)
    let lines = text.split(separator: "\n").map { $0.split(separator: ",")[0] }
    #expect(lines == ["id", "1", "2", "3", "4", "5"])
  }
}
