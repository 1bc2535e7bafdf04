/// Predicates about employees and others, of every operator and type, with nil in every position.
enum PredicateTable {
  static let all: [(entity: String, predicate: String)] =
    (comparisons + texts + lists).map { ("Employee", $0) } + written

  private static let attributes: [(key: String, constants: [String])] = [
    ("age", ["36", "36.0", "'36'", "'x'", "nil", "YES"]), ("active", ["YES", "0", "nil"]),
    ("born", ["CAST(100, 'NSDate')", "'2001-01-01'", "'2001-01-02T00:00:00.5Z'", "nil", "100"]),
    ("rating", ["0", "2.5", "0.1", "'2.5'", "nil"]), ("salary", ["0.1", "'0.3'", "1000", "nil", "99999.99"]),
    ("serial", ["9007199254740993", "9007199254740992.0", "9223372036854775807", "9.3e18", "nil"]),
    ("weight", ["1.5", "0.1", "nil"]), ("name", ["'Ada'", "'élan'", "''", "3", "nil"]),
    ("site", ["'https://example.org/a'", "CAST('file:///c', 'NSURL')", "nil"]),
    (
      "badge",
      [
        "'00010203-0405-0607-0809-0a0b0c0d0e01'", "CAST('00010203-0405-0607-0809-0a0b0c0d0e02', 'NSUUID')", "'x'",
        "nil",
      ]
    ),
    ("photo", ["CAST('AQI=', 'NSData')", "nil"]), ("place.town", ["'Rom'", "nil", "name"]),
    ("place.floor", ["2", "nil", "age"]),
    ("department.name", ["'D1'", "nil"]), ("department.code", ["'é'", "nil", "name"]),
    ("boss.age", ["36", "nil", "age"]),
    ("boss.department.name", ["'D2'", "department.name"]), ("desk.number", ["1", "9223372036854775807", "nil"]),
  ]

  /// Each attribute by each sign with each constant, some the other way round.
  private static let comparisons: [String] = {
    var all: [String] = []
    for (key, constants) in attributes {
      for constant in constants {
        for sign in ["=", "!=", "<", "<=", ">", ">="] { all.append("\(key) \(sign) \(constant)") }
        for sign in ["=", "<"] { all.append("\(constant) \(sign) \(key)") }
      }
    }
    return all
  }()

  /// Each operator of texts with each option.
  private static let texts: [String] = {
    var all: [String] = []
    let constants = ["'a'", "'élan'", "'A*'", "''", "'?d?'", "'STRASSE'", "nil", "department.code", "'a_b'"]
    for options in ["", "[c]", "[d]", "[cd]", "[n]"] {
      for sign in ["BEGINSWITH", "ENDSWITH", "CONTAINS", "LIKE", "=", "<", "IN"] {
        for constant in constants { all.append("name \(sign)\(options) \(constant)") }
      }
      for pattern in [".d.|[A-Z]+", "a|ab", "", "\\\\w+", "É.*"] { all.append("name MATCHES\(options) '\(pattern)'") }
      all.append("department.code MATCHES\(options) '[a-y]+'")
    }
    return all
  }()

  private static let lists: [String] = [
    "age IN {16, 36}", "age IN {}", "age IN {nil}", "age IN {36, nil}", "NOT age IN {36, nil}", "age IN {'36', 20}",
    "name IN {'Ada', 'Bob'}", "name IN[cd] {'ADA', 'bob'}", "NOT name IN {'Ada'}", "age IN {age, 3}",
    "36 IN {age, rating}",
    "born IN {CAST(0, 'NSDate'), '2001-01-01'}", "badge IN {'00010203-0405-0607-0809-0a0b0c0d0e01'}",
    "age BETWEEN {20, 40}",
    "NOT age BETWEEN {20, 40}", "age BETWEEN {nil, 40}", "NOT age BETWEEN {40, nil}", "name BETWEEN {'A', 'b'}",
    "age BETWEEN {'20', 36.5}",
    "36 BETWEEN {age, rating}", "born BETWEEN {'2001-01-01', '2001-01-02'}", "salary IN {0.1, 0.3}",
    "serial IN {9007199254740993}",
    "age BETWEEN {1}", "nil IN {1}", "nil IN {}", "'d' IN name", "name IN 'Adam and Bob'", "active IN {YES}",
    "nil = nil", "age = nil OR age = 36",
  ]

  private static let written: [(entity: String, predicate: String)] = {
    var all: [(entity: String, predicate: String)] = others
    for (entity, predicates) in [
      ("Employee", employees), ("Person", people), ("Department", departments), ("Project", projects),
    ] {
      all += predicates.map { (entity, $0) }
    }
    return all
  }()

  private static let others: [(entity: String, predicate: String)] = [
    ("Boss", "title =[c] 'DR'"),
    ("Boss", "ANY reports.age > 20 AND title != nil"),
    ("Boss", "reports.@count > 2"),
    ("Boss", "ALL reports.boss = SELF"),
    ("Boss", "TRUEPREDICATE"),
    ("Task", "project.name BEGINSWITH 'A'"),
    ("Task", "ANY project.watchers.age > 30"),
    ("Task", "project.tasks.@count > 2"),
    ("Desk", "owner.name = nil"),
    ("Desk", "owner.department.employees.@count > 3"),
    ("Desk", "owner != nil AND number < 0"),
  ]

  private static let employees: [String] = [
    "TRUEPREDICATE", "FALSEPREDICATE", "NOT TRUEPREDICATE", "age > 20 AND age < 40", "age > 20 OR rating > 1",
    "NOT age > 20",
    "NOT (age > 20 AND rating > 1)", "NOT (age > 20 OR rating > 1)", "age = rating", "age + 4 = 40", "age - 4 > 12",
    "age * 2 = 72", "age / 5 = 7",
    "age / 0 = 1", "age / 5.0 > 7", "serial + 1 > 0", "serial * 2 > 0", "rating * 1e10 > 5", "salary * 3 = 0.9",
    "salary + age > 100", "age ** 2 > 400",
    "modulus:by:(age, 7) = 1", "modulus:by:(age, 0) = 1", "age & 4 = 4", "(age | 1) = 37", "abs:(rating) = 0",
    "ceiling:(rating) = 3", "floor:(weight) = 1",
    "trunc:(rating) = 2", "sqrt:(age) = 6", "ln:(age) > 3", "log:(age) > 1.5", "exp:(rating) > 2",
    "uppercase:(name) = 'ADA'", "lowercase:(name) CONTAINS 'd'",
    "canonical:(name) = 'elan'", "length:(name) > 3", "length:(name) = 0", "name.length = 3", "length:(age) = 2",
    "~age < 0", "age.intValue = 36",
    "TERNARY(age > 30, 'old', 'young') = 'old'", "TERNARY(active = YES, age, 0) > 10", "CAST(born, 'NSNumber') = 100",
    "CAST(age, 'NSDate') < born", "CAST(age, 'NSString') = '36'",
    "born < now()", "born / age = 100 / 36.0", "born / 7 != rating", "born > now()", "department = nil",
    "department != nil", "boss = nil", "boss.boss = nil",
    "boss = SELF", "boss != SELF", "desk = nil AND boss != nil",
    "department.employees.@count > 5", "department.employees.@count = nil", "count:(department.employees) = 0",
    "department.employees.@max.age = 99",
    "department.employees.@min.name < 'B'", "department.employees.@sum.age > 100", "department.employees.@avg.age > 30",
    "department.employees.@sum.rating > 3",
    "department.employees.@avg.salary > 100", "department.employees.age.@max > 40", "ANY department.employees.age > 90",
    "ALL department.employees.age > 10",
    "ANY department.employees.name = nil", "NONE department.employees.name BEGINSWITH[c] 'a'", "projects.@count = 0",
    "projects.@count > 1", "ANY projects.name = 'Ada'",
    "ALL projects.name != nil", "NONE projects.name = nil", "NOT ANY projects.name CONTAINS[cd] 'a'",
    "ANY projects.tasks.name BEGINSWITH 'A'", "ANY projects.tasks.@count > 2",
    "ANY projects.members.department.name = 'D1'", "ANY projects.members.department.employees.age > 40",
    "ANY projects.watchers = SELF", "SELF IN projects.watchers",
    "'Ada' IN projects.name", "projects.name CONTAINS 'Bob'", "NOT 'Ada' IN projects.name",
    "department IN projects.members.department", "boss IN friends",
    "ANY friends.name = name", "ALL friends.name != name", "ANY friends.name IN {'Ada', 'Bob'}",
    "ANY friends.name BETWEEN {'A', 'B'}", "ANY projects = nil", "ALL projects != nil",
    "ANY age > 30", "ALL age > 30", "NOT ANY age > 30", "ANY department.name = nil", "ALL department.name = 'D1'",
    "ANY age = nil",
    "SUBQUERY(projects, $p, $p.name = 'Ada').@count > 0", "SUBQUERY(projects, $p, $p.tasks.@count > 2).@count = 1",
    "SUBQUERY(projects, $p, ANY $p.members.age > age).@count > 0",
    "SUBQUERY(projects, $p, SUBQUERY($p.tasks, $t, $t.name = $p.name).@count > 0).@count > 0",
    "SUBQUERY(department.employees, $e, $e.age > 30 AND $e != SELF).@count > 1",
    "SUBQUERY(friends, $f, $f.name = nil).@count = 0", "count:(SUBQUERY(friends, $f, $f.name != nil)) > 1",
    "SUBQUERY(projects, $p, $p = nil).@count = 0",
    "SUBQUERY(projects, $p, $p.name MATCHES 'A.*').@count > 0",
    "SUBQUERY(projects, $p, CAST($p.name, 'NSNumber') > 3).@count > 0",
    "place.town CONTAINS[cd] 'ZUR' AND place.floor > 1", "place.town = place.town", "boss.place.town = 'Rom'",
    "self.age = 36", "SELF.boss.self = boss", "objectID = boss.objectID", "entity.name = 'Boss'",
    "boss.entity = entity", "projects = nil", "projects != nil",
    "{16, 36} CONTAINS age",
    "name = 'Ada' AND CAST(age, 'NSString') = '36'", "name > 3 AND age > 20", "name = age",
    "photo != nil AND length:(name) > 1",
    "age > '20' AND age < '40'", "TERNARY(age = nil, 1, 2) = 1", "TERNARY(age > 30, age, rating) > 2",
    "uppercase:(department.code) = 'É'", "noindex:(age) = 36", "age[0] = 36", "friends[SIZE] > 2",
    "friends[0] = boss", "projects.@distinctUnionOfObjects.name[SIZE] > 1", "median:(projects.tasks.@count) > 1",
    "max:(age, rating) > 30", "age = 36 OR age = nil OR NOT age = nil",
    "name BEGINSWITH 'zz\u{10FFFF}'", "name BEGINSWITH '\u{10FFFF}'", "name BEGINSWITH[c] 'İ'", "name =[c] 'ﬁX'",
    "name =[cd] 'FIX'", "name CONTAINS '👩'", "name ENDSWITH '\u{301}lan'", "name CONTAINS 'e'", "name LIKE '?'",
    "name LIKE '日?'",
    "name LIKE 'a\\\\*b'", "name LIKE[c] 'STRA?E'", "name MATCHES '\\\\p{Lu}+'",
  ]

  private static let people: [String] = [
    "name = 'Ada'", "friends.@count > 1", "ANY friends.name =[c] name", "ANY friends.friends = SELF", "SELF IN friends",
    "NONE friends.name = 'Bob'", "email = nil", "ALL friends.friends.name != nil",
    "SUBQUERY(friends, $f, $f.friends.@count > 1).@count > 0", "name < 'a' AND name >= 'A'", "name >=[cd] 'e'",
    "NOT name CONTAINS[d] 'e'",
  ]

  private static let departments: [String] = [
    "employees.@count = 0", "employees.@count BETWEEN {1, 6}", "ANY employees.age > 90", "ALL employees.age > 16",
    "NONE employees.active = NO", "ANY employees.boss.name = 'Ada'",
    "ANY employees.boss = nil", "ANY employees.desk.number > 0",
    "ANY employees.badge = '00010203-0405-0607-0809-0a0b0c0d0e01'", "ANY employees.photo = nil",
    "employees.@max.born > '2001-01-01'",
    "employees.@min.serial < 0", "employees.@sum.serial > 0", "employees.@max.name > 'a'",
    "employees.@max.salary = 1000", "employees.@avg.age < 40", "employees.@sum.age = 0", "employees.@avg.age = nil",
    "SUBQUERY(employees, $e, $e.age > 30 AND $e.active = YES).@count > 1",
    "SUBQUERY(employees, $e, $e.boss != nil AND $e.boss.department = SELF).@count > 0", "code = nil OR code =[cd] 'E'",
    "ANY employees.place.town BEGINSWITH[c] 'r'",
    "'Ada' IN employees.name", "employees CONTAINS nil", "ANY employees.entity.name = 'Boss'",
    "NOT (ANY employees.projects.name = 'Ada')",
    "ALL employees.projects.@count > 0", "employees.@max.photo != nil",
  ]

  private static let projects: [String] = [
    "tasks.@count > 2", "ANY tasks.name = name", "ANY members.boss.reports.age > 30",
    "members.@count > watchers.@count", "ANY watchers IN members", "ANY members.name = watchers[0].name",
    "watchers[FIRST].name != nil",
    "tasks[LAST].name > 'a'", "ALL tasks.project = SELF", "SUBQUERY(members, $m, $m IN watchers).@count > 0",
    "SUBQUERY(members, $m, $m.department.name = 'D1' OR ANY $m.friends.name = 'Bob').@count > 0",
  ]
}
