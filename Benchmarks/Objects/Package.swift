// swift-tools-version: 6.2
// A package of its own, so that nobody who uses Gantry resolves or builds it.
import PackageDescription

let package = Package(
  name: "Objects",
  platforms: [.macOS(.v13)],
  dependencies: [.package(name: "Gantry", path: "../..")],
  targets: [
    .executableTarget(
      name: "Objects", dependencies: [.product(name: "CoreData", package: "Gantry")], path: ".", exclude: ["Peer"]),
    // The same SQL without anything around it.
    .executableTarget(name: "Peer", path: "Peer", linkerSettings: [.linkedLibrary("sqlite3")]),
  ])
