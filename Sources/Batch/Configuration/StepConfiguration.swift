public import Conversion
public import Records
public import Values

/// One step of a pipeline: what is read, and which objects or links its records become.
///
/// The same struct in Swift and, as an element of `steps`, in a pipeline file. A step fills an `entity`, or, with `link`, a
/// relationship between objects that are there already.
public struct StepConfiguration: Codable, Hashable, Sendable {
  /// The name in summaries and reject files. The default is the input's file name without its extension.
  public var name: String?
  /// The input and how it is read.
  public var read: ReaderConfiguration
  /// The entity whose objects the records become.
  public var entity: String?
  /// For attributes the column, columns or constant that they are made from. What is not named here is matched by name.
  public var map: [String: AttributeMapping] = [:]
  /// Columns that are deliberately not imported; `*` stands for all that match nothing.
  public var ignore: [String] = []
  /// The column of names that the records give to their objects for this run. The default is none.
  ///
  /// The column feeds no attribute. Relationships and links of records further down and of later steps find the objects by
  /// such a name with the word `_id` instead of an attribute.
  public var id: String?
  /// Whether the objects may need relationships that later steps fill: if they have enough is looked at when all steps are
  /// done, and one that has not is removed, its record refused. The default is false; a step that says so has an `id`.
  public var linkedLater = false
  /// The attributes that tell objects of the entity apart. The default is none: every record is a new object.
  public var key: [String] = []
  /// What becomes of a record whose key an object has already. The default is `fail` with a key, `insert` without.
  public var onConflict: ConflictRule?
  /// For relationships the column that holds the key of the destination.
  public var relationships: [String: RelationshipMapping] = [:]
  /// The relationship that the records are links of, instead of an entity.
  public var link: LinkConfiguration?
  /// How text becomes values, where a mapping does not say otherwise.
  public var conversion = ConversionOptions()

  /// Makes a step that reads an input; its other parts are set afterwards.
  public init(read: ReaderConfiguration) { self.read = read }

  /// The name in force; where several steps have it, a number is put behind it.
  public var effectiveName: String { name ?? read.baseName }

  /// The conflict rule in force.
  public var conflictRule: ConflictRule { onConflict ?? (key.isEmpty ? .insert : .fail) }
}

/// What becomes of a record whose key an object has already.
public enum ConflictRule: String, Codable, Hashable, Sendable, CaseIterable {
  /// It becomes a new object: keys are not looked up.
  case insert
  /// The object gets the record's values.
  case update
  /// The record is passed over and counted as filtered.
  case skip
  /// The record is rejected.
  case fail
}

/// How a relationship is filled from a column.
public struct RelationshipMapping: Codable, Hashable, Sendable {
  /// The column that holds the key of the destination.
  public var column: String
  /// The attribute of the destination that the key is compared with. The default is what the model says: the key
  /// `relatedByAttribute` of the relationship's `userInfo`.
  public var by: String?
  /// What becomes of a key that no object has. The default is `reject`.
  public var missing = MissingRule.reject
  /// What separates the keys of a to-many relationship in one field. The default is a comma.
  public var separator: String?

  /// Makes a mapping with the defaults.
  public init(column: String, by: String? = nil) {
    self.column = column
    self.by = by
  }
}

/// What becomes of a key that no object of the destination has.
public enum MissingRule: String, Codable, Hashable, Sendable, CaseIterable {
  /// The record is rejected.
  case reject
  /// The relationship stays without this destination; how often is counted.
  case null
  /// An object with this key is made.
  case create
}

/// A relationship whose links are the records of an input: one link a record.
public struct LinkConfiguration: Codable, Hashable, Sendable {
  /// One end of the links.
  public struct End: Codable, Hashable, Sendable {
    /// The column that holds the key.
    public var column: String
    /// The attribute that the key is compared with.
    public var by: String
    /// Makes an end.
    public init(column: String, by: String) {
      self.column = column
      self.by = by
    }
  }

  /// The entity that has the relationship.
  public var entity: String
  /// The to-many relationship that is filled.
  public var relationship: String
  /// The object that gets a destination.
  public var from: End
  /// The destination.
  public var to: End
  /// A column of whole numbers that orders the destinations of an ordered relationship. The default is the records' order.
  public var order: String?
  /// What becomes of a link whose end does not exist: `reject` or `null` (passed over and counted). The default is `reject`.
  public var missing = MissingRule.reject

  /// Makes a link with the defaults.
  public init(entity: String, relationship: String, from: End, to: End) {
    self.entity = entity
    self.relationship = relationship
    self.from = from
    self.to = to
  }
}
