import Batch
import Bytes
import Diagnostics
import Foundation
import ObjectModel

/// `gantry check` of a pipeline file: the file itself, the shadow attributes of its model as its steps map them, how rows of an older
/// version are mapped forward, and what the step `migrate` would do with the store.
enum CheckPipelineCommand {
  static func findings(_ path: String, _ console: Console) throws -> [Diagnostic] {
    let pipeline = try PipelineFile.read(path)
    let folder = FileSystem.folder(of: path)
    let store = FileSystem.path(pipeline.store, in: folder)
    let versions = try ImportVersions(of: pipeline, in: folder)
    let model = versions.inputModel
    for entity in pipeline.steps.compactMap({ $0.entity ?? $0.link?.entity })
    where model.entitiesByName[entity] == nil {
      throw Diagnostic.noSuchEntity(entity, known: Array(model.entitiesByName.keys))
    }
    let forward = try versions.forward(intoExisting: FileSystem.exists(store))
    for step in pipeline.steps { _ = try forward?.step(step) }
    var findings = try CheckModelCommand.shadowFindings(of: model, told: pipeline.toldKinds, console)
    if let upgrade = try versions.upgrade(of: URL(fileURLWithPath: store)) {
      console.note("\(pipeline.store): \(upgrade.summary)")
      if let obstacle = upgrade.obstacle { findings.append(obstacle) }
    }
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
