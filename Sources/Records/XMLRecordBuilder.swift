internal import Diagnostics
internal import XMLEvents

/// Makes records of what an `XMLEventReader` tells.
///
/// An element inside a record that has the record's path itself belongs to the outer record.
final class XMLRecordBuilder: XMLEventHandler {
  /// A column and what was found of it in the open record.
  private struct Field {
    let steps: [XMLNames.Pattern]
    let kind: Kind
    /// The number of steps that the open elements match.
    var matched = 0
    /// Whether an element was found whose text is being read.
    var isOpen = false
    var value: [UInt8] = []
    var occurrences = 0
    /// Where the last occurrence begins in `value`.
    var start = 0
    /// Whether it was found in any record.
    var wasFound = false

    enum Kind {
      case content, ownText
      case attribute(XMLNames.Pattern)
      /// Of an element around the record: `levels` up, or at the end of `steps` from the root.
      case outer(XMLNames.Pattern, levels: Int?)
    }

    mutating func begin() {
      if occurrences > 0 { value.append(RecordChunk.occurrenceSeparator) }
      occurrences += 1
      start = value.count
    }

    mutating func trim() {
      while value.count > start, value[value.count - 1].isBlank { value.removeLast() }
      let blanks = value[start...].prefix { $0.isBlank }.count
      if blanks > 0 { value.removeSubrange(start..<start + blanks) }
    }
  }

  /// An open element around the record, or the record itself.
  private struct Ancestor {
    var name: XMLNameID
    /// The values of the attributes that are asked for, by field.
    var values: [Int: [UInt8]] = [:]
  }

  private let file: String
  private let mapping: XMLMapping
  private let names: XMLNames
  private let recordSteps: [XMLNames.Pattern]
  private let nilPattern: XMLNames.Pattern
  // The accesses of this type do not overlap; checking each of them takes a tenth of the time.
  @exclusivity(unchecked) private var fields: [Field]
  private let outerFields: [Int]
  private var ancestors: [Ancestor] = []
  /// The number of open elements inside the record, 0 for the record itself; nil outside.
  private var depth: Int?
  private var place = XMLPlace(line: 1, byte: 0)

  /// The number of records read, and those at the beginning that are left out.
  private(set) var recordCount = 0
  var skippedRecords = 0
  /// Where records go, how many more, and where those behind them go.
  var target: RecordChunk?
  var room = 0
  let overflow = RecordChunk()
  /// Whether there were elements with other names where records, or what is around them, could have been.
  private(set) var hasOtherElements = false
  /// The number of elements that would be records, stood they not inside one, and of which no column asks anything.
  private(set) var innerRecordCount = 0

  init(file: String, mapping: XMLMapping) {
    self.file = file
    self.mapping = mapping
    let names = XMLNames()
    self.names = names
    recordSteps = mapping.record.steps.map(names.element)
    nilPattern = names.attribute(
      XMLNamePattern(namespace: "http://www.w3.org/2001/XMLSchema-instance", local: "nil"))
    let fields: [Field] = mapping.paths.map { path in
      switch path {
      case .content(let steps): Field(steps: steps.map(names.element), kind: .content)
      case .ownText(let steps): Field(steps: steps.map(names.element), kind: .ownText)
      case .attribute(let steps, let name):
        Field(steps: steps.map(names.element), kind: .attribute(names.attribute(name)))
      case .parentAttribute(let levels, let name):
        Field(steps: [], kind: .outer(names.attribute(name), levels: levels))
      case .rootAttribute(let steps, let name):
        Field(steps: steps.map(names.element), kind: .outer(names.attribute(name), levels: nil))
      }
    }
    self.fields = fields
    outerFields = fields.indices.filter { if case .outer = fields[$0].kind { true } else { false } }
  }

  /// The columns whose path was found in no record.
  var columnsNeverFound: [String] { zip(mapping.columns, fields).filter { !$1.wasFound }.map(\.0) }

  // MARK: Events

  func startElement(
    _ name: XMLNameID, _ attributes: XMLAttributes, at place: XMLPlace, in reader: XMLEventReader
  ) throws(Diagnostic) {
    if let depth {
      self.depth = depth + 1
      startInRecord(name, attributes, depth: depth + 1, in: reader)
      return
    }
    if ancestors.isEmpty { names.setRoot(name, in: reader) }
    ancestors.append(Ancestor(name: name))
    for field in outerFields {
      guard case .outer(let pattern, _) = fields[field].kind,
        let value = value(of: pattern, in: attributes, of: reader)
      else { continue }
      ancestors[ancestors.count - 1].values[field] = Array(value)
    }
    if isRecord(in: reader) {
      self.place = place
      startRecord(attributes, in: reader)
    } else if isOther(in: reader) {
      hasOtherElements = true
    }
  }

  func text(_ bytes: UnsafeRawBufferPointer) throws(Diagnostic) {
    guard let depth else { return }
    for index in fields.indices where fields[index].isOpen {
      if case .ownText = fields[index].kind, depth != fields[index].steps.count { continue }
      fields[index].value.append(contentsOf: bytes)
      if fields[index].value.count > DelimitedReader.maximumFieldSize {
        throw .inputFieldTooLarge(limit: DelimitedReader.maximumFieldSize).at(
          SourcePosition(file: file, record: recordCount + 1, line: place.line, byte: place.byte, column: index + 1))
      }
    }
  }

  func endElement() throws(Diagnostic) {
    guard let depth else {
      ancestors.removeLast()
      return
    }
    for index in fields.indices where fields[index].matched == depth {
      if fields[index].isOpen, fields[index].steps.count == depth {
        fields[index].isOpen = false
        if mapping.trim { fields[index].trim() }
      }
      if depth > 0 { fields[index].matched = depth - 1 }
    }
    if depth > 0 {
      self.depth = depth - 1
    } else {
      endRecord()
      self.depth = nil
      ancestors.removeLast()
    }
  }

  // MARK: Records

  private func isRecord(in reader: XMLEventReader) -> Bool {
    let count = recordSteps.count
    guard mapping.record.isAbsolute ? ancestors.count == count : ancestors.count >= count else { return false }
    return zip(ancestors.suffix(count), recordSteps).allSatisfy { names.matches($0.name, $1, in: reader) }
  }

  /// Whether the innermost element stands on the way to the records and has another name.
  private func isOther(in reader: XMLEventReader) -> Bool {
    guard mapping.record.isAbsolute else { return ancestors.count > 1 }
    guard let last = ancestors.last, ancestors.count <= recordSteps.count else { return false }
    return !names.matches(last.name, recordSteps[ancestors.count - 1], in: reader)
  }

  private func startRecord(_ attributes: XMLAttributes, in reader: XMLEventReader) {
    depth = 0
    for index in fields.indices {
      fields[index].value.removeAll(keepingCapacity: true)
      fields[index].occurrences = 0
      fields[index].matched = 0
      if case .outer(_, let levels) = fields[index].kind {
        takeOuter(index, levels: levels, in: reader)
      } else if fields[index].steps.isEmpty {
        found(index, attributes, in: reader)
      }
    }
  }

  private func startInRecord(
    _ name: XMLNameID, _ attributes: XMLAttributes, depth: Int, in reader: XMLEventReader
  ) {
    for index in fields.indices where fields[index].matched == depth - 1 && fields[index].steps.count >= depth {
      if case .outer = fields[index].kind { continue }
      guard names.matches(name, fields[index].steps[depth - 1], in: reader) else { continue }
      fields[index].matched = depth
      if fields[index].steps.count == depth { found(index, attributes, in: reader) }
    }
    if !mapping.record.isAbsolute, recordSteps.count == 1, names.matches(name, recordSteps[0], in: reader),
      !fields.contains(where: { $0.matched == depth })
    {
      innerRecordCount += 1
    }
  }

  /// The element at the end of a field's path begins.
  private func found(_ index: Int, _ attributes: XMLAttributes, in reader: XMLEventReader) {
    switch fields[index].kind {
    case .attribute(let pattern):
      guard let value = value(of: pattern, in: attributes, of: reader) else { return }
      fields[index].begin()
      fields[index].value.append(contentsOf: value)
    case .content, .ownText:
      // An element that is declared to be nil is not there.
      guard !isNil(attributes, in: reader) else { return }
      fields[index].begin()
      fields[index].isOpen = true
    case .outer:
      break
    }
  }

  private func takeOuter(_ index: Int, levels: Int?, in reader: XMLEventReader) {
    let steps = fields[index].steps
    // The record itself is the last of the ancestors.
    let place = levels.map { ancestors.count - 1 - $0 } ?? steps.count - 1
    guard ancestors.indices.contains(place), let value = ancestors[place].values[index] else { return }
    guard zip(ancestors, steps).allSatisfy({ names.matches($0.name, $1, in: reader) }) else { return }
    fields[index].begin()
    fields[index].value.append(contentsOf: value)
  }

  private func endRecord() {
    recordCount += 1
    for index in fields.indices where fields[index].occurrences > 0 { fields[index].wasFound = true }
    guard recordCount > skippedRecords else { return }
    let chunk = room > 0 ? target ?? overflow : overflow
    room -= 1
    for index in fields.indices {
      fields[index].value.withUnsafeBytes { chunk.append($0) }
      var flags: RecordChunk.FieldFlags = []
      if fields[index].occurrences == 0 {
        flags = .absent
      } else if fields[index].value.isEmpty {
        flags = .quoted
      }
      if fields[index].occurrences > 1 { flags.insert(.repeated) }
      chunk.endField(flags)
    }
    chunk.endRecord(at: .init(record: recordCount, line: place.line, byte: place.byte))
  }

  // MARK: Attributes

  private func value(
    of pattern: XMLNames.Pattern, in attributes: XMLAttributes, of reader: XMLEventReader
  ) -> UnsafeRawBufferPointer? {
    for index in 0..<attributes.count where names.matches(attributes.name(index), pattern, in: reader) {
      return attributes.value(index)
    }
    return nil
  }

  private func isNil(_ attributes: XMLAttributes, in reader: XMLEventReader) -> Bool {
    guard attributes.count > 0, let value = value(of: nilPattern, in: attributes, of: reader) else { return false }
    return value.elementsEqual("true".utf8) || value.elementsEqual("1".utf8)
  }
}
