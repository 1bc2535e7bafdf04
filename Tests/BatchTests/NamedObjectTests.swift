import Diagnostics
import TestSupport
import Testing

@testable import Batch

/// Records that name their objects for one run, and records and steps that find them by these names.
struct NamedObjectTests {
  static let entities = """
    <entity name="Town"><attribute name="id" optional="YES" attributeType="String"/>
      <relationship name="people" optional="YES" toMany="YES" destinationEntity="Person" inverseName="town" inverseEntity="Person"/></entity>
    <entity name="Person"><attribute name="id" attributeType="String"/>
      <relationship name="town" optional="YES" maxCount="1" destinationEntity="Town" inverseName="people" inverseEntity="Town"/>
      <relationship name="boss" optional="YES" maxCount="1" destinationEntity="Person" inverseName="staff" inverseEntity="Person"/>
      <relationship name="staff" optional="YES" toMany="YES" ordered="YES" destinationEntity="Person" inverseName="boss" inverseEntity="Person"/></entity>
    """
  static let towns = "{read: {csv: 'towns.csv'}, entity: 'Town', id: '_id'}"
  static let people = """
    {read: {csv: 'people.csv'}, entity: 'Person', id: 'who', ignore: ['staff'], relationships: {town: {column: 'town', by: '_id'},
      boss: {column: 'boss', by: '_id'}}}
    """

  /// A book needs two pages, and a page its book.
  static let books = """
    <entity name="Book"><attribute name="id" attributeType="String"/>
      <relationship name="pages" toMany="YES" minCount="2" deletionRule="Cascade" destinationEntity="Page" inverseName="book" inverseEntity="Page"/></entity>
    <entity name="Page"><attribute name="id" attributeType="String"/>
      <relationship name="book" maxCount="1" destinationEntity="Book" inverseName="pages" inverseEntity="Book"/></entity>
    """
  static let bookFiles = [
    "books.csv": "_id,id\nA,Atlas\nB,Bible\nC,Codex\n",
    "pages.csv": "_id,id,book\n1,x,A\n2,y,A\n3,z,B\n",
  ]

  static let scenarios: [Case<Scenario, String>] = [
    Case(
      "objects of other steps and of the same",
      Scenario(
        entities,
        [
          "towns.csv": "_id,id\nt1,Ulm\nt2,Bonn\n",
          "people.csv": "who,id,town,boss,staff\nt3,Ada,t1,t4,\nt4,Bob,t2,,\nt5,Cy,,t3,\n",
        ], "\(towns), \(people)"),
      """
      towns: 2 read, 2 new
      people: 3 read, 3 new
      people.links: 3 read, 2 changed, 1 unchanged
      Person id=Ada boss→Bob town→Ulm staff→[Cy]
      Person id=Bob town→Bonn staff→[Ada]
      Person id=Cy boss→Ada
      Town id=Ulm people→[Ada]
      Town id=Bonn people→[Bob]
      """),
    Case(
      "names that are not there, not one object's, or of another entity",
      Scenario(
        entities,
        [
          "towns.csv": "_id,id\nt1,Ulm\n,Bonn\nt1,Rom\n",
          "people.csv": "who,id,town,boss,staff\np1,Ada,t9,,\np2,Bob,p1,,\np3,Cy,t1,t1,\nt1,Di,t1,,\n",
        ], "\(towns), \(people)"),
      """
      towns: 3 read, 1 new, 2 unfit
      people: 4 read, 1 new, 3 unfit
      people.links: 4 read, 3 passed over, 1 unfit
      Person id=Cy town→Ulm
      Town id=Ulm people→[Cy]
      people.links.rejected.csv:
      p3,Cy,t1,t1,,4,47,,link.missing
      people.rejected.csv:
      p1,Ada,t9,,,2,23,,link.missing
      p2,Bob,p1,,,3,35,,link.missing
      t1,Di,t1,,,5,60,,key.exists
      towns.rejected.csv:
      ,Bonn,3,14,,key.null
      t1,Rom,4,20,,key.exists
      """),
    Case(
      "a to-one relationship that a later step fills",
      Scenario(
        entities,
        [
          "towns.csv": "_id,id\nt1,Ulm\n",
          "people.csv": "who,id,town,boss,staff\np1,Ada,t1,p2,\np2,Bob,,,\np3,Cy,t7,,\n",
        ],
        "{read: {csv: 'people.csv'}, entity: 'Person', id: 'who', ignore: ['town', 'boss', 'staff']}, \(towns), "
          + "{read: {csv: 'people.csv'}, name: 'in', link: {entity: 'Person', relationship: 'town', "
          + "from: {column: 'who', by: '_id'}, to: {column: 'town', by: '_id'}}}"),
      """
      people: 3 read, 3 new
      towns: 1 read, 1 new
      in: 3 read, 1 new, 1 passed over, 1 unfit
      Person id=Ada town→Ulm
      Person id=Bob
      Person id=Cy
      Town id=Ulm people→[Ada]
      in.rejected.csv:
      p3,Cy,t7,,,4,47,,link.missing
      """),
    Case(
      "links in an order",
      Scenario(
        entities,
        [
          "people.csv": "who,id\np1,Ada\np2,Bob\np3,Cy\n",
          "links.csv": "_id,staff,_order\np1,p2,2\np1,p3,1\n",
        ],
        "{read: {csv: 'people.csv'}, entity: 'Person', id: 'who'}, {read: {csv: 'links.csv'}, link: {entity: 'Person', "
          + "relationship: 'staff', from: {column: '_id', by: '_id'}, to: {column: 'staff', by: '_id'}, order: '_order'}}"
      ),
      """
      people: 3 read, 3 new
      links: 2 read, 2 new
      Person id=Ada staff→[Cy Bob]
      Person id=Bob boss→Ada
      Person id=Cy boss→Ada
      """),
    Case(
      "objects that are there keep theirs when a record is passed over",
      Scenario(
        entities, ["towns.csv": "_id,id\nt1,Ulm\n", "people.csv": "who,id,town,boss,staff\np1,Ada,t1,,\n"],
        "{read: {csv: 'towns.csv'}, entity: 'Town', key: ['id'], ignore: ['_id']}",
        "{read: {csv: 'towns.csv'}, entity: 'Town', id: '_id', key: ['id'], onConflict: 'skip'}, \(people)"),
      """
      towns: 1 read, 1 new
      towns: 1 read, 1 passed over
      people: 1 read, 1 new
      people.links: 1 read, 1 unchanged
      Person id=Ada town→Ulm
      Town id=Ulm people→[Ada]
      """),
    Case(
      "links that later steps make",
      Scenario(
        books, bookFiles,
        "{read: {csv: 'books.csv'}, entity: 'Book', id: '_id', linkedLater: true}, "
          + "{read: {csv: 'pages.csv'}, entity: 'Page', id: '_id', relationships: {book: {column: 'book', by: '_id'}}}"),
      """
      books: 3 read, 3 new
      pages: 3 read, 3 new
      pages.check: 3 read, 3 unchanged
      books.check: 3 read, 1 unchanged, 2 invalid
      pages.check-2: 3 read, 2 unchanged, 1 invalid
      books.check-2: 3 read, 1 unchanged, 2 passed over
      pages.check-3: 3 read, 2 unchanged, 1 passed over
      books.check-3: 3 read, 1 unchanged, 2 passed over
      Book id=Atlas pages→[x y]
      Page id=x book→Atlas
      Page id=y book→Atlas
      books.check.rejected.csv:
      B,Bible,3,15,,validation.too-few
      C,Codex,4,23,,validation.too-few
      pages.check-2.rejected.csv:
      3,z,B,4,24,,link.required
      """),
    Case(
      "links that no step makes",
      Scenario(
        books, bookFiles, "{read: {csv: 'books.csv'}, entity: 'Book', id: '_id'}"),
      """
      books: 3 read, 3 invalid
      books.rejected.csv:
      A,Atlas,2,7,,validation.too-few
      B,Bible,3,15,,validation.too-few
      C,Codex,4,23,,validation.too-few
      """),
  ]

  @Test(arguments: scenarios, Way.all) func outcome(_ c: Case<Scenario, String>, way: Way) throws {
    let outcome = try c.input.outcome(way)
    #expect(outcome == c.expected)
  }

  /// Names are known to the run alone: one that was stopped is not gone on with.
  @Test func stoppedRunIsRefused() throws {
    let ground = try Ground(Scenario(Self.entities, ["towns.csv": "_id,id\nt1,Ulm\nt2,Bonn\nt3,Rom\n"]), Way.all[3])
    var committed = 0
    var events = RunEvents()
    events.progress = { step, counts, _ in if step == "towns" { committed = counts.readCount } }
    events.stopSignal = { committed > 1 ? 15 : nil }
    #expect(throws: Stopped.self) { try ground.batchRun(Self.towns, fingerprint: "f", events: events).run() }
    let error = #expect(throws: Diagnostic.self) { try ground.batchRun(Self.towns, fingerprint: "f").run() }
    #expect(error?.code.name == "run.input-changed")
    #expect(
      error?.message == "an earlier run of this pipeline was not finished, and what its ids stand for is forgotten")
    #expect(try ground.batchRun(Self.towns, fingerprint: "f").run(restarting: true)[0].counts.insertCount == 3)
  }
}
