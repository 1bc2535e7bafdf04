import TestSupport
import Testing

/// Relationships to the step's own entity: any order of the records gives the same objects.
struct OwnEntityTests {
  static let place = """
    <entity name="Place"><attribute name="id" optional="YES" attributeType="String"/>
      <relationship name="parent" optional="YES" maxCount="1" destinationEntity="Place" inverseName="children" inverseEntity="Place"/>
      <relationship name="children" optional="YES" toMany="YES" destinationEntity="Place" inverseName="parent" inverseEntity="Place"/>
      <relationship name="near" optional="YES" toMany="YES" destinationEntity="Place" inverseName="near" inverseEntity="Place"/></entity>
    """
  private static func step(_ rule: String, _ missing: String = "reject", file: String = "places.csv") -> String {
    "{name: 'places', read: {csv: '\(file)'}, entity: 'Place', key: ['id'], onConflict: '\(rule)', "
      + "relationships: {parent: {column: 'parent', by: 'id', missing: '\(missing)'}}}"
  }

  static let scenarios: [Case<Scenario, String>] = [
    Case(
      "forward references",
      Scenario(
        place, ["places.csv": "id,parent\nbirch,grove\ngrove,forest\nforest,\n"], step("update"), step("update")),
      """
      places: 3 read, 3 new
      places.links: 3 read, 2 changed, 1 unchanged
      places: 3 read, 3 unchanged
      places.links: 3 read, 3 unchanged
      Place id=birch parent→grove
      Place id=grove parent→forest children→[birch]
      Place id=forest children→[grove]
      """),
    Case(
      "a ring, an own parent, an unknown parent",
      Scenario(place, ["places.csv": "id,parent\na,b\nb,a\nc,c\nd,zz\n"], step("update")),
      """
      places: 4 read, 4 new
      places.links: 4 read, 3 changed, 1 unfit
      Place id=a parent→b children→[b]
      Place id=b parent→a children→[a]
      Place id=c parent→c children→[c]
      Place id=d
      places.links.rejected.csv:
      d,zz,5,22,,link.missing
      """),
    Case(
      "an unknown parent is left out, or made",
      Scenario(
        place, ["places.csv": "id,parent\na,x\n", "more.csv": "id,parent\nb,y\nc,y\n"], step("update", "null"),
        step("update", "create", file: "more.csv")),
      """
      places: 1 read, 1 new
      places.links: 1 read, 1 unchanged, 1 left out
      places: 2 read, 2 new
      places.links: 2 read, 2 changed, 1 made
      Place id=a
      Place id=b parent→y
      Place id=c parent→y
      Place id=y children→[b c]
      """),
    Case(
      "what a first pass refused links nothing",
      Scenario(place, ["places.csv": "id,parent\na,b\nb,\na,a\n,a\nc\n"], step("fail")),
      """
      places: 5 read, 2 new, 1 unread, 2 unfit
      places.links: 5 read, 1 changed, 1 unchanged, 3 passed over
      Place id=a parent→b
      Place id=b children→[a]
      places.rejected.csv:
      a,a,4,17,,key.exists
      ,a,5,21,,key.null
      c,,6,24,,csv.field-count
      """),
    Case(
      "what a first pass passed over links nothing",
      Scenario(
        place, ["places.csv": "id,parent\na,b\nb,\n", "more.csv": "id,parent\na,a\nb,c\nc,b\nc,c\n"], step("skip"),
        step("skip", file: "more.csv")),
      """
      places: 2 read, 2 new
      places.links: 2 read, 1 changed, 1 unchanged
      places: 4 read, 1 new, 3 passed over
      places.links: 4 read, 1 changed, 3 passed over
      Place id=a parent→b
      Place id=b children→[a c]
      Place id=c parent→b
      """),
    Case(
      "a relationship that is its own inverse",
      Scenario(
        place, ["places.csv": "id,near\na,\"b,c\"\nb,a\nc,\"a,c\"\n"],
        "{read: {csv: 'places.csv'}, entity: 'Place', key: ['id'], relationships: {near: {column: 'near', by: 'id'}}}"),
      """
      places: 3 read, 3 new
      places.links: 3 read, 2 changed, 1 unchanged
      Place id=a near→[b c]
      Place id=b near→[a]
      Place id=c near→[a c]
      """),
    Case(
      "children name their parent and a parent its children",
      Scenario(
        place, ["places.csv": "id,children\na,\"b,c\"\nb,\nc,d\nd,\n"],
        "{read: {csv: 'places.csv'}, entity: 'Place', key: ['id'], relationships: {children: {column: 'children', by: 'id'}}}"
      ),
      """
      places: 4 read, 4 new
      places.links: 4 read, 2 changed, 2 unchanged
      Place id=a children→[b c]
      Place id=b parent→a
      Place id=c parent→a children→[d]
      Place id=d parent→c
      """),
    Case(
      "another entity of the hierarchy",
      Scenario(
        """
        <entity name="Person"><attribute name="id" optional="YES" attributeType="String"/></entity>
        <entity name="Boss" parentEntity="Person">
          <relationship name="reports" optional="YES" toMany="YES" destinationEntity="Clerk" inverseName="boss" inverseEntity="Clerk"/></entity>
        <entity name="Clerk" parentEntity="Person"><attribute name="desk" optional="YES" attributeType="String"/>
          <relationship name="boss" optional="YES" maxCount="1" destinationEntity="Boss" inverseName="reports" inverseEntity="Boss"/></entity>
        """, ["bosses.csv": "id\nB\n", "clerks.csv": "id,desk,boss\nC,1,B\nB,2,C\nD,3,D\n"],
        "{read: {csv: 'bosses.csv'}, entity: 'Boss', key: ['id']}, {read: {csv: 'clerks.csv'}, entity: 'Clerk', key: ['id'], "
          + "relationships: {boss: {column: 'boss', by: 'id'}}}"),
      """
      bosses: 1 read, 1 new
      clerks: 3 read, 3 new
      clerks.links: 3 read, 1 changed, 2 unfit
      Boss id=B reports→[C]
      Clerk desk=1 id=C boss→B
      Clerk desk=2 id=B
      Clerk desk=3 id=D
      clerks.links.rejected.csv:
      B,2,C,3,19,,link.missing
      D,3,D,4,25,,link.missing
      """),
  ]

  @Test(arguments: scenarios, Way.all)
  func outcome(_ c: Case<Scenario, String>, way: Way) throws {
    let outcome = try c.input.outcome(way)
    #expect(outcome == c.expected)
  }

  /// Every order of the records gives the same links.
  @Test func everyOrder() throws {
    let records = ["birch,grove", "grove,forest", "forest,"]
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
      let text = "id,parent\n" + order.map { records[$0] + "\n" }.joined()
      let ground = try Ground(Scenario(Self.place, ["places.csv": text]), .plain)
      _ = ground.run(Self.step("fail"))
      #expect(
        try ground.objects().sorted() == [
          "Place id=birch parent→grove", "Place id=forest children→[grove]",
          "Place id=grove parent→forest children→[birch]",
        ], "\(text)")
    }
  }
}
