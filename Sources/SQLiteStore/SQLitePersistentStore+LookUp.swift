import Foundation
package import ObjectGraph
import ObjectModel
import SQLiteDriver
import Values

extension SQLitePersistentStore {
  /// For each key the object that has it: by an index of the store where one serves, else by a key map.
  ///
  /// Texts are compared in normalisation form C. An index knows the stored bytes alone, so a text beyond ASCII that it does
  /// not find is looked for among the texts beyond ASCII. (Three characters beyond ASCII are the same as one of ASCII: the
  /// signs of kelvin, the Greek question mark and the varia. Them an index does not find.)
  package func lookUp(_ request: KeyLookupRequest) throws -> [KeyLookupRequest.Answer] {
    try speaking { try find(request) }
  }

  private func find(_ request: KeyLookupRequest) throws -> [KeyLookupRequest.Answer] {
    try dropStaleKeyMaps()
    var matches = KeyMatches(count: request.keys.count)
    let all = Array(request.keys.indices)
    guard try isIndexed(request) else {
      try find(all, of: request, in: keyMap(for: request, .all), &matches)
      return matches.answers(store: self, entity: request.entity)
    }
    try find(all, of: request, &matches)
    let rest = all.filter { matches.isMissing($0) && request.keys[$0].contains(where: \.isTextBeyondASCII) }
    if !rest.isEmpty { try find(rest, of: request, in: keyMap(for: request, .beyondASCII), &matches) }
    return matches.answers(store: self, entity: request.entity)
  }

  /// Looks for keys, byte for byte, in the store's table.
  private func find(_ indices: [Int], of request: KeyLookupRequest, _ matches: inout KeyMatches) throws {
    try forEachMatch(of: batch(indices, of: request) { $0 }, select: "t.Z_PK, t.Z_ENT", join: tableJoin(request)) {
      index, row in matches.add(row.integer(1), entityNumber: row.integer(2), to: indices[index])
    }
  }

  /// Looks for keys in a map of normalised ones.
  private func find(_ indices: [Int], of request: KeyLookupRequest, in map: KeyMap, _ matches: inout KeyMatches) throws
  {
    try forEachMatch(of: batch(indices, of: request) { $0.normalised }, select: "m.pk, m.ent", join: map.join) {
      index, row in matches.add(row.integer(1), entityNumber: row.integer(2), to: indices[index])
    }
  }

  /// The rows of the entity that have the keys of the batch.
  func tableJoin(_ request: KeyLookupRequest) -> String {
    let terms = columns(of: request).enumerated().map { "t.\($1) = b.k\($0)" }.joined(separator: " AND ")
    let numbers = schema.numbersOfHierarchy(request.entity).list
    // The sign keeps SQLite from the index on the entity, which nearly all rows share.
    return "\(schema.table(of: request.entity).name) AS t ON \(terms) AND +t.Z_ENT IN (\(numbers))"
  }

  private func batch(_ indices: [Int], of request: KeyLookupRequest, _ form: (Value) -> Value) -> KeyBatch {
    let columns = AttributeColumns(entity: request.entity, places: request.places, capacity: indices.count)
    for index in indices {
      for (column, value) in request.keys[index].enumerated() { columns.append(form(value), column: column) }
      columns.endRow(record: index)
    }
    return KeyBatch(columns: columns.columns, rowCount: columns.rowCount)
  }

  private func columns(of request: KeyLookupRequest) -> [String] {
    request.places.map { schema.column(of: request.entity.layout.attributes[$0].path, in: request.entity) ?? "" }
  }

  // MARK: What serves a key

  /// Whether an index of the store begins with the key's columns.
  private func isIndexed(_ request: KeyLookupRequest) throws -> Bool {
    let contents = KeyMap.Contents(entity: request.entity, places: request.places, scope: .all)
    if let known = keyMaps.isIndexed[contents] { return known }
    let columns = Set(columns(of: request))
    let select = try connection.prepare(
      """
      SELECT l.name, i.name FROM pragma_index_list(?) AS l JOIN pragma_index_info(l.name) AS i
      WHERE l.partial = 0 AND i.seqno < ?
      """)
    var indexes: [String: Set<String>] = [:]
    select.bind(1, schema.table(of: request.entity).name)
    select.bind(2, Int64(columns.count))
    while try select.step() { indexes[select.text(0) ?? "", default: []].insert(select.text(1) ?? "") }
    let isIndexed = indexes.values.contains(columns)
    keyMaps.isIndexed[contents] = isIndexed
    return isIndexed
  }

  private func keyMap(for request: KeyLookupRequest, _ scope: KeyMap.Scope) throws -> KeyMap {
    let contents = KeyMap.Contents(entity: request.entity, places: request.places, scope: scope)
    if let map = keyMaps.maps[contents] { return map }
    keyMaps.count += 1
    let map = KeyMap(number: keyMaps.count, contents, schema: schema)
    for statement in map.statements { try connection.execute(statement) }
    keyMaps.maps[contents] = map
    return map
  }

  /// Forgets the maps when another program has changed the store: the triggers are this connection's alone.
  private func dropStaleKeyMaps() throws {
    let version = try connection.pragma("data_version")
    if let known = keyMaps.dataVersion, known != version {
      for statement in keyMaps.maps.values.flatMap(\.removal) { try connection.execute(statement) }
      keyMaps.maps.removeAll()
    }
    keyMaps.dataVersion = version
  }
}

/// For each key of a request what was found: the two least primary keys.
private struct KeyMatches {
  private var first: [(key: Int64, number: Int64)?]
  private var second: [(key: Int64, number: Int64)?]

  init(count: Int) {
    first = Array(repeating: nil, count: count)
    second = first
  }

  mutating func add(_ key: Int64, entityNumber number: Int64, to index: Int) {
    guard let least = first[index] else { return first[index] = (key, number) }
    if key < least.key {
      second[index] = least
      first[index] = (key, number)
    } else if key < second[index]?.key ?? .max {
      second[index] = (key, number)
    }
  }

  func isMissing(_ index: Int) -> Bool { first[index] == nil }

  func answers(store: SQLitePersistentStore, entity: NSEntityDescription) -> [KeyLookupRequest.Answer] {
    zip(first, second).map { first, second in
      guard let first else { return .none }
      let objectID = store.objectID(first.key, entityNumber: first.number, declared: entity)
      guard let second else { return .one(objectID) }
      return .several(objectID, store.objectID(second.key, entityNumber: second.number, declared: entity))
    }
  }
}

extension Value {
  /// The value with a text in normalisation form C.
  fileprivate var normalised: Value {
    guard case .string(let text) = self else { return self }
    return .string(text.normalisedForKeys)
  }

  fileprivate var isTextBeyondASCII: Bool {
    guard case .string(let text) = self else { return false }
    return !text.isASCII
  }
}
