import CSQLite

/// What SQLite calls to read a `RawColumnsTable`.
enum RawColumnsModule {
  /// Conditions on the rowid that SQLite offers and a pass makes use of, in the order in which their values come.
  private enum Bound: Int32, CaseIterable {
    case lower = 1
    case upper = 2
    case equal = 4

    func matches(_ condition: Int32) -> Bool {
      switch self {
      case .lower: condition == SQLITE_INDEX_CONSTRAINT_GE || condition == SQLITE_INDEX_CONSTRAINT_GT
      case .upper: condition == SQLITE_INDEX_CONSTRAINT_LE || condition == SQLITE_INDEX_CONSTRAINT_LT
      case .equal: condition == SQLITE_INDEX_CONSTRAINT_EQ
      }
    }
  }

  nonisolated(unsafe) static let pointer: UnsafeMutablePointer<sqlite3_module> = {
    var module = sqlite3_module()
    module.iVersion = 1
    // No xCreate: the table is there under the module's name and never becomes part of a schema.
    module.xConnect = { database, table, _, _, view, _ in
      guard let database, let table = table.map({ Unmanaged<RawColumnsTable>.fromOpaque($0) }), let view else {
        return SQLITE_ERROR
      }
      let result = sqlite3_declare_vtab(database, table.takeUnretainedValue().declaration)
      guard result == SQLITE_OK else { return result }
      let new = UnsafeMutablePointer<TableView>.allocate(capacity: 1)
      new.initialize(to: TableView(table: table))
      view.pointee = UnsafeMutableRawPointer(new).assumingMemoryBound(to: sqlite3_vtab.self)
      return SQLITE_OK
    }
    module.xDisconnect = { view in
      UnsafeMutableRawPointer(view)?.assumingMemoryBound(to: TableView.self).deallocate()
      return SQLITE_OK
    }
    module.xBestIndex = { _, info in info.map { plan(&$0.pointee) } ?? SQLITE_ERROR }
    module.xOpen = { view, cursor in
      guard let view, let cursor else { return SQLITE_ERROR }
      let table = UnsafeRawPointer(view).assumingMemoryBound(to: TableView.self).pointee.table.takeUnretainedValue()
      let new = UnsafeMutablePointer<Cursor>.allocate(capacity: 1)
      new.initialize(to: Cursor(buffers: table.buffers))
      cursor.pointee = UnsafeMutableRawPointer(new).assumingMemoryBound(to: sqlite3_vtab_cursor.self)
      return SQLITE_OK
    }
    module.xClose = { cursor in
      Self.cursor(cursor).deallocate()
      return SQLITE_OK
    }
    module.xFilter = { cursor, plan, _, count, arguments in
      begin(Self.cursor(cursor), plan: plan, UnsafeBufferPointer(start: arguments, count: Int(count)))
      return SQLITE_OK
    }
    module.xNext = { cursor in
      Self.cursor(cursor).pointee.row += 1
      return SQLITE_OK
    }
    module.xEof = { cursor in
      let cursor = Self.cursor(cursor)
      return cursor.pointee.row < cursor.pointee.end ? 0 : 1
    }
    module.xColumn = { cursor, context, column in
      guard let context else { return SQLITE_ERROR }
      let cursor = Self.cursor(cursor)
      cursor.pointee.buffers[Int(column)].give(cursor.pointee.row, to: context)
      return SQLITE_OK
    }
    module.xRowid = { cursor, row in
      row?.pointee = Int64(Self.cursor(cursor).pointee.row)
      return SQLITE_OK
    }
    let pointer = UnsafeMutablePointer<sqlite3_module>.allocate(capacity: 1)
    pointer.initialize(to: module)
    return pointer
  }()

  private static func cursor(_ cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?) -> UnsafeMutablePointer<Cursor> {
    UnsafeMutableRawPointer(cursor!).assumingMemoryBound(to: Cursor.self)
  }

  /// Chooses the conditions on the rowid; SQLite checks them again, so that they may be taken loosely.
  private static func plan(_ info: inout sqlite3_index_info) -> Int32 {
    var plan: Int32 = 0
    for bound in Bound.allCases {
      for index in 0..<Int(info.nConstraint) {
        let constraint = info.aConstraint[index]
        guard constraint.usable != 0, constraint.iColumn == -1, bound.matches(Int32(constraint.op)) else { continue }
        plan |= bound.rawValue
        info.aConstraintUsage[index].argvIndex = Int32(plan.nonzeroBitCount)
        break
      }
    }
    info.idxNum = plan
    // A chunk has some thousand rows, whatever it had when the statement was compiled.
    info.estimatedRows = plan & Bound.equal.rawValue != 0 ? 1 : 1000
    info.estimatedCost = Double(info.estimatedRows)
    if info.nOrderBy == 1, info.aOrderBy[0].iColumn == -1, info.aOrderBy[0].desc == 0 { info.orderByConsumed = 1 }
    return SQLITE_OK
  }

  private static func begin(
    _ cursor: UnsafeMutablePointer<Cursor>, plan: Int32, _ arguments: UnsafeBufferPointer<OpaquePointer?>
  ) {
    let view = UnsafeRawPointer(cursor.pointee.base.pVtab).assumingMemoryBound(to: TableView.self)
    var rows = 0..<view.pointee.table.takeUnretainedValue().rowCount
    var next = 0
    for bound in Bound.allCases where plan & bound.rawValue != 0 {
      let argument = arguments[next]
      next += 1
      // What is no integer is left to SQLite's own check.
      guard sqlite3_value_type(argument) == SQLITE_INTEGER else { continue }
      let row = Int(sqlite3_value_int64(argument))
      if bound != .upper { rows = rows.clamped(to: max(row, 0)..<Int.max) }
      if bound != .lower { rows = rows.clamped(to: 0..<min(max(row, -1), Int.max - 1) + 1) }
    }
    cursor.pointee.row = rows.lowerBound
    cursor.pointee.end = rows.upperBound
  }
}

/// SQLite's view of the table: its own part comes first, as SQLite demands.
private struct TableView {
  var base = sqlite3_vtab()
  let table: Unmanaged<RawColumnsTable>
}

/// A pass over the rows.
private struct Cursor {
  var base = sqlite3_vtab_cursor()
  let buffers: UnsafeMutablePointer<ColumnBuffers>
  var row = 0
  var end = 0
}
