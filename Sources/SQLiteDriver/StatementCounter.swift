/// The statements and commits of a connection, counted: exact figures, where a clock gives none.
package final class StatementCounter {
  /// How many statements were compiled.
  package internal(set) var prepared = 0
  /// How many statements were run, by their first word in upper case: a statement of a trigger is not counted.
  package private(set) var executed: [String: Int] = [:]
  /// How many transactions that changed something were committed.
  package internal(set) var commits = 0

  package init() {}

  /// How many statements that begin with a word were run.
  package func count(of keyword: String) -> Int { executed[keyword] ?? 0 }

  /// Begins again at 0.
  package func reset() {
    prepared = 0
    executed = [:]
    commits = 0
  }

  func began(_ sql: String) {
    let keyword = sql.drop { $0.isWhitespace }.prefix { $0.isLetter }.uppercased()
    executed[keyword, default: 0] += 1
  }
}
