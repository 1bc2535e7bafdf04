import Bytes
public import Foundation

extension NSManagedObjectModel {
  /// The version hashes of all entities by name, as a store's metadata keeps them.
  public var entityVersionHashesByName: [String: Data] {
    Dictionary(zip(entities.map { $0.name ?? "" }, VersionHash.of(entities).map { Data($0) })) { first, _ in first }
  }

  /// One text for all the hashes (SHA-256, base64): equal for models that open the same stores.
  public var versionChecksum: String {
    Base64.encode(SHA256.hash(sortedHashes.flatMap(\.hash)))
  }

  /// One text for all names and hashes (SHA-512, base64), as a store's metadata keeps it.
  public var versionHashesDigest: String {
    Base64.encode(SHA512.hash(sortedHashes.flatMap { Array($0.name.utf8) + $0.hash }))
  }

  /// The names of the entities, of the model or of the hashes, that the two do not have alike.
  package func entitiesDiffering(from hashes: [String: Data]) -> [String] {
    let own = entityVersionHashesByName
    return Set(own.keys).union(hashes.keys).filter { own[$0] != hashes[$0] }.sorted()
  }

  /// The hashes as text: for each entity its name, a tab and 64 hexadecimal digits; then `digest` and `checksum` alike.
  package var versionHashLines: [String] {
    sortedHashes.map { "\($0.name)\t\(Hex.encode($0.hash))" }
      + ["digest\t\(versionHashesDigest)", "checksum\t\(versionChecksum)"]
  }

  private var sortedHashes: [(name: String, hash: [UInt8])] {
    VersionHash.sorted(zip(entities, VersionHash.of(entities)).map { (name: $0.name ?? "", hash: $1) }, by: \.name)
  }
}

extension NSEntityDescription {
  /// What tells this version of the entity from others: 32 bytes that depend on everything that shapes its rows.
  public var versionHash: Data { Data(VersionHash.of(self)) }

  /// The names of the properties, own and inherited, on which the version hashes of this and another entity differ.
  package func propertiesDiffering(from other: NSEntityDescription) -> [String] {
    let (own, others) = (VersionHash.ofProperties(of: self), VersionHash.ofProperties(of: other))
    return Set(own.keys).union(others.keys).filter { own[$0] != others[$0] }.sorted()
  }
}

extension NSPropertyDescription {
  /// What tells this version of the property from others.
  public var versionHash: Data { Data(VersionHash.of(self)) }
}
