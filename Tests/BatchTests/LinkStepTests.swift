import TestSupport
import Testing

/// Steps whose records are links between objects that are there.
struct LinkStepTests {
  /// Lists with songs in order and tags without.
  static let lists = """
    <entity name="List"><attribute name="id" optional="YES" attributeType="String"/>
      <relationship name="songs" optional="YES" toMany="YES" ordered="YES" destinationEntity="Song" inverseName="lists" inverseEntity="Song"/>
      <relationship name="tags" optional="YES" toMany="YES" destinationEntity="Tag" inverseName="lists" inverseEntity="Tag"/></entity>
    <entity name="Song"><attribute name="id" optional="YES" attributeType="Integer 32"/>
      <relationship name="lists" optional="YES" toMany="YES" destinationEntity="List" inverseName="songs" inverseEntity="List"/></entity>
    <entity name="Tag"><attribute name="id" optional="YES" attributeType="String"/>
      <relationship name="lists" optional="YES" toMany="YES" destinationEntity="List" inverseName="tags" inverseEntity="List"/></entity>
    """
  private static let objects =
    "{read: {csv: 'lists.csv'}, entity: 'List'}, {read: {csv: 'songs.csv'}, entity: 'Song'}, {read: {csv: 'tags.csv'}, entity: 'Tag'}"
  private static let files = ["lists.csv": "id\nA\nB\n", "songs.csv": "id\n1\n2\n3\n4\n", "tags.csv": "id\nx\ny\n"]
  private static func songs(_ more: String = "", file: String = "links.csv") -> String {
    "{read: {csv: '\(file)'}, link: {entity: 'List', relationship: 'songs', from: {column: 'list', by: 'id'}, "
      + "to: {column: 'song', by: 'id'}\(more)}}"
  }
  private static func scenario(_ links: String, _ steps: String, more: [String: String] = [:]) -> Scenario {
    Scenario(lists, files.merging(["links.csv": links]) { $1 }.merging(more) { $1 }, objects + "," + steps)
  }
  /// What the steps that make the objects say.
  private static let made = "lists: 2 read, 2 new\nsongs: 4 read, 4 new\ntags: 2 read, 2 new\n"

  static let scenarios: [Case<Scenario, String>] = [
    Case(
      "in the records' order", scenario("list,song\nA,3\nB,1\nA,1\nA,2\nB,3\n", songs()),
      made + """
        links: 5 read, 5 new
        List id=A songs→[3 1 2]
        List id=B songs→[1 3]
        Song id=1 lists→[A B]
        Song id=2 lists→[A]
        Song id=3 lists→[A B]
        Song id=4
        Tag id=x
        Tag id=y
        """),
    Case(
      "in the order of a column",
      scenario("list,song,n\nA,3,30\nB,1,-1\nA,1,10\nA,2,20\nB,3,-2\nA,4,10\n", songs(", order: 'n'")),
      made + """
        links: 6 read, 6 new
        List id=A songs→[1 4 2 3]
        List id=B songs→[3 1]
        Song id=1 lists→[A B]
        Song id=2 lists→[A]
        Song id=3 lists→[A B]
        Song id=4 lists→[A]
        Tag id=x
        Tag id=y
        """),
    Case(
      "behind the links that are there",
      scenario(
        "list,song,n\nA,3,2\nA,4,1\n", songs(", order: 'n'") + "," + songs(", order: 'n'", file: "more.csv"),
        more: ["more.csv": "list,song,n\nA,2,9\nA,1,8\nA,4,0\n"]),
      made + """
        links: 2 read, 2 new
        more: 3 read, 3 new
        List id=A songs→[3 4 1 2]
        List id=B
        Song id=1 lists→[A]
        Song id=2 lists→[A]
        Song id=3 lists→[A]
        Song id=4 lists→[A]
        Tag id=x
        Tag id=y
        """),
    Case(
      "the records' order moves links that are there",
      scenario(
        "list,song\nA,3\nA,1\nA,4\nA,2\nA,4\nA,1\n", songs() + "," + songs(file: "more.csv"),
        more: ["more.csv": "list,song\nA,1\nB,2\nA,2\nA,3\nB,1\nA,1\n"]),
      made + """
        links: 6 read, 6 new
        more: 6 read, 6 new
        List id=A songs→[4 1 2 3]
        List id=B songs→[2 1]
        Song id=1 lists→[A B]
        Song id=2 lists→[A B]
        Song id=3 lists→[A]
        Song id=4 lists→[A]
        Tag id=x
        Tag id=y
        """),
    Case(
      "no order, and a link twice",
      scenario(
        "list,tag\nB,y\nA,x\nB,x\nB,y\n",
        "{read: {csv: 'links.csv'}, link: {entity: 'List', relationship: 'tags', from: {column: 'list', by: 'id'}, "
          + "to: {column: 'tag', by: 'id'}}}"),
      made + """
        links: 4 read, 4 new
        List id=A tags→[x]
        List id=B tags→[x y]
        Song id=1
        Song id=2
        Song id=3
        Song id=4
        Tag id=x lists→[A B]
        Tag id=y lists→[B]
        """),
    Case(
      "links that lack an end",
      scenario("list,song,n\nA,1,1\nX,1,1\nA,9,1\n,1,1\nA,,1\nA,x,1\nA,2,x\nA,3,\n", songs(", order: 'n'")),
      made + """
        links: 8 read, 1 new, 7 unfit
        List id=A songs→[1]
        List id=B
        Song id=1 lists→[A]
        Song id=2
        Song id=3
        Song id=4
        Tag id=x
        Tag id=y
        links.rejected.csv:
        X,1,1,3,18,,link.missing
        A,9,1,4,24,,link.missing
        ,1,1,5,30,,link.null
        A,,1,6,35,,link.null
        A,x,1,7,40,2,convert.number
        A,2,x,8,46,3,link.order
        A,3,,9,52,3,link.order
        """),
    Case(
      "ends that do not exist are left out", scenario("list,song\nA,1\nX,1\nA,9\n", songs(", missing: 'null'")),
      made + """
        links: 3 read, 1 new, 2 passed over, 2 left out
        List id=A songs→[1]
        List id=B
        Song id=1 lists→[A]
        Song id=2
        Song id=3
        Song id=4
        Tag id=x
        Tag id=y
        """),
    Case(
      "ends that several have",
      Scenario(
        lists,
        [
          "lists.csv": "id\nA\nA\nB\n", "songs.csv": "id\n1\n1\n2\n", "tags.csv": "id\n",
          "links.csv": "list,song\nA,2\nB,1\nB,2\n",
        ],
        objects + "," + songs()),
      """
      lists: 3 read, 3 new
      songs: 3 read, 3 new
      tags: 0 read
      links: 3 read, 1 new, 2 unfit
      List id=A
      List id=A
      List id=B songs→[2]
      Song id=1
      Song id=1
      Song id=2 lists→[B]
      links.rejected.csv:
      A,2,2,10,,link.ambiguous
      B,1,3,14,,link.ambiguous
      """),
  ]

  @Test(arguments: scenarios, Way.all)
  func outcome(_ c: Case<Scenario, String>, way: Way) throws {
    let outcome = try c.input.outcome(way)
    #expect(outcome == c.expected)
  }
}
