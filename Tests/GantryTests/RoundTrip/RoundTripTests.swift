import Foundation
import ObjectGraph
import ObjectModel
import SQLiteDriver
import SQLiteStore
import TestSupport
import Testing

@testable import Gantry

/// Stores of our own, with whatever is hard to write down, are exported, imported into a new store, and compared with it.
struct RoundTripTests {
  static let entities = """
    <composite name="Place">
      <attribute name="town" optional="YES" attributeType="String"/>
      <attribute name="floor" optional="YES" attributeType="Integer 32"/>
    </composite>
    <entity name="Thing" isAbstract="YES">
      <attribute name="text" optional="YES" attributeType="String"/>
      <attribute name="Text_" optional="YES" attributeType="String"/>
    </entity>
    <entity name="Value" parentEntity="Thing">
      <attribute name="at" optional="YES" attributeType="Composite" composite="Place"/>
      <attribute name="big" optional="YES" attributeType="Integer 64"/>
      <attribute name="blob" optional="YES" attributeType="Binary"/>
      <attribute name="day" optional="YES" attributeType="Date"/>
      <attribute name="flag" optional="YES" attributeType="Boolean"/>
      <attribute name="float" optional="YES" attributeType="Float"/>
      <attribute name="id" optional="YES" attributeType="UUID"/>
      <attribute name="large" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES"/>
      <attribute name="money" optional="YES" attributeType="Decimal"/>
      <attribute name="moment" optional="YES" attributeType="Date">
        <userInfo><entry key="dateFormat" value="dd/MM/yyyy"/><entry key="timeZone" value="Europe/Berlin"/></userInfo>
      </attribute>
      <attribute name="note" optional="YES" transient="YES" attributeType="String"/>
      <attribute name="number" optional="YES" attributeType="Double">
        <userInfo><entry key="decimalSign" value=","/><entry key="groupingSign" value="."/></userInfo>
      </attribute>
      <attribute name="rank" optional="YES" attributeType="Integer 16">
        <userInfo><entry key="kind" value="enum"/><entry key="cases" value="low=0,high=1"/></userInfo>
      </attribute>
      <attribute name="shade" optional="YES" transient="YES" attributeType="Undefined">
        <userInfo><entry key="kind" value="color"/></userInfo>
      </attribute>
      <attribute name="shadeData" optional="YES" attributeType="Binary"/>
      <attribute name="site" optional="YES" attributeType="URI"/>
      <attribute name="thing" optional="YES" attributeType="Transformable"/>
    </entity>
    <entity name="Node" parentEntity="Thing">
      <relationship name="box" maxCount="1" destinationEntity="Box" inverseName="nodes" inverseEntity="Box"/>
      <relationship name="friends" optional="YES" toMany="YES" destinationEntity="Node" inverseName="friends" inverseEntity="Node"/>
      <relationship name="kids" optional="YES" toMany="YES" ordered="YES" destinationEntity="Node" inverseName="parent" inverseEntity="Node"/>
      <relationship name="others" optional="YES" toMany="YES" destinationEntity="Thing"/>
      <relationship name="parent" optional="YES" maxCount="1" destinationEntity="Node" inverseName="kids" inverseEntity="Node"/>
      <relationship name="things" optional="YES" toMany="YES" ordered="YES" destinationEntity="Thing"/>
    </entity>
    <entity name="Leaf" parentEntity="Node">
      <relationship name="twin" optional="YES" maxCount="1" destinationEntity="Leaf" inverseName="twin" inverseEntity="Leaf"/>
    </entity>
    <entity name="Box">
      <relationship name="best" maxCount="1" destinationEntity="Node"/>
      <relationship name="boxes" optional="YES" toMany="YES" ordered="YES" destinationEntity="Box" inverseName="within" inverseEntity="Box"/>
      <relationship name="nodes" toMany="YES" minCount="2" destinationEntity="Node" inverseName="box" inverseEntity="Node"/>
      <relationship name="within" optional="YES" toMany="YES" ordered="YES" destinationEntity="Box" inverseName="boxes" inverseEntity="Box"/>
    </entity>
    <entity name="Odd">
      <attribute name="_byte" optional="YES" attributeType="String"/>
      <attribute name="_code" optional="YES" attributeType="String"/>
      <attribute name="_column" optional="YES" attributeType="String"/>
      <attribute name="_id" optional="YES" attributeType="String"/>
      <attribute name="_line" optional="YES" attributeType="String"/>
      <attribute name="_reason" optional="YES" attributeType="String"/>
      <relationship name="_order" optional="YES" toMany="YES" ordered="YES" destinationEntity="Odd"/>
      <relationship name="boss" optional="YES" maxCount="1" destinationEntity="Odd" inverseName="team" inverseEntity="Odd"/>
      <relationship name="team" optional="YES" toMany="YES" ordered="YES" destinationEntity="Odd" inverseName="boss" inverseEntity="Odd"/>
    </entity>
    """

  static let texts: [String?] = [
    nil, "", " ", "a", "\"", "\"\"", "a,b", "a\nb", "a\r\nb", "a\rb", "\n", "\r", "\t", " a ", "NULL", "\\N", "null",
    "<&>\"'",
    "]]>", "é", "e\u{301}", "👩‍👩‍👧", "sep=;", "#", "0", "-", "_id", "\u{FEFF}", "\u{2028}", "a\u{85}b", "{\"a\": 1}", "//",
  ]
  static let numbers: [Double?] = [
    nil, 0, 1, -1, 0.1, 1.0 / 3, .leastNonzeroMagnitude, .greatestFiniteMagnitude, -.leastNormalMagnitude, 1e21,
    123_456_789.123_456_78, 1e16,
    .infinity, -.infinity, 9_007_199_254_740_992,
  ]
  static let moments: [Double?] = [
    nil, 0, -0.25, 0.1, 1e-7, 726_577_445.123_456_7, -63_114_076_800, 63_113_904_000, 700_000_000.000_000_1, 1.5e11,
    -1e9,
    86_400, 12_345.678_912_345,
  ]

  /// A store of the model, filled.
  private func filled(_ folder: TemporaryFolder) throws -> (store: URL, model: URL) {
    let model = folder.url.appendingPathComponent("M.xcdatamodel")
    try folder.write("<model>\(Self.entities)</model>", to: "M.xcdatamodel/contents")
    let url = folder.url.appendingPathComponent("s.sqlite")
    let loaded = try NSManagedObjectModel(contentsOf: model)
    let store = try SQLitePersistentStore.create(at: url, model: loaded)
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: loaded)
    coordinator.add(store)
    let context = NSManagedObjectContext()
    context.persistentStoreCoordinator = coordinator
    func insert(_ name: String) -> NSManagedObject {
      NSEntityDescription.insertNewObject(forEntityName: name, into: context)
    }
    var values: [NSManagedObject] = []
    for index in 0..<Self.texts.count {
      let value = insert("Value")
      value.setValue(Self.texts[index], forKey: "text")
      value.setValue(Self.texts[Self.texts.count - 1 - index], forKey: "Text_")
      value.setValue(Self.numbers[index % Self.numbers.count], forKey: "number")
      value.setValue(
        Self.moments[index % Self.moments.count].map(Date.init(timeIntervalSinceReferenceDate:)), forKey: "moment")
      value.setValue(index % 5 == 0 ? nil : Date(timeIntervalSinceReferenceDate: Double(index) * 86_400), forKey: "day")
      value.setValue(index % 3 == 0 ? nil : index % 3 == 1, forKey: "flag")
      value.setValue(index % 4 == 0 ? nil : Float(index) / 7, forKey: "float")
      value.setValue(index % 4 == 0 ? nil : UUID(), forKey: "id")
      value.setValue([nil, Int64.min, Int64.max, -1][index % 4], forKey: "big")
      value.setValue([nil, Data(), Data([0]), Data([255, 0, 1])][index % 4], forKey: "blob")
      value.setValue([nil, Data(), Data([7]), Data(repeating: 3, count: 150_000)][index % 4], forKey: "large")
      value.setValue(
        [nil, Decimal(string: "1234567.89"), Decimal(string: "-0.001"), Decimal(7)][index % 4], forKey: "money")
      value.setValue([nil, URL(string: "https://example.org/a?b=c,d"), URL(string: "x:y")][index % 3], forKey: "site")
      value.setValue([nil, Data("not an archive".utf8)][index % 2], forKey: "thing")
      value.setValue(index % 2 == 0 ? nil : "Ulm, \(index)", forKeyPath: "at.town")
      value.setValue(index % 3 == 0 ? nil : Int32(index), forKeyPath: "at.floor")
      values.append(value)
    }
    let boxes = [insert("Box"), insert("Box")]
    let nodes = (0..<12).map { index in
      let node = insert(index % 3 == 0 ? "Leaf" : "Node")
      node.setValue("node \(index)", forKey: "text")
      node.setValue(boxes[index % 2], forKey: "box")
      return node
    }
    boxes[0].setValue(nodes[3], forKey: "best")
    boxes[1].setValue(nodes[1], forKey: "best")
    boxes[0].setValue([boxes[1], boxes[0]], forKey: "boxes")
    boxes[1].setValue([boxes[1]], forKey: "boxes")
    nodes[0].setValue([nodes[5], nodes[2], nodes[7], nodes[0]], forKey: "kids")
    nodes[9].setValue([nodes[11], nodes[10], nodes[9]], forKey: "kids")
    nodes[1].setValue([nodes[2], nodes[4]], forKey: "friends")
    nodes[2].setValue([values[3], nodes[1], values[1]], forKey: "things")
    nodes[4].setValue([values[5], nodes[4]], forKey: "others")
    nodes[0].setValue(nodes[6], forKey: "twin")
    // Names that an export and the files of rejects have for columns of their own.
    let odd = (0..<3).map { _ in insert("Odd") }
    for (index, object) in odd.enumerated() {
      object.setValue("Odd/p\(3 - index)", forKey: "_id")
      for name in ["line", "byte", "column", "code", "reason"] {
        object.setValue("\(name) \(index)", forKey: "_\(name)")
      }
    }
    odd[0].setValue([odd[2], odd[1]], forKey: "team")
    odd[2].setValue([odd[1], odd[2]], forKey: "_order")
    try context.save()
    // What is no colour stays as it is.
    try store.connection.execute("UPDATE ZTHING SET ZSHADEDATA = x'0102', ZRANK = 7 WHERE Z_PK = 2")
    try store.connection.execute("UPDATE ZTHING SET ZRANK = 1 WHERE Z_PK = 3")
    try store.finish()
    return (url, model)
  }

  @Test(arguments: ["csv", "xml"], [1, 7, 5000]) func comesBack(_ format: String, chunk: Int) throws {
    let folder = try TemporaryFolder()
    let (store, model) = try filled(folder)
    let target = folder.path("out")
    let export = Talk(["export", store.path, target, "--model", model.path, "--format", format])
    try #require(export.status == .done, "\(export.errors)")
    let copy = folder.url.appendingPathComponent("copy.sqlite")
    let ids = folder.url.appendingPathComponent("ids.csv")
    let run = Talk([
      "import", target + "/import.json5", "--store", copy.path, "--id-map", ids.path, "--chunk", "\(chunk)",
    ])
    try #require(run.status == .done, "\(run.errors)")
    let comparison = try StoreComparison(
      store, copy, try NSManagedObjectModel(contentsOf: model), idMap: ids, in: folder.url)
    #expect(comparison.differences == [])
    #expect(comparison.missing == 0 && comparison.surplus == 0)
    let made = try SQLitePersistentStore.open(
      at: copy, model: try NSManagedObjectModel(contentsOf: model), readOnly: true)
    #expect(try made.findings().map { "\($0.code): \($0.description)" } == [])
  }
}
