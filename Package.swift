// swift-tools-version: 6.2
// The layers of Gantry, lowest first. A target may import what it lists and nothing else: the build is run with
// `--explicit-target-dependency-import-check error`, and Tests/GantryTests/LayerTests.swift reads the import lines.
import PackageDescription

var targets: [Target] = [
  // 0. C libraries, from Debian's -dev packages.
  .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
  .systemLibrary(name: "CLibXML2", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),
  .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),

  // 1. What everything speaks (Diagnostics), and one wrapper per C library.
  .target(name: "Diagnostics"),
  .target(name: "Bytes", dependencies: ["CZlib", "Diagnostics"]),
  .target(name: "SQLiteDriver", dependencies: ["CSQLite", "Bytes", "Diagnostics"]),
  .target(name: "XMLEvents", dependencies: ["CLibXML2", "Diagnostics"]),

  // 2. Kinds of value, and the archives that hold some of them.
  .target(name: "KeyedArchives", dependencies: ["XMLEvents", "Diagnostics"]),
  .target(name: "Values", dependencies: ["KeyedArchives", "Bytes", "Diagnostics"]),

  // 2. Conditions in Apple's format language.
  .target(name: "Predicates", dependencies: ["Values", "Diagnostics"]),

  // 3. Files as records; models as entities.
  .target(name: "Records", dependencies: ["XMLEvents", "Bytes", "Diagnostics"]),
  .target(
    name: "ObjectModel",
    dependencies: ["XMLEvents", "Bytes", "KeyedArchives", "Predicates", "Values", "Diagnostics"]),

  // 4. Records as values; values as objects.
  .target(name: "Conversion", dependencies: ["Records", "ObjectModel", "Bytes", "Values", "Diagnostics"]),
  .target(name: "ObjectGraph", dependencies: ["ObjectModel", "Predicates", "Values", "Diagnostics"]),

  // 5. Core Data's SQLite store.
  .target(
    name: "SQLiteStore",
    dependencies: [
      "ObjectGraph", "ObjectModel", "Predicates", "Values", "KeyedArchives", "SQLiteDriver", "Bytes", "Diagnostics",
    ]),

  // 5. One version of a model as the next one.
  .target(
    name: "Migration",
    dependencies: [
      "Conversion", "ObjectGraph", "ObjectModel", "Predicates", "Values", "KeyedArchives", "XMLEvents", "Bytes",
      "Diagnostics",
    ]),

  // 6. Stores opened by their descriptions; steps that read, convert and save in chunks.
  .target(
    name: "Stack", dependencies: ["SQLiteStore", "Migration", "ObjectGraph", "ObjectModel", "Bytes", "Diagnostics"]),
  .target(
    name: "Batch",
    dependencies: ["Records", "Conversion", "ObjectGraph", "ObjectModel", "Values", "Bytes", "Diagnostics"]),

  // 7. What users import: Core Data by its own name, and the pipeline.
  .target(
    name: "CoreData", dependencies: ["Stack", "Migration", "ObjectGraph", "ObjectModel", "Predicates", "Values"]),
  .target(
    name: "Gantry",
    dependencies: [
      "Batch", "SQLiteStore", "Migration", "ObjectGraph", "Conversion", "Records", "ObjectModel", "Predicates",
      "Values",
      "Bytes", "Diagnostics",
    ]),

  // 8. The tool, and a pipeline that is a Swift program.
  .executableTarget(name: "GantryTool", dependencies: ["Gantry", "Diagnostics"]),
  .executableTarget(name: "Contatti", dependencies: ["CoreData", "Diagnostics"], path: "Pipelines/Contatti"),
]

// Tests, a target for each module that has any, with what it needs beside the module itself.
let tests: [(module: String, needs: [Target.Dependency])] = [
  ("Diagnostics", []),
  ("Bytes", ["Diagnostics"]),
  ("SQLiteDriver", ["Bytes", "Diagnostics"]),
  ("XMLEvents", ["Diagnostics"]),
  ("KeyedArchives", ["Diagnostics"]),
  ("Values", ["KeyedArchives", "Diagnostics"]),
  ("Predicates", ["Values", "Diagnostics"]),
  ("Records", ["XMLEvents", "Bytes", "Diagnostics"]),
  ("ObjectModel", ["XMLEvents", "Bytes", "KeyedArchives", "Values", "Diagnostics"]),
  ("Conversion", ["Records", "ObjectModel", "Bytes", "Values", "KeyedArchives", "Diagnostics"]),
  // What is promised of objects is tested on every kind of store.
  ("ObjectGraph", ["SQLiteStore", "ObjectModel", "Predicates", "Values", "Bytes", "Diagnostics"]),
  ("SQLiteStore", ["ObjectGraph", "ObjectModel", "Predicates", "Values", "SQLiteDriver", "Bytes", "Diagnostics"]),
  (
    "Migration",
    ["SQLiteStore", "SQLiteDriver", "ObjectGraph", "ObjectModel", "Predicates", "Values", "Bytes", "Diagnostics"]
  ),
  ("Stack", ["SQLiteStore", "Migration", "ObjectGraph", "ObjectModel", "Predicates", "Bytes", "Diagnostics"]),
  ("Batch", ["SQLiteStore", "Records", "Conversion", "ObjectGraph", "ObjectModel", "Values", "Bytes", "Diagnostics"]),
  ("CoreData", []),
  (
    "Gantry",
    [
      "GantryTool", "Contatti", "Batch", "SQLiteStore", "SQLiteDriver", "ObjectGraph", "Conversion", "Records",
      "ObjectModel", "Predicates",
      "Values", "Bytes", "Diagnostics",
    ]
  ),
]
for test in tests {
  targets.append(
    .testTarget(
      name: "\(test.module)Tests", dependencies: [.target(name: test.module), "TestSupport"] + test.needs,
      exclude: ["Gantry": ["RealFiles"], "CoreData": ["Everything.xcdatamodel"]][test.module] ?? []))
}
targets.append(.target(name: "TestSupport", dependencies: ["Diagnostics"], path: "Tests/TestSupport"))
// Counts how often a thread asks for memory; in C, since it takes the place of `malloc`.
targets.append(.target(name: "AllocationCounter", path: "Tests/AllocationCounter"))
targets.append(
  .executableTarget(
    name: "AllocationCheck",
    dependencies: ["AllocationCounter", "Conversion", "Records", "ObjectModel", "Values", "Diagnostics"],
    path: "Tests/AllocationCheck"))

for target in targets where target.type != .system {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
  ]
}

let package = Package(
  name: "Gantry",
  platforms: [.macOS(.v13)],
  products: [
    .executable(name: "gantry", targets: ["GantryTool"]),
    .library(name: "Gantry", targets: ["Gantry"]),
    .library(name: "CoreData", targets: ["CoreData"]),
  ],
  targets: targets
)
