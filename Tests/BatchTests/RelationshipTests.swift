import TestSupport
import Testing

/// How relationships are filled: the same in every kind of store and with every size of chunks.
struct RelationshipTests {
  /// Books with an author, a cover of their own, tags, and chapters in order.
  static let library = """
    <entity name="Author"><attribute name="id" optional="YES" attributeType="String"/>
      <relationship name="books" optional="YES" toMany="YES" destinationEntity="Book" inverseName="author" inverseEntity="Book"/></entity>
    <entity name="Book"><attribute name="id" optional="YES" attributeType="String"/>
      <relationship name="author" optional="YES" maxCount="1" destinationEntity="Author" inverseName="books" inverseEntity="Author"/>
      <relationship name="cover" optional="YES" maxCount="1" destinationEntity="Cover" inverseName="book" inverseEntity="Cover"/>
      <relationship name="tags" optional="YES" toMany="YES" destinationEntity="Tag" inverseName="books" inverseEntity="Tag"/>
      <relationship name="chapters" optional="YES" toMany="YES" ordered="YES" destinationEntity="Chapter" inverseName="book" inverseEntity="Chapter"/></entity>
    <entity name="Chapter"><attribute name="id" optional="YES" attributeType="Integer 64"/>
      <relationship name="book" optional="YES" maxCount="1" destinationEntity="Book" inverseName="chapters" inverseEntity="Book"/></entity>
    <entity name="Cover"><attribute name="id" optional="YES" attributeType="String"/>
      <relationship name="book" optional="YES" maxCount="1" destinationEntity="Book" inverseName="cover" inverseEntity="Book"/></entity>
    <entity name="Tag"><attribute name="id" optional="YES" attributeType="String"/>
      <relationship name="books" optional="YES" toMany="YES" destinationEntity="Book" inverseName="tags" inverseEntity="Book"/></entity>
    """
  private static func books(_ relationships: String, _ more: String = "") -> String {
    "{read: {csv: 'books.csv'}, entity: 'Book', key: ['id'], onConflict: 'update', relationships: {\(relationships)}\(more)}"
  }
  private static let authors = "{read: {csv: 'authors.csv'}, entity: 'Author', key: ['id'], onConflict: 'update'}"
  private static let tags = "{read: {csv: 'tags.csv'}, entity: 'Tag', key: ['id'], onConflict: 'skip'}"

  static let toOne: [Case<Scenario, String>] = [
    Case(
      "a key that nobody has is rejected",
      Scenario(
        library, ["authors.csv": "id\nA\nB\n", "books.csv": "id,by\n1,A\n2,X\n3,\n4,A\n5,\"\"\n"],
        authors + "," + books("author: {column: 'by', by: 'id'}")),
      """
      authors: 2 read, 2 new
      books: 5 read, 3 new, 2 unfit
      Author id=A books→[1 4]
      Author id=B
      Book id=1 author→A
      Book id=3
      Book id=4 author→A
      books.rejected.csv:
      2,X,3,10,,link.missing
      5,"",6,21,,link.missing
      """),
    Case(
      "a key that nobody has is left out",
      Scenario(
        library, ["authors.csv": "id\nA\n", "books.csv": "id,by\n1,A\n2,X\n"],
        authors + "," + books("author: {column: 'by', by: 'id', missing: 'null'}")),
      """
      authors: 1 read, 1 new
      books: 2 read, 2 new, 1 left out
      Author id=A books→[1]
      Book id=1 author→A
      Book id=2
      """),
    Case(
      "an object is made for a key that nobody has",
      Scenario(
        library, ["authors.csv": "id\nA\n", "books.csv": "id,by\n1,X\n2,A\n3,X\n4,Y\n"],
        authors + "," + books("author: {column: 'by', by: 'id', missing: 'create'}"), authors),
      """
      authors: 1 read, 1 new
      books: 4 read, 4 new, 2 made
      authors: 1 read, 1 unchanged
      Author id=A books→[2]
      Author id=X books→[1 3]
      Author id=Y books→[4]
      Book id=1 author→X
      Book id=2 author→A
      Book id=3 author→X
      Book id=4 author→Y
      """),
    Case(
      "a record that is refused makes nothing",
      Scenario(
        library, ["books.csv": "id,by,cover\n1,X,none\n2,Y,\n"],
        books("author: {column: 'by', by: 'id', missing: 'create'}, cover: {column: 'cover', by: 'id'}")),
      """
      books: 2 read, 1 new, 1 unfit, 1 made
      Author id=Y books→[2]
      Book id=2 author→Y
      books.rejected.csv:
      1,X,none,2,12,,link.missing
      """),
    Case(
      "a key that several have",
      Scenario(
        library, ["authors.csv": "id\nA\nA\nB\n", "books.csv": "id,by\n1,A\n2,B\n"],
        "{read: {csv: 'authors.csv'}, entity: 'Author'}," + books("author: {column: 'by', by: 'id', missing: 'create'}")
      ),
      """
      authors: 3 read, 3 new
      books: 2 read, 1 new, 1 unfit
      Author id=A
      Author id=A
      Author id=B books→[2]
      Book id=2 author→B
      books.rejected.csv:
      1,A,2,6,,link.ambiguous
      """),
    Case(
      "an update sets, changes and clears",
      Scenario(
        library,
        ["authors.csv": "id\nA\nB\n", "books.csv": "id,by\n1,A\n2,A\n3,\n", "more.csv": "id,by\n1,B\n2,\n3,A\n1,B\n"],
        authors + "," + books("author: {column: 'by', by: 'id'}"),
        "{read: {csv: 'more.csv'}, entity: 'Book', key: ['id'], onConflict: 'update', "
          + "relationships: {author: {column: 'by', by: 'id'}}}"),
      """
      authors: 2 read, 2 new
      books: 3 read, 3 new
      more: 4 read, 3 changed, 1 unchanged
      Author id=A books→[3]
      Author id=B books→[1]
      Book id=1 author→B
      Book id=2
      Book id=3 author→A
      """),
    Case(
      "one to one: the last record that names an object has it",
      Scenario(
        library, ["covers.csv": "id\nred\nblue\n", "books.csv": "id,cover\n1,red\n2,blue\n3,red\n2,\n4,blue\n"],
        "{read: {csv: 'covers.csv'}, entity: 'Cover'}," + books("cover: {column: 'cover', by: 'id'}")),
      """
      covers: 2 read, 2 new
      books: 5 read, 4 new, 1 changed
      Book id=1
      Book id=2
      Book id=3 cover→red
      Book id=4 cover→blue
      Cover id=red book→3
      Cover id=blue book→4
      """),
    Case(
      "keys are values of the destination's attribute",
      Scenario(
        library, ["chapters.csv": "id\n7\n8\n", "books.csv": "id,chapters\n1,\"07,+8\"\n2,x\n"],
        "{read: {csv: 'chapters.csv'}, entity: 'Chapter'}," + books("chapters: {column: 'chapters', by: 'id'}")),
      """
      chapters: 2 read, 2 new
      books: 2 read, 1 new, 1 unfit
      Book id=1 chapters→[7 8]
      Chapter id=7 book→1
      Chapter id=8 book→1
      books.rejected.csv:
      2,x,3,22,2,convert.number
      """),
  ]

  static let toMany: [Case<Scenario, String>] = [
    Case(
      "lists in a field: blanks, nothing between separators, one twice, an escaped separator",
      Scenario(
        library,
        [
          "tags.csv": "id\nred\nblue\nsemi;colon\n",
          "books.csv": "id,tags\n1,red;blue\n2, red ; blue;\n3,\n4,;;\n5,red;red\n6,semi\\;colon;blue\n",
        ],
        tags + "," + books("tags: {column: 'tags', by: 'id', separator: ';'}")),
      """
      tags: 3 read, 3 new
      books: 6 read, 6 new
      Book id=1 tags→[blue red]
      Book id=2 tags→[blue red]
      Book id=3
      Book id=4
      Book id=5 tags→[red]
      Book id=6 tags→[blue semi;colon]
      Tag id=red books→[1 2 5]
      Tag id=blue books→[1 2 6]
      Tag id=semi;colon books→[6]
      """),
    Case(
      "one key of a list that nobody has",
      Scenario(
        library, ["tags.csv": "id\nred\n", "books.csv": "id,tags\n1,\"red,x\"\n2,red\n"],
        tags + "," + books("tags: {column: 'tags', by: 'id'}"),
        books("tags: {column: 'tags', by: 'id', missing: 'null'}"),
        books("tags: {column: 'tags', by: 'id', missing: 'create'}")),
      """
      tags: 1 read, 1 new
      books: 2 read, 1 new, 1 unfit
      books: 2 read, 1 new, 1 unchanged, 1 left out
      books: 2 read, 1 changed, 1 unchanged, 1 made
      Book id=2 tags→[red]
      Book id=1 tags→[red x]
      Tag id=red books→[1 2]
      Tag id=x books→[1]
      books.rejected.1.csv:
      1,"red,x",2,8,,link.missing
      """),
    Case(
      "an update replaces the list",
      Scenario(
        library,
        [
          "tags.csv": "id\na\nb\nc\n", "books.csv": "id,tags\n1,\"a,b\"\n2,\"a,b\"\n3,\"a,b\"\n",
          "more.csv": "id,tags\n1,\"b,c\"\n2,\n3,\"b,a\"\n",
        ],
        tags + "," + books("tags: {column: 'tags', by: 'id'}"),
        "{read: {csv: 'more.csv'}, entity: 'Book', key: ['id'], onConflict: 'update', "
          + "relationships: {tags: {column: 'tags', by: 'id'}}}"),
      """
      tags: 3 read, 3 new
      books: 3 read, 3 new
      more: 3 read, 2 changed, 1 unchanged
      Book id=1 tags→[b c]
      Book id=2
      Book id=3 tags→[a b]
      Tag id=a books→[3]
      Tag id=b books→[1 3]
      Tag id=c books→[1]
      """),
    Case(
      "an order is kept, and changed by an update",
      Scenario(
        library,
        [
          "chapters.csv": "id\n1\n2\n3\n4\n", "books.csv": "id,chapters\nx,\"3,1,2\"\ny,4\n",
          "more.csv": "id,chapters\nx,\"1,2,3\"\ny,\"4\"\n", "last.csv": "id,chapters\ny,\"2,4\"\n",
        ],
        "{read: {csv: 'chapters.csv'}, entity: 'Chapter'}," + books("chapters: {column: 'chapters', by: 'id'}"),
        "{read: {csv: 'more.csv'}, entity: 'Book', key: ['id'], onConflict: 'update', "
          + "relationships: {chapters: {column: 'chapters', by: 'id'}}}",
        "{read: {csv: 'last.csv'}, entity: 'Book', key: ['id'], onConflict: 'update', "
          + "relationships: {chapters: {column: 'chapters', by: 'id'}}}"),
      """
      chapters: 4 read, 4 new
      books: 2 read, 2 new
      more: 2 read, 1 changed, 1 unchanged
      last: 1 read, 1 changed
      Book id=x chapters→[1 3]
      Book id=y chapters→[2 4]
      Chapter id=1 book→x
      Chapter id=2 book→y
      Chapter id=3 book→x
      Chapter id=4 book→y
      """),
    Case(
      "the other side of a to-one relationship",
      Scenario(
        library, ["books.csv": "id\n1\n2\n3\n", "authors.csv": "id,books\nA,\"1,2\"\nB,\"2,3\"\n"],
        "{read: {csv: 'books.csv'}, entity: 'Book'}, {read: {csv: 'authors.csv'}, entity: 'Author', "
          + "relationships: {books: {column: 'books', by: 'id'}}}"),
      """
      books: 3 read, 3 new
      authors: 2 read, 2 new
      Author id=A books→[1]
      Author id=B books→[2 3]
      Book id=1 author→A
      Book id=2 author→B
      Book id=3 author→B
      """),
    Case(
      "elements of XML are a list",
      Scenario(
        library,
        ["books.xml": "<l><b id='1'><t>z</t><t>a,b</t><t/></b><b id='2'><t>z</t></b><b id='3'/></l>"],
        "{read: {xml: 'books.xml', record: 'l/b', fields: {id: '@id', tags: 't'}}, entity: 'Book', "
          + "relationships: {tags: {column: 'tags', by: 'id', missing: 'create'}}}"),
      """
      books: 3 read, 3 new, 2 made
      Book id=1 tags→[a,b z]
      Book id=2 tags→[z]
      Book id=3
      Tag id=z books→[1 2]
      Tag id=a,b books→[1]
      """),
  ]

  static let required: [Case<Scenario, String>] = [
    Case(
      "a required destination",
      Scenario(
        required(
          "<relationship name=\"home\" maxCount=\"1\" destinationEntity=\"Town\" inverseName=\"people\" inverseEntity=\"Town\"/>"
        ),
        ["people.csv": "id,home\n1,T\n2,\n3,X\n", "towns.csv": "id\nT\n"],
        "{read: {csv: 'towns.csv'}, entity: 'Town'}, {read: {csv: 'people.csv'}, entity: 'Person', "
          + "relationships: {home: {column: 'home', by: 'id', missing: 'null'}}}"),
      """
      towns: 1 read, 1 new
      people: 3 read, 1 new, 2 unfit
      Person id=1 home→T
      Town id=T people→[1]
      people.rejected.csv:
      2,,3,12,,link.required
      3,X,4,15,,link.required
      """),
    Case(
      "required destinations",
      Scenario(
        required(
          "<relationship name=\"home\" toMany=\"YES\" minCount=\"1\" maxCount=\"2\" destinationEntity=\"Town\" inverseName=\"people\" inverseEntity=\"Town\"/>"
        ),
        ["people.csv": "id,home\n1,\"T,U,V\"\n2,\n3,T\n4,\"U,V\"\n", "towns.csv": "id\nT\nU\nV\n"],
        "{read: {csv: 'towns.csv'}, entity: 'Town'}, {read: {csv: 'people.csv'}, entity: 'Person', "
          + "relationships: {home: {column: 'home', by: 'id'}}}"),
      """
      towns: 3 read, 3 new
      people: 4 read, 2 new, 2 invalid
      Person id=3 home→[T]
      Person id=4 home→[U V]
      Town id=T people→[3]
      Town id=U people→[4]
      Town id=V people→[4]
      people.rejected.csv:
      1,"T,U,V",2,8,,validation.too-many
      2,,3,18,,validation.too-few
      """),
    Case(
      "what is made for a key must be valid",
      Scenario(
        """
        <entity name="Person"><attribute name="id" optional="YES" attributeType="String"/>
          <relationship name="home" optional="YES" maxCount="1" destinationEntity="Town" inverseName="people" inverseEntity="Town"/></entity>
        <entity name="Town"><attribute name="id" attributeType="String" minValueString="2"/>
          <relationship name="people" optional="YES" toMany="YES" destinationEntity="Person" inverseName="home" inverseEntity="Person"/></entity>
        """,
        ["people.csv": "id,home\n1,Oslo\n2,X\n3,X\n4,Moss\n5,Oslo\n"],
        "{read: {csv: 'people.csv'}, entity: 'Person', relationships: {home: {column: 'home', by: 'id', missing: 'create'}}}"
      ),
      """
      people: 5 read, 3 new, 2 invalid, 2 made
      Person id=1 home→Oslo
      Person id=4 home→Moss
      Person id=5 home→Oslo
      Town id=Oslo people→[1 5]
      Town id=Moss people→[4]
      people.rejected.csv:
      2,X,3,15,,validation.too-short
      3,X,4,19,,validation.too-short
      """),
  ]

  private static func required(_ home: String) -> String {
    """
    <entity name="Person"><attribute name="id" optional="YES" attributeType="String"/>\(home)</entity>
    <entity name="Town"><attribute name="id" optional="YES" attributeType="String"/>
      <relationship name="people" optional="YES" toMany="YES" destinationEntity="Person" inverseName="home" inverseEntity="Person"/></entity>
    """
  }

  @Test(arguments: toOne + toMany + required, Way.all)
  func outcome(_ c: Case<Scenario, String>, way: Way) throws {
    let outcome = try c.input.outcome(way)
    #expect(outcome == c.expected)
  }
}
