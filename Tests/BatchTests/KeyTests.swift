import TestSupport
import Testing

/// What becomes of records by their keys: the same in every kind of store and with every size of chunks.
struct KeyTests {
  /// A person with a name; several may have one `id`.
  static let person = """
    <entity name="Person"><attribute name="id" optional="YES" attributeType="String"/>
      <attribute name="name" optional="YES" attributeType="String"/></entity>
    """
  /// The same, and the model wants another attribute to be unique.
  static let member = """
    <entity name="Member"><attribute name="id" optional="YES" attributeType="String"/>
      <attribute name="mail" optional="YES" attributeType="String"/>
      <uniquenessConstraints><uniquenessConstraint><constraint value="id"/></uniquenessConstraint>
        <uniquenessConstraint><constraint value="mail"/></uniquenessConstraint></uniquenessConstraints></entity>
    """
  private static let twice = [
    "a.csv": "id,name\n1,Ada\n2,Bo\n1,Cy\n1,Cy\n3,Di\n", "b.csv": "id,name\n2,Eve\n3,Di\n4,Flo\n",
  ]

  static let scenarios: [Case<Scenario, String>] = [
    Case(
      "no key: every record is an object", Scenario(person, twice, "{read: {csv: 'a.csv'}, entity: 'Person'}"),
      """
      a: 5 read, 5 new
      Person id=1 name=Ada
      Person id=2 name=Bo
      Person id=1 name=Cy
      Person id=1 name=Cy
      Person id=3 name=Di
      """),
    Case(
      "insert: keys are not looked up",
      Scenario(
        person, twice, "{read: {csv: 'b.csv'}, entity: 'Person', key: ['id'], onConflict: 'insert'}",
        "{read: {csv: 'b.csv'}, entity: 'Person', key: ['id'], onConflict: 'insert'}"),
      """
      b: 3 read, 3 new
      b: 3 read, 3 new
      Person id=2 name=Eve
      Person id=3 name=Di
      Person id=4 name=Flo
      Person id=2 name=Eve
      Person id=3 name=Di
      Person id=4 name=Flo
      """),
    Case(
      "fail, which is the default",
      Scenario(
        person, twice,
        "{read: {csv: 'a.csv'}, entity: 'Person', key: ['id']}, {read: {csv: 'b.csv'}, entity: 'Person', key: ['id']}"),
      """
      a: 5 read, 3 new, 2 unfit
      b: 3 read, 1 new, 2 unfit
      Person id=1 name=Ada
      Person id=2 name=Bo
      Person id=3 name=Di
      Person id=4 name=Flo
      a.rejected.csv:
      1,Cy,4,19,,key.exists
      1,Cy,5,24,,key.exists
      b.rejected.csv:
      2,Eve,2,8,,key.exists
      3,Di,3,14,,key.exists
      """),
    Case(
      "update: the last record wins",
      Scenario(
        person, twice, "{read: {csv: 'a.csv'}, entity: 'Person', key: ['id'], onConflict: 'update'}",
        "{read: {csv: 'b.csv'}, entity: 'Person', key: ['id'], onConflict: 'update'}"),
      """
      a: 5 read, 3 new, 1 changed, 1 unchanged
      b: 3 read, 1 new, 1 changed, 1 unchanged
      Person id=1 name=Cy
      Person id=2 name=Eve
      Person id=3 name=Di
      Person id=4 name=Flo
      """),
    Case(
      "skip: the first record stays",
      Scenario(
        person, twice, "{read: {csv: 'a.csv'}, entity: 'Person', key: ['id'], onConflict: 'skip'}",
        "{read: {csv: 'b.csv'}, entity: 'Person', key: ['id'], onConflict: 'skip'}"),
      """
      a: 5 read, 3 new, 2 passed over
      b: 3 read, 1 new, 2 passed over
      Person id=1 name=Ada
      Person id=2 name=Bo
      Person id=3 name=Di
      Person id=4 name=Flo
      """),
    Case(
      "a null is no key",
      Scenario(
        person, ["a.csv": "id,name\n,Ada\n\"\",Bo\n"],
        "{read: {csv: 'a.csv'}, entity: 'Person', key: ['id'], onConflict: 'update'}"),
      """
      a: 2 read, 1 new, 1 unfit
      Person id= name=Bo
      a.rejected.csv:
      ,Ada,2,8,,key.null
      """),
    Case(
      "a null where keys are not looked up",
      Scenario(
        person, ["a.csv": "id,name\n,Ada\n"],
        "{read: {csv: 'a.csv'}, entity: 'Person', key: ['id'], onConflict: 'insert'}"),
      """
      a: 1 read, 1 new
      Person name=Ada
      """),
    Case(
      "a key that several have",
      Scenario(
        person, ["a.csv": "id,name\n1,Ada\n1,Bo\n", "b.csv": "id,name\n1,Cy\n2,Di\n"],
        "{read: {csv: 'a.csv'}, entity: 'Person'}",
        "{read: {csv: 'b.csv'}, entity: 'Person', key: ['id'], onConflict: 'update'}",
        "{read: {csv: 'b.csv'}, entity: 'Person', key: ['id'], onConflict: 'skip'}"),
      """
      a: 2 read, 2 new
      b: 2 read, 1 new, 1 unfit
      b: 2 read, 1 passed over, 1 unfit
      Person id=1 name=Ada
      Person id=1 name=Bo
      Person id=2 name=Di
      b.rejected.csv:
      1,Cy,2,8,,key.ambiguous
      """),
    Case(
      "a key of two attributes",
      Scenario(
        person, ["a.csv": "id,name\n1,Ada\n1,Bo\n2,Ada\n1,Ada\n1,\n"],
        "{read: {csv: 'a.csv'}, entity: 'Person', key: ['name', 'id']}"),
      """
      a: 5 read, 3 new, 2 unfit
      Person id=1 name=Ada
      Person id=1 name=Bo
      Person id=2 name=Ada
      a.rejected.csv:
      1,Ada,5,25,,key.exists
      1,,6,31,,key.null
      """),
    Case(
      "keys are compared as values, not as texts",
      Scenario(
        """
        <entity name="Tree"><attribute name="id" optional="YES" attributeType="Integer 64"/>
          <attribute name="name" optional="YES" attributeType="String"/></entity>
        """,
        ["a.csv": "id,name\n42,Elm\n\"42\",Elm tall\n042,Elm taller\n", "b.csv": "id,name\n+42,Elm tallest\n"],
        "{read: {csv: 'a.csv'}, entity: 'Tree', key: ['id'], onConflict: 'update'}, {read: {csv: 'b.csv'}, entity: 'Tree', key: ['id'], onConflict: 'update'}"
      ),
      """
      a: 3 read, 1 new, 2 changed
      b: 1 read, 1 changed
      Tree id=42 name=Elm tallest
      """),
    Case(
      "texts are one key whose normal forms are equal",
      Scenario(
        person, ["a.csv": "id,name\ncaf\u{E9},1\ncafe\u{301},2\n", "b.csv": "id,name\ncafe\u{301},3\n"],
        "{read: {csv: 'a.csv'}, entity: 'Person', key: ['id'], onConflict: 'update'}, {read: {csv: 'b.csv'}, entity: 'Person', key: ['id'], onConflict: 'update'}"
      ),
      """
      a: 2 read, 1 new, 1 changed
      b: 1 read, 1 changed
      Person id=caf\u{E9} name=3
      """),
    Case(
      "an update with null, and without the column",
      Scenario(
        person, ["a.csv": "id,name\n1,Ada\n2,Bo\n", "b.csv": "id,name\n1,\n", "c.csv": "id\n2\n"],
        "{read: {csv: 'a.csv'}, entity: 'Person', key: ['id'], onConflict: 'update'}",
        "{read: {csv: 'b.csv'}, entity: 'Person', key: ['id'], onConflict: 'update'}",
        "{read: {csv: 'c.csv'}, entity: 'Person', key: ['id'], onConflict: 'update'}"),
      """
      a: 2 read, 2 new
      b: 1 read, 1 changed
      c: 1 read, 1 unchanged
      Person id=1
      Person id=2 name=Bo
      """),
    Case(
      "a refused record does not hold its key",
      Scenario(
        """
        <entity name="Person"><attribute name="id" optional="YES" attributeType="String"/>
          <attribute name="name" attributeType="String" minValueString="2"/></entity>
        """, ["a.csv": "id,name\n1,x\n1,Ada\n1,y\n"], "{read: {csv: 'a.csv'}, entity: 'Person', key: ['id']}"),
      """
      a: 3 read, 1 new, 1 unfit, 1 invalid
      Person id=1 name=Ada
      a.rejected.csv:
      1,x,2,8,,validation.too-short
      1,y,4,18,,key.exists
      """),
    Case(
      "another attribute that must be unique",
      Scenario(
        member, ["a.csv": "id,mail\n1,a@x\n2,a@x\n3,\n4,\n", "b.csv": "id,mail\n1,a@x\n5,a@x\n3,a@x\n"],
        "{read: {csv: 'a.csv'}, entity: 'Member', key: ['id'], onConflict: 'update'}",
        "{read: {csv: 'b.csv'}, entity: 'Member', key: ['id'], onConflict: 'update'}"),
      """
      a: 4 read, 3 new, 1 invalid
      b: 3 read, 1 unchanged, 2 invalid
      Member id=1 mail=a@x
      Member id=3
      Member id=4
      a.rejected.csv:
      2,a@x,3,14,,validation.unique
      b.rejected.csv:
      5,a@x,3,14,,validation.unique
      3,a@x,4,20,,validation.unique
      """),
    Case(
      "a unique value that its owner gives up",
      Scenario(
        member, ["a.csv": "id,mail\n1,a@x\n2,b@x\n", "b.csv": "id,mail\n2,c@x\n1,b@x\n3,a@x\n3,d@x\n4,a@x\n"],
        "{read: {csv: 'a.csv'}, entity: 'Member', key: ['id'], onConflict: 'update'}",
        "{read: {csv: 'b.csv'}, entity: 'Member', key: ['id'], onConflict: 'update'}"),
      """
      a: 2 read, 2 new
      b: 5 read, 2 new, 3 changed
      Member id=1 mail=b@x
      Member id=2 mail=c@x
      Member id=3 mail=d@x
      Member id=4 mail=a@x
      """),
    Case(
      "a unique value that its owner gives up too late",
      Scenario(
        member, ["a.csv": "id,mail\n1,a@x\n2,b@x\n", "b.csv": "id,mail\n1,b@x\n2,c@x\n"],
        "{read: {csv: 'a.csv'}, entity: 'Member', key: ['id'], onConflict: 'update'}",
        "{read: {csv: 'b.csv'}, entity: 'Member', key: ['id'], onConflict: 'update'}"),
      """
      a: 2 read, 2 new
      b: 2 read, 1 changed, 1 invalid
      Member id=1 mail=a@x
      Member id=2 mail=c@x
      b.rejected.csv:
      1,b@x,2,8,,validation.unique
      """),
    Case(
      "unique without a key",
      Scenario(
        member, ["a.csv": "id,mail\n1,a@x\n1,b@x\n2,a@x\n,a@y\n,\n"], "{read: {csv: 'a.csv'}, entity: 'Member'}"),
      """
      a: 5 read, 3 new, 2 invalid
      Member id=1 mail=a@x
      Member mail=a@y
      Member
      a.rejected.csv:
      1,b@x,3,14,,validation.unique
      2,a@x,4,20,,validation.unique
      """),
    Case(
      "unique over a hierarchy",
      Scenario(
        """
        <entity name="Person"><attribute name="id" optional="YES" attributeType="String"/>
          <uniquenessConstraints><uniquenessConstraint><constraint value="id"/></uniquenessConstraint></uniquenessConstraints></entity>
        <entity name="Boss" parentEntity="Person"><attribute name="car" optional="YES" attributeType="String"/></entity>
        <entity name="Clerk" parentEntity="Person"><attribute name="desk" optional="YES" attributeType="String"/></entity>
        """, ["bosses.csv": "id,car\n1,A\n2,B\n", "clerks.csv": "id,desk\n2,C\n3,D\n", "people.csv": "id\n1\n3\n4\n"],
        "{read: {csv: 'bosses.csv'}, entity: 'Boss', key: ['id']}, {read: {csv: 'clerks.csv'}, entity: 'Clerk', key: ['id'], onConflict: 'update'}, "
          + "{read: {csv: 'people.csv'}, entity: 'Person', key: ['id'], onConflict: 'update'}"),
      """
      bosses: 2 read, 2 new
      clerks: 2 read, 1 new, 1 invalid
      people: 3 read, 1 new, 2 unchanged
      Boss car=A id=1
      Boss car=B id=2
      Clerk desk=D id=3
      Person id=4
      clerks.rejected.csv:
      2,C,2,8,,validation.unique
      """),
  ]

  @Test(arguments: scenarios, Way.all)
  func outcome(_ c: Case<Scenario, String>, way: Way) throws {
    let outcome = try c.input.outcome(way)
    #expect(outcome == c.expected)
  }
}
