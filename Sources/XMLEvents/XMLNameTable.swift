/// The names met so far, numbered.
///
/// The library keeps each name once, so that a name is known by its address.
struct XMLNameTable {
  private struct Key: Hashable {
    var local: UnsafePointer<UInt8>?
    var namespace: UnsafePointer<UInt8>?
  }

  private var numbers: [Key: XMLNameID] = [:]
  private var byName: [XMLName: XMLNameID] = [:]
  private var names: [XMLName] = []
  /// The names met last, by some bits of their addresses.
  private var recent: [(key: Key, id: XMLNameID)?] = Array(repeating: nil, count: 256)

  subscript(id: XMLNameID) -> XMLName { names[id.index] }

  mutating func identifier(local: UnsafePointer<UInt8>?, namespace: UnsafePointer<UInt8>?) -> XMLNameID {
    let key = Key(local: local, namespace: namespace)
    let slot = (Int(bitPattern: local) >> 2 ^ Int(bitPattern: namespace) >> 5) & 255
    if let found = recent[slot], found.key == key { return found.id }
    let id = numbered(key)
    recent[slot] = (key, id)
    return id
  }

  private mutating func numbered(_ key: Key) -> XMLNameID {
    if let known = numbers[key] { return known }
    let (local, namespace) = (key.local, key.namespace)
    let name = XMLName(namespace: namespace.map(String.init(cString:)), local.map(String.init(cString:)) ?? "")
    let id = byName[name] ?? XMLNameID(index: names.count)
    if id.index == names.count { names.append(name) }
    byName[name] = id
    numbers[key] = id
    return id
  }
}
