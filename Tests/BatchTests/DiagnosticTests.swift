import Diagnostics
import Foundation
import TestSupport
import Testing

@testable import Batch

/// What is said of steps that do not fit the model or the input, and of records that are refused, word for word.
struct DiagnosticTests {
  private static let model = """
    <entity name="Person" isAbstract="YES"><attribute name="id" optional="YES" attributeType="String"/></entity>
    <entity name="Author" parentEntity="Person"><attribute name="name" optional="YES" attributeType="String"/>
      <relationship name="books" optional="YES" toMany="YES" destinationEntity="Book" inverseName="author" inverseEntity="Book"/>
      <relationship name="teacher" optional="YES" maxCount="1" destinationEntity="Author" inverseName="pupils" inverseEntity="Author"/>
      <relationship name="pupils" optional="YES" toMany="YES" destinationEntity="Author" inverseName="teacher" inverseEntity="Author"/></entity>
    <entity name="Book"><attribute name="id" optional="YES" attributeType="Integer 32"/>
      <attribute name="isbn" optional="YES" attributeType="String"/>
      <relationship name="author" optional="YES" maxCount="1" destinationEntity="Author" inverseName="books" inverseEntity="Author"/>
      <relationship name="maker" optional="YES" maxCount="1" destinationEntity="Maker" inverseName="books" inverseEntity="Maker"/>
      <relationship name="owner" optional="YES" maxCount="1" destinationEntity="Person"/>
      <uniquenessConstraints><uniquenessConstraint><constraint value="isbn"/></uniquenessConstraint></uniquenessConstraints></entity>
    <entity name="Maker"><attribute name="id" optional="YES" attributeType="String"/>
      <attribute name="town" attributeType="String"/>
      <relationship name="books" optional="YES" toMany="YES" destinationEntity="Book" inverseName="maker" inverseEntity="Book"/></entity>
    <entity name="Loan"><attribute name="id" optional="YES" attributeType="String"/>
      <relationship name="book" maxCount="1" destinationEntity="Book"/>
      <relationship name="next" optional="YES" maxCount="1" destinationEntity="Loan"/></entity>
    <entity name="Word"/>
    <entity name="Chain"><attribute name="id" optional="YES" attributeType="String"/>
      <relationship name="next" maxCount="1" destinationEntity="Chain"/></entity>
    """
  private static let files = [
    "books.csv": "id,isbn,by\n1,A,x\n", "authors.csv": "id,name\n1,Ada\n", "chain.csv": "id,next\n1,\n",
    "ends.csv": "id,by\n1,1\n",
    "many.csv": "id,isbn,by\n1,A,2\n1,A,2\n,A,1\n2,A,1\n3,B,9\n4,C,2\n",
  ]

  /// Steps, and what ends the run before the first record.
  static let steps: [Case<String, String>] = [
    Case(
      "no target", "{read: {csv: 'books.csv'}}",
      "the step books fills nothing [step.property]\n  Give it an entity, or a link."),
    Case(
      "a name that leads elsewhere", "{name: '../books', read: {csv: 'books.csv'}, entity: 'Book'}",
      "the step name \"../books\" cannot be that of a reject file [step.property]\n  Take another `name`, without /."),
    Case(
      "two targets", "{read: {csv: 'books.csv'}, entity: 'Book', \(link("books"))}",
      "the step books has an entity and a link [step.property]\n  Make two steps of it."),
    Case(
      "an unknown entity", "{read: {csv: 'books.csv'}, entity: 'Bok'}",
      "the model has no entity Bok [step.entity]\n  Did you mean Book? There are Author, Book, Chain, Loan, Maker, Person, Word."
    ),
    Case(
      "an abstract entity", "{read: {csv: 'authors.csv'}, entity: 'Person'}",
      "the entity Person is abstract: it has no objects [step.entity]\n  Name one of its subentities."),
    Case(
      "an unknown attribute as key", "{read: {csv: 'books.csv'}, entity: 'Book', ignore: ['by'], key: ['ibsn']}",
      "key: the entity Book has no attribute ibsn [step.property]\n  Did you mean isbn? There are id, isbn."),
    Case(
      "a key without a column", "{read: {csv: 'authors.csv'}, entity: 'Book', ignore: ['name'], key: ['isbn']}",
      "the key attribute isbn of Book is fed by no column [step.key]\n  Map a column to it, or take another key."),
    Case(
      "a rule without a key", "{read: {csv: 'authors.csv'}, entity: 'Author', onConflict: 'update'}",
      "onConflict is update, but the step has no key [step.key]\n  Name in `key` the attributes that tell objects apart."
    ),
    Case(
      "an unknown relationship",
      "{read: {csv: 'books.csv'}, entity: 'Book', relationships: {autor: {column: 'by', by: 'id'}}}",
      "the entity Book has no relationship autor [step.property]\n  Did you mean author? There are author, maker, owner."
    ),
    Case(
      "no relationship at all",
      "{read: {csv: 'authors.csv'}, entity: 'Word', ignore: ['*'], relationships: {a: {column: 'id', by: 'id'}}}",
      "the entity Word has no relationship a [step.property]\n  It has none."),
    Case(
      "an unknown column of a relationship",
      "{read: {csv: 'books.csv'}, entity: 'Book', ignore: ['by'], relationships: {author: {column: 'bi', by: 'id'}}}",
      "books.csv: there is no column bi [step.column]\n  Did you mean by? There are id, isbn, by."),
    Case(
      "an unknown attribute of the destination",
      "{read: {csv: 'books.csv'}, entity: 'Book', relationships: {author: {column: 'by', by: 'nam'}}}",
      "by: the entity Author has no attribute nam [step.property]\n  Did you mean name? There are id, name."),
    Case(
      "links to the own entity without a key",
      "{read: {csv: 'authors.csv'}, entity: 'Author', relationships: {teacher: {column: 'name', by: 'id'}}}",
      "the relationship teacher leads to the step's own entity, and the step has no key [step.key]\n"
        + "  Name a key, or an `id`: such links are made in a second pass, which finds the objects by it."),
    Case(
      "a required relationship without a column", "{read: {csv: 'authors.csv'}, entity: 'Loan', ignore: ['name']}",
      "the relationship book of Loan is required and stays empty [step.relationship]\n"
        + "  Give it a column in `relationships`, or, if later steps fill it, the step an `id`, and say `linkedLater`."
    ),
    Case(
      "a required relationship to the own entity",
      "{read: {csv: 'chain.csv'}, entity: 'Chain', key: ['id'], relationships: {next: {column: 'next', by: 'id'}}}",
      "the relationship next of Chain is required and stays empty [step.relationship]\n"
        + "  It leads to the step's own entity and is filled when all objects are there: make it optional in the model, or "
        + "give the step an `id` and say `linkedLater`."
    ),
    Case(
      "an abstract entity made for keys",
      "{read: {csv: 'books.csv'}, entity: 'Book', relationships: {owner: {column: 'by', by: 'id', missing: 'create'}}}",
      "owner: missing is create, but Person is abstract [step.relationship]\n"
        + "  Import the destinations first, or set missing to reject or null."),
    Case(
      "an entity made for keys that needs more",
      "{read: {csv: 'books.csv'}, entity: 'Book', relationships: {maker: {column: 'by', by: 'id', missing: 'create'}}}",
      "maker: missing is create, but Maker.town is required [step.relationship]\n"
        + "  Import the destinations first, or set missing to reject or null."),
    Case(
      "links that make objects", "{read: {csv: 'books.csv'}, \(link("books", ", missing: 'create'"))}",
      "link: books links objects that are there; missing is create [step.relationship]\n  Set missing to reject or null."
    ),
    Case(
      "an order of a relationship without", "{read: {csv: 'books.csv'}, \(link("books", ", order: 'id'"))}",
      "link: books has no order in the model [step.relationship]\n  Remove `order`."),
    Case(
      "an unknown entity of a link", "{read: {csv: 'books.csv'}, \(link("books", of: "Autor"))}",
      "the model has no entity Autor [step.entity]\n  Did you mean Author? There are Author, Book, Chain, Loan, Maker, Person, Word."
    ),
    Case(
      "the second of two steps",
      "{read: {csv: 'authors.csv'}, entity: 'Author'}, {name: 'more', read: {csv: 'books.csv'}, entity: 'Buch'}",
      "step more: the model has no entity Buch [step.entity]\n  There are Author, Book, Chain, Loan, Maker, Person, Word."
    ),
    Case(
      "a reject file for an input", "{name: 'x', read: {csv: 'rejects/x.rejected.csv'}, entity: 'Author'}",
      "the rejected records of the run would replace its input rejects/x.rejected.csv [run.rejects-are-input]\n"
        + "  Give the step another name, or another folder for rejected records by --rejects."),
  ]

  private static func link(_ relationship: String, of entity: String = "Author", _ more: String = "") -> String {
    "link: {entity: '\(entity)', relationship: '\(relationship)', from: {column: 'by', by: 'id'}, "
      + "to: {column: 'id', by: 'id'}\(more)}"
  }

  @Test(arguments: steps)
  func stepThatDoesNotFit(_ c: Case<String, String>) throws {
    let files = Self.files.merging(["rejects/x.rejected.csv": "id\n1\n"]) { $1 }
    let ground = try Ground(Scenario(Self.model, files), .plain)
    #expect(ground.run(c.input) == ["ended: \(c.expected)"])
    #expect(try ground.objects().isEmpty)
  }

  /// Steps that refuse records, and what is said of each of them.
  static let records: [Case<String, [String]>] = [
    Case(
      "keys", "{read: {csv: 'many.csv'}, entity: 'Book', ignore: ['by'], key: ['id']}",
      [
        "many.csv:3: the id is that of line 2 [key.exists]",
        "many.csv:4: the key id is null [key.null]",
        "many.csv:5: another object of Book has this isbn, which the model wants to be unique [validation.unique]",
      ]),
    Case(
      "a key that the store has",
      "{read: {csv: 'books.csv'}, entity: 'Book', ignore: ['by']}, {read: {csv: 'many.csv'}, entity: 'Book', ignore: ['by'], key: ['id', 'isbn']}",
      [
        "many.csv:2: the store has an object of Book with this id and isbn [key.exists]",
        "many.csv:3: the store has an object of Book with this id and isbn [key.exists]",
        "many.csv:4: the key id and isbn is null [key.null]",
      ]),
    Case(
      "a key that several have",
      "{read: {csv: 'authors.csv'}, entity: 'Author'}, {name: 'b', read: {csv: 'authors.csv'}, entity: 'Author'}, "
        + "{name: 'c', read: {csv: 'authors.csv'}, entity: 'Author', key: ['id'], onConflict: 'update'}",
      [
        "authors.csv:2: the store has several objects of Author with this id [key.ambiguous]"
      ]),
    Case(
      "destinations",
      "{read: {csv: 'authors.csv'}, entity: 'Author'}, {name: 'b', read: {csv: 'authors.csv'}, entity: 'Author'}, "
        + "{read: {csv: 'many.csv'}, entity: 'Book', ignore: ['isbn'], relationships: {author: {column: 'by', by: 'id'}}}",
      [
        "many.csv:2: author: no object of Author has the key \"2\" [link.missing]",
        "many.csv:3: author: no object of Author has the key \"2\" [link.missing]",
        "many.csv:4: author: several objects of Author have the key \"1\" [link.ambiguous]",
      ]),
    Case(
      "a required destination",
      "{name: 'loans', read: {csv: 'chain.csv'}, entity: 'Loan', relationships: {book: {column: 'next', by: 'id'}}}",
      ["chain.csv:2: book is required, found no value [link.required]"]),
    Case(
      "links",
      "{read: {csv: 'authors.csv'}, entity: 'Author'}, {read: {csv: 'books.csv'}, entity: 'Book', ignore: ['by']}, "
        + "{read: {csv: 'many.csv'}, \(link("books"))}",
      [
        "many.csv:2: by: no object of Author has the key \"2\" [link.missing]",
        "many.csv:3: by: no object of Author has the key \"2\" [link.missing]",
        "many.csv:4: id is null: a link has two ends [link.null]",
      ]),
  ]

  @Test(
    arguments: records + [
      Case(
        "an end that several have",
        "{read: {csv: 'authors.csv'}, entity: 'Author'}, {name: 'b', read: {csv: 'authors.csv'}, entity: 'Author'}, "
          + "{read: {csv: 'books.csv'}, entity: 'Book', ignore: ['by']}, {read: {csv: 'ends.csv'}, \(link("books"))}",
        ["ends.csv:2: by: several objects of Author have the key \"1\" [link.ambiguous]"])
    ])
  func recordThatIsRefused(_ c: Case<String, [String]>) throws {
    let ground = try Ground(Scenario(Self.model, Self.files), .plain)
    let summaries = try ground.batchRun(c.input).run()
    // The first three of each step are kept for the report, without their hints.
    let first = summaries.flatMap(\.firstRejects).map { $0.line.replacing(ground.folder.url.path + "/", with: "") }
    #expect(first == c.expected)
  }

  /// Texts of what happens to whole runs.
  static let runs: [Case<Diagnostic, String>] = [
    Case(
      "another input", .otherInput("a.csv", records: 7),
      "a.csv is not the input of which an earlier run has committed 7 records [run.input-changed]\n"
        + "  Bring that input back to go on, or begin anew with --restart: then what is in already comes a second time, unless "
        + "the step has a key and onConflict is update or skip."),
    Case(
      "a checkpoint that cannot be read", .checkpointUnreadable(),
      "the checkpoint of an unfinished run cannot be read [run.checkpoint]\n  Begin anew with --restart."),
    Case(
      "an order that is none", .linkOrder("x", at: SourcePosition(file: "a.csv", line: 2), column: 3),
      "a.csv:2:3: the order is \"x\", expected a whole number [link.order]"),
    Case(
      "another pipeline's unfinished work", .otherPipeline("a.csv", target: "Person"),
      "an earlier run with other options was not finished, and has committed records of a.csv to Person "
        + "[run.pipeline-changed]\n"
        + "  Run it with those options to go on, or begin anew with --restart: then what is in already comes a second time, "
        + "unless the step has a key and onConflict is update or skip."),
    Case(
      "another file under the name", .inputReplaced("a.csv"),
      "a.csv: the file was changed since the run began [input.changed]\n"
        + "  Import it when its writer is done: write to another name and rename the file when it is complete."),
    Case(
      "going on", .resuming("people", behind: 5000),
      "people: an earlier run stopped; going on behind record 5000 [run.resuming]"),
    Case(
      "somebody else writes", .changedMeanwhile("x-coredata://S/Person/p1"),
      "x-coredata://S/Person/p1 was changed by somebody else while the run was going on [store.changed-meanwhile]\n"
        + "  Close the apps that write to the store and run the same command again."),
    Case(
      "no chunk", .chunkSize(0), "chunk is 0, expected at least 1 [run.chunk]\n  The default is 5000."),
    Case(
      "an input that cannot be read twice", .streamTwice("/dev/fd/3"),
      "/dev/fd/3: the input is no plain file and must be read twice [run.stream-twice]\n"
        + "  Save it to a file first, or pass it as standard input (`-`), which is kept while it is needed."),
    Case(
      "too many rejects", .skipLimitExceeded("people", 101, limit: .upTo(100)),
      "people: 101 records rejected, the skip limit is 100 [run.skip-limit]\n"
        + "  Mend the input or the pipeline, or raise skipLimit (`none` for any number)."),
  ]

  @Test(arguments: runs)
  func run(_ c: Case<Diagnostic, String>) {
    #expect(c.input.text(like: c.expected) == c.expected)
  }
}
