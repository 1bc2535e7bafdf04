import Bytes
public import Foundation

extension NSManagedObjectModel {
  /// The version hashes of all entities by name, as a store's metadata keeps them.
  public var entityVersionHashesByName: [String: Data] { versionHashes.byName }

  /// One text for all the hashes (SHA-256, base64): equal for models that open the same stores.
  public var versionChecksum: String { versionHashes.checksum }

  /// One text for all names and hashes (SHA-512, base64), as a store's metadata keeps it.
  public var versionHashesDigest: String { versionHashes.digest }

  /// The version hashes of all entities, made now: whoever asks for several things of them keeps them.
  package var versionHashes: ModelHashes { ModelHashes(self) }

  /// The names of the entities, of the model or of the hashes, that the two do not have alike.
  package func entitiesDiffering(from hashes: [String: Data]) -> [String] {
    let own = entityVersionHashesByName
    return Set(own.keys).union(hashes.keys).filter { own[$0] != hashes[$0] }.sorted()
  }

  /// The hashes as text: for each entity its name, a tab and 64 hexadecimal digits; then `digest` and `checksum` alike.
  package var versionHashLines: [String] {
    let hashes = versionHashes
    return hashes.sorted.map { "\($0.name)\t\(Hex.encode($0.hash))" }
      + ["digest\t\(hashes.digest)", "checksum\t\(hashes.checksum)"]
  }
}

/// The version hashes of the entities of a model as it was: they cost more than anything else of it.
package struct ModelHashes: Sendable {
  private let byEntity: [NSEntityDescription: [UInt8]]
  /// In the order in which they enter texts.
  fileprivate let sorted: [(name: String, hash: [UInt8])]

  fileprivate init(_ model: NSManagedObjectModel) {
    let hashes = VersionHash.of(model.entities)
    byEntity = Dictionary(zip(model.entities, hashes)) { first, _ in first }
    sorted = VersionHash.sorted(zip(model.entities, hashes).map { (name: $0.name ?? "", hash: $1) }, by: \.name)
  }

  /// The hash of an entity of the model.
  package subscript(entity: NSEntityDescription) -> Data? { byEntity[entity].map { Data($0) } }

  /// The hashes by name.
  package var byName: [String: Data] { Dictionary(sorted.map { ($0.name, Data($0.hash)) }) { first, _ in first } }

  /// One text for all of them, without names.
  package var checksum: String { Base64.encode(SHA256.hash(sorted.flatMap(\.hash))) }

  /// One text for all of them, with names.
  package var digest: String { Base64.encode(SHA512.hash(sorted.flatMap { Array($0.name.utf8) + $0.hash })) }
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
