import Bytes
import Foundation
package import ObjectGraph
package import ObjectModel
import SQLiteDriver

extension SQLiteStoreMigrator {
  package func change(_ model: NSManagedObjectModel, _ body: (any PagedStore) throws -> Void) throws {
    precondition(guardian != nil, "a store is changed after `begin()`")
    lookAnew()
    if made.isEmpty {
      let place = place(ofStep: 1)
      try FileSystem.copy(url.path, over: place.path)
      made.append(place)
    }
    if ownFiles == nil {
      // What removes a value removes its file: a second name of it, as long as the store may have to stay.
      let files = ExternalFiles(store: current)
      try files.link(ExternalFiles(store: url))
      ownFiles = files
    }
    let connection = try Self.speaking { try Connection(current.path, .readWrite) }
    // A crash leaves a file that serves for nothing.
    try Self.speaking {
      try connection.setPragma("journal_mode", "MEMORY")
      try connection.setPragma("synchronous", "OFF")
    }
    let store = try Self.speaking {
      try SQLitePersistentStore(
        opened: connection, url: current, model: model, configurationName: nil, externalFiles: files)
    }
    try body(store)
    try store.finish()
    ownFiles = store.externalFiles
    lookAnew()
  }
}
