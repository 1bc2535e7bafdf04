package import Diagnostics

extension Diagnostic.Code {
  /// A model file is not well-formed XML, or not a model.
  package static let modelMalformed = Diagnostic.Code("model.malformed", .store)
  /// A key that must be there is not.
  package static let modelMissingKey = Diagnostic.Code("model.missing-key", .store)
  /// The value of a key is none of those that it may have.
  package static let modelValue = Diagnostic.Code("model.value", .store)
  /// Two things have the same name.
  package static let modelDuplicate = Diagnostic.Code("model.duplicate", .store)
  /// A stored attribute has no type, or one that does not exist.
  package static let modelType = Diagnostic.Code("model.type", .store)
  /// The text of a default is no value of the attribute's type.
  package static let modelDefault = Diagnostic.Code("model.default", .store)
  /// A name refers to an entity, a property or a composite that is not there.
  package static let modelReference = Diagnostic.Code("model.reference", .store)
  /// An inverse does not lead back.
  package static let modelInverse = Diagnostic.Code("model.inverse", .store)
  /// Something contains or inherits from itself.
  package static let modelCycle = Diagnostic.Code("model.cycle", .store)
  /// A key or element that model files do not have.
  package static let modelUnknownKey = Diagnostic.Code("model.unknown-key", .warning)
}

extension Diagnostic {
  fileprivate init(_ code: Code, in element: ModelElement, _ message: String, hint: String) {
    let owner = element.owner.isEmpty ? "" : "\(element.owner): "
    self.init(code, owner + message, hint: hint, at: element.position)
  }

  // MARK: The file

  static func modelMalformed(_ error: Diagnostic) -> Diagnostic {
    Diagnostic(.modelMalformed, "the model cannot be read: \(error.message)", hint: error.hint, at: error.position)
  }

  static func modelRoot(_ root: ModelElement) -> Diagnostic {
    Diagnostic(
      .modelMalformed, in: root, "expected a <model>, found <\(root.kind)>",
      hint: "Give the folder .xcdatamodeld or .xcdatamodel, or the file `contents` inside it.")
  }

  // MARK: Elements and keys

  static func modelMissingKey(_ key: String, in element: ModelElement) -> Diagnostic {
    Diagnostic(.modelMissingKey, in: element, "<\(element.kind)> has no `\(key)`", hint: "Add it; Xcode writes it.")
  }

  static func modelValue(_ value: String, of key: String, expected: String, in element: ModelElement) -> Diagnostic {
    Diagnostic(
      .modelValue, in: element, "`\(key)` is `\(value)`, expected \(expected)",
      hint: "Correct it, or remove `\(key)` for its default.")
  }

  static func modelUnknownKey(_ key: String, in element: ModelElement) -> Diagnostic {
    let known = ModelVocabulary.elements[element.kind]?.keys ?? []
    // Its name in the API, which the file format never had.
    let meant = key == "renamingIdentifier" ? "elementID" : NearestName.of(key, in: known.sorted())
    return Diagnostic(
      .modelUnknownKey, in: element, "<\(element.kind)> has a key `\(key)` that model files do not have; it is ignored",
      hint: meant.map { "A model file spells it `\($0)`." } ?? "Correct its name, or remove it.")
  }

  static func modelUnknownElement(_ child: ModelElement, in element: ModelElement) -> Diagnostic {
    Diagnostic(
      .modelUnknownKey, in: child,
      "a <\(child.kind)> inside <\(element.kind)> is not known in model files; it is ignored",
      hint: "Correct its name, or remove it.")
  }

  static func modelDuplicate(_ kind: String, _ element: ModelElement) -> Diagnostic {
    Diagnostic(.modelDuplicate, in: element, "there is another \(kind) of this name", hint: "Rename one of them.")
  }

  static func modelInheritedName(_ name: String, from owner: String, _ element: ModelElement) -> Diagnostic {
    Diagnostic(
      .modelDuplicate, in: element, "the property \(name) is already inherited from \(owner)",
      hint: "Rename one of them.")
  }

  // MARK: Attributes

  static func modelUntyped(_ element: ModelElement) -> Diagnostic {
    Diagnostic(
      .modelType, in: element, "a stored attribute has no type",
      hint: "Give it an `attributeType`, or make it transient.")
  }

  static func modelUnknownType(_ name: String, _ element: ModelElement) -> Diagnostic {
    let known = NSAttributeType.allCases.map(\.modelName)
    return Diagnostic(
      .modelType, in: element, "the type `\(name)` is not known",
      hint: NearestName.of(name, in: known).map { "Did you mean `\($0)`?" }
        ?? "The types are \(known.joined(separator: ", ")).")
  }

  static func modelDefault(_ text: String, _ type: NSAttributeType, _ element: ModelElement) -> Diagnostic {
    Diagnostic(
      .modelDefault, in: element, "the default `\(text)` is not a value of the type \(type.modelName)",
      hint: "Correct the default (`defaultValueString`), or remove it.")
  }

  static func modelUnknownComposite(_ name: String, known: [String], _ element: ModelElement) -> Diagnostic {
    Diagnostic(.modelReference, in: element, "there is no composite \(name)", hint: listed("composites", known))
  }

  static func modelCyclicComposite(_ chain: [String], _ element: ModelElement) -> Diagnostic {
    Diagnostic(
      .modelCycle, in: element, "a composite contains itself: \(chain.joined(separator: " > "))",
      hint: "Remove the element that leads back to \(chain.first ?? "it").")
  }

  static func modelNesting(_ limit: Int, _ element: ModelElement) -> Diagnostic {
    Diagnostic(
      .modelCycle, in: element, "more than \(limit) composites lie in each other",
      hint: "Make the composite of fewer levels.")
  }

  static func modelEndlessComposite(_ element: ModelElement) -> Diagnostic {
    Diagnostic(
      .modelCycle, in: element, "the composites of the model unfold into more than 100000 elements",
      hint: "Composites that hold others several times multiply their elements: use fewer.")
  }

  static func modelInheritance(_ limit: Int, _ element: ModelElement) -> Diagnostic {
    Diagnostic(
      .modelCycle, in: element, "an entity inherits over more than \(limit) entities",
      hint: "Each level has all that is above it, in one table. Let entities inherit from one further up.")
  }

  // MARK: References

  static func modelUnknownEntity(
    _ name: String, _ key: String, known: [String], in element: ModelElement
  ) -> Diagnostic {
    Diagnostic(
      .modelReference, in: element, "`\(key)` is \(name), but there is no such entity", hint: listed("entities", known))
  }

  static func modelCyclicParents(_ chain: [String], _ element: ModelElement) -> Diagnostic {
    Diagnostic(
      .modelCycle, in: element, "an entity inherits from itself: \(chain.joined(separator: " > "))",
      hint: "Remove the parent (`parentEntity`) of one of them.")
  }

  static func modelUnknownInverse(
    _ name: String, of destination: NSEntityDescription, _ element: ModelElement
  ) -> Diagnostic {
    Diagnostic(
      .modelInverse, in: element, "the inverse is \(name), but \(destination.name ?? "") has no such relationship",
      hint: listed("relationships of \(destination.name ?? "")", destination.relationshipsByName.keys.sorted()))
  }

  static func modelInverse(
    _ inverse: NSRelationshipDescription, notBackTo relationship: NSRelationshipDescription, _ element: ModelElement
  ) -> Diagnostic {
    let name = "\(inverse.entity.name ?? "").\(inverse.name)"
    let back = inverse.inverseRelationship.map { "\($0.entity.name ?? "").\($0.name)" } ?? "none"
    return Diagnostic(
      .modelInverse, in: element, "the inverse \(name) does not lead back: its own inverse is \(back)",
      hint: "Make it \(relationship.entity.name ?? "").\(relationship.name).")
  }

  static func modelUnknownProperty(
    _ name: String, _ user: String, _ entity: NSEntityDescription, _ element: ModelElement
  ) -> Diagnostic {
    let known = entity.properties.map(\.name)
    return Diagnostic(
      .modelReference, in: element, "\(user) names \(name), which is no stored attribute or to-one relationship",
      hint: NearestName.of(name, in: known).flatMap { $0 == name ? nil : "Did you mean `\($0)`?" }
        ?? listed("properties of \(entity.name ?? "")", known))
  }

  private static func listed(_ what: String, _ names: [String]) -> String {
    names.isEmpty ? "The model has no \(what)." : "The \(what) are \(ShownText.list(names))."
  }
}
