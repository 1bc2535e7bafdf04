import Batch
import Bytes
import Diagnostics
import Foundation
import ObjectModel

/// `gantry check` of a pipeline file: the file itself, the shadow attributes of its model as its steps map them, its steps beside
/// the columns of their inputs, how rows of an older version are mapped forward, and what the step `migrate` would do with the store.
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
    // Steps look for each other's names, so that they are compared with all of their inputs or with none.
    let missing = pipeline.steps.first { step in
      step.read.isStandardInput || !FileSystem.exists(step.read.path(in: folder))
    }
    if missing == nil {
      try BatchRun.check(
        pipeline.steps, in: folder, model: forward == nil ? versions.inputModel : versions.model, forward: forward)
    }
    var findings = try CheckModelCommand.shadowFindings(of: model, told: pipeline.toldKinds, console)
    if let upgrade = try versions.upgrade(of: URL(fileURLWithPath: store)) {
      console.note("\(pipeline.store): \(upgrade.summary)")
      if let obstacle = upgrade.obstacle { findings.append(obstacle) }
    }
    if findings.isEmpty {
      let compared =
        missing.map { step in
          step.read.isStandardInput
            ? "the step \(step.effectiveName) reads standard input, so that an import compares the columns"
            : "\(step.read.path(in: folder)) is not there, so that an import compares the columns"
        } ?? "and fits the columns of its inputs"
      console.note("\(path): sound\(missing == nil ? ", " : "; ")\(compared)")
    }
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
