package import Diagnostics
import Foundation

/// A kind with its settings, and the form in which one attribute keeps its values: what conversion, objects and displays go by.
package final class StoredKind: Sendable {
  package let kind: any ValueKind
  package let form: StorageForm
  private let direct: (any DirectValueKind)?
  private let transformer: (any StoredValueTransformer)?

  /// Finds a kind by name, and the form in which an attribute of a type keeps it.
  ///
  /// - Parameters:
  ///   - form: the name of the form; nil is that of the attribute's transformer, or the kind's default for the type.
  ///   - transformerName: the value transformer that the model names.
  package init(
    _ name: String, settings: KindSettings, form: String? = nil, storedAs type: StorageForm.StoredType,
    transformerName: String? = nil
  ) throws(Diagnostic) {
    guard let found = ValueKinds.named(name) else { throw .unknownKind(name, known: ValueKinds.names) }
    var form = form
    if form == nil, type == .data, let transformerName, !ValueTransformers.isArchive(transformerName) {
      form = StorageForm.transformer(transformerName).name
    }
    kind = try found.init(settings)
    if let form, let named = StorageForm(form, type).transformerName, type == .data {
      guard let transformer = ValueTransformers.named(named) else {
        throw .unknownTransformer(named, known: ValueTransformers.names)
      }
      self.form = .transformer(named)
      self.transformer = transformer
      direct = nil
      return
    }
    transformer = nil
    direct = kind as? any DirectValueKind
    let forms = found.forms.filter { $0.type == type }
    guard let own = form == nil ? forms.first : forms.first(where: { $0.name == form }) else {
      throw .unknownForm(form, of: name, in: type, known: found.forms)
    }
    self.form = own
    try kind.check(own)
  }
}

// MARK: Texts

extension StoredKind {
  /// A text as it is stored.
  package func stored(_ text: UnsafeRawBufferPointer) throws(TextTrouble) -> Value {
    try stored(text: text, kind)
  }

  /// Several columns as they are stored.
  package func stored(columns: [UnsafeRawBufferPointer]) throws(TextTrouble) -> Value {
    try stored(columns: columns, kind)
  }

  /// Calls a function with what is stored for a text, if that is possible without a value in between, and says whether.
  package func withStored(
    _ text: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(TextTrouble) -> Bool {
    guard let direct else { return false }
    try withStored(text, direct, body)
    return true
  }

  /// The text of what is stored.
  package func text(stored: Value) throws(TextTrouble) -> String { try text(stored: stored, kind) }

  private func stored<Kind: ValueKind>(text: UnsafeRawBufferPointer, _ kind: Kind) throws(TextTrouble) -> Value {
    try stored(content: kind.content(text), kind)
  }

  private func stored<Kind: ValueKind>(columns: [UnsafeRawBufferPointer], _ kind: Kind) throws(TextTrouble) -> Value {
    try stored(content: kind.content(columns: columns), kind)
  }

  private func withStored<Kind: DirectValueKind>(
    _ text: UnsafeRawBufferPointer, _ kind: Kind, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(TextTrouble) {
    try kind.withStored(kind.content(text), as: form, body)
  }

  private func text<Kind: ValueKind>(stored: Value, _ kind: Kind) throws(TextTrouble) -> String {
    kind.text(try content(stored: stored, kind))
  }
}

// MARK: Objects

extension StoredKind {
  /// What code sees for what is stored: the kind's own value, nil for null.
  package func object(stored: Value) throws(TextTrouble) -> (any Sendable)? {
    stored.isNull ? nil : try object(stored: stored, kind)
  }

  /// What is stored for a value that code sets; `form` trouble for one that is not the kind's.
  package func stored(object: Any?) throws(TextTrouble) -> Value {
    guard let object else { return .null }
    return try stored(object: object, kind)
  }

  /// The type of value that code sets, for messages.
  package var takenType: String { takenType(kind) }

  private func takenType<Kind: ValueKind>(_: Kind) -> String { "a value of the type \(Kind.Content.self)" }

  private func object<Kind: ValueKind>(stored: Value, _ kind: Kind) throws(TextTrouble) -> any Sendable {
    try content(stored: stored, kind)
  }

  private func stored<Kind: ValueKind>(object: Any, _ kind: Kind) throws(TextTrouble) -> Value {
    guard let content = object as? Kind.Content ?? kind.bridged(object) else { throw .form }
    return try stored(content: content, kind)
  }

  private func stored<Kind: ValueKind>(content: Kind.Content, _ kind: Kind) throws(TextTrouble) -> Value {
    guard let transformer else { return try kind.stored(content, as: form) }
    guard let data = try? transformer.data(content) else { throw .form }
    return .data(data)
  }

  private func content<Kind: ValueKind>(stored: Value, _ kind: Kind) throws(TextTrouble) -> Kind.Content {
    guard let transformer else { return try kind.content(stored: stored, as: form) }
    guard case .data(let data) = stored, let content = (try? transformer.value(data)) as? Kind.Content else {
      throw .form
    }
    return content
  }
}

extension ValueKind {
  /// The content of an object of another type that stands for it: a number of any integer type for an enumeration's.
  fileprivate func bridged(_ object: Any) -> Content? {
    if let number = object as? any BinaryInteger { return Int64(exactly: number) as? Content }
    return (object as? NSNumber).flatMap { Int64(exactly: $0) } as? Content
  }
}
