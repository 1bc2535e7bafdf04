import Bytes
package import Diagnostics

extension Diagnostic.Code {
  package static let storeBusy = Diagnostic.Code("store.busy", .locked)
  package static let storeDamaged = Diagnostic.Code("store.damaged", .store)
  package static let storeNotSQLite = Diagnostic.Code("store.not-sqlite", .store)
  package static let storeMissing = Diagnostic.Code("store.missing", .store)
  package static let storeUnique = Diagnostic.Code("store.unique", .reject)
  package static let storeConstraint = Diagnostic.Code("store.constraint", .reject)
  package static let storeStopped = Diagnostic.Code("store.stopped", .store)
  package static let storeSQL = Diagnostic.Code("store.sql", .store)
  package static let environmentDisk = Diagnostic.Code("environment.disk", .environment)
}

extension SQLiteError {
  /// The error as users read it.
  package var diagnostic: Diagnostic {
    if let cause { return cause }
    let file = path ?? "the database in memory"
    switch kind {
    case .constraint(let constraint):
      return constraint.diagnostic(message)
    case .busy:
      return Diagnostic(
        .storeBusy, "\(file) is in use by another program",
        hint: "Close the app or tool that writes it, then start again.")
    case .full:
      return .noSpace(file)
    case .readOnly, .permission:
      return .notWritable(file)
    case .cannotOpen:
      return cannotOpen(file)
    case .notADatabase:
      let (found, hint) =
        switch FileSystem.kind(of: file) {
        case .folder?: ("a folder", "Name the file in it.")
        case .other?: ("a pipe or a device", "Check the name of the store.")
        case .file?, nil: ("another kind of file", "Check the name of the store.")
        }
      return Diagnostic(.storeNotSQLite, "expected an SQLite database, found \(found): \(file)", hint: hint)
    case .corrupt:
      return Diagnostic(
        .storeDamaged, "\(file) is damaged: \(message)",
        hint: "See what `PRAGMA integrity_check` says, and take the store from a backup.")
    case .inputOutput:
      let error = SystemError(code: systemCode)
      if error.isNoSpace { return .noSpace(file) }
      let reason = systemCode == 0 ? message : "\(error)"
      return Diagnostic(
        .environmentDisk, "reading or writing \(file) failed: \(reason)", hint: "Check the disk, then start again.")
    case .interrupted:
      return Diagnostic(
        .storeStopped, "a statement on \(file) was stopped before its end",
        hint: "Run the same command again.")
    case .other:
      let statement = sql.map { " in: \(ShownText.excerpt($0))" } ?? ""
      return Diagnostic(
        .storeSQL, "\(file): \(message)\(statement)",
        hint: "Ask `gantry check` about the store; if it is sound, this is a fault of Gantry.")
    }
  }

  private func cannotOpen(_ file: String) -> Diagnostic {
    switch FileSystem.kind(of: file) {
    case nil where FileSystem.kind(of: FileSystem.folder(of: file)) != .folder:
      .folderMissing(FileSystem.folder(of: file))
    case nil where SystemError(code: systemCode).isMissing:
      Diagnostic(.storeMissing, "there is no store \(file)", hint: "Check its name, or let an import make it.")
    default:
      .notWritable(file)
    }
  }
}

extension SQLiteError.Constraint {
  fileprivate func diagnostic(_ message: String) -> Diagnostic {
    switch self {
    case .unique(let table, let columns), .primaryKey(let table, let columns):
      Diagnostic(
        .storeUnique, "a row with equal values in \(columns.joined(separator: ", ")) is already in \(table)",
        hint: "Remove one of the two, or name these columns as the `key`.")
    case .uniqueIndex(let index):
      Diagnostic(
        .storeUnique, "a row with equal values is already in the index \(index)", hint: "Remove one of the two.")
    case .notNull(let table, let column):
      Diagnostic(.storeConstraint, "expected a value in \(table).\(column), found none", hint: "Give it a value.")
    case .check, .foreignKey, .trigger, .other:
      Diagnostic(
        .storeConstraint, "the store refuses the row: \(message)",
        hint: "Correct the record, or look at the constraint or trigger of the store.")
    }
  }
}

extension Diagnostic {
  fileprivate static func noSpace(_ file: String) -> Diagnostic {
    Diagnostic(
      .environmentNoSpace, "no space is left on the disk of \(file)", hint: "Free some space, then start again.")
  }

  fileprivate static func notWritable(_ file: String) -> Diagnostic {
    Diagnostic(
      .environmentPermission, "\(file) may not be opened or written",
      hint: "Allow writing the file and its folder, or run as another user.")
  }
}
