import Bytes
import Diagnostics
import Foundation
import ObjectModel

extension Command {
  static let modelGenerate = Command(
    words: ["model", "generate"], operands: "MODEL DIR",
    summary: "Write a Swift class for each entity that names one; your own parts of the classes stay.",
    options: [modelVersionOption]
  ) { arguments, console in
    let model = try openModel(arguments, console)
    let generator = try ClassGenerator(model)
    for entity in generator.plain {
      console.warn(Diagnostic.entityWithoutClass(entity))
    }
    let folder = arguments.operands[1]
    try FileSystem.makeFolder(folder)
    for file in generator.files {
      let path = FileSystem.path(file.name, in: folder)
      if file.isKept, FileSystem.exists(path) { continue }
      let writer = try FileWriter(path)
      try writer.write(file.text)
      try writer.sync()
    }
    return .done
  }
}

extension Diagnostic {
  fileprivate static func entityWithoutClass(_ entity: NSEntityDescription) -> Diagnostic {
    Diagnostic(
      Code("model.no-class", .warning), "the entity \(entity.name ?? "") names no class, and gets none",
      hint: "Give it one in the model (Xcode: Class, Name).")
  }
}
