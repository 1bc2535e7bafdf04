import Bytes
import Diagnostics
import ObjectModel

/// `gantry check` of a pipeline file: the file itself, and the shadow attributes of its model as its steps map them.
enum CheckPipelineCommand {
  static func findings(_ path: String, _ console: Console) throws -> [Diagnostic] {
    let pipeline = try PipelineFile.read(path)
    let operand = ModelOperand(FileSystem.path(pipeline.model, in: FileSystem.folder(of: path)))
    let model = try operand.model(version: pipeline.version)
    for entity in pipeline.steps.compactMap({ $0.entity ?? $0.link?.entity })
    where model.entitiesByName[entity] == nil {
      throw Diagnostic.noSuchEntity(entity, known: Array(model.entitiesByName.keys))
    }
    let findings = try CheckModelCommand.shadowFindings(of: model, told: pipeline.toldKinds, console)
    if findings.isEmpty { console.note("\(path): sound; an import compares it with the columns of its inputs") }
    return findings
  }
}

extension Pipeline {
  /// The attributes by entity whose kind a mapping tells.
  fileprivate var toldKinds: [String: Set<String>] {
    steps.reduce(into: [:]) { told, step in
      guard let entity = step.entity else { return }
      told[entity, default: []].formUnion(step.map.filter { $0.value.kind != nil }.keys)
    }
  }
}
