import Bytes
import Conversion
import Diagnostics
import ObjectModel
import Records

/// One reading of a step's input; a step with relationships to its own entity has two.
struct Pass {
  /// What its records become.
  enum Work {
    case objects(ImportPlan)
    case ownLinks(ImportPlan)
    case links(LinkTablePlan)
  }

  let name: String
  let step: StepConfiguration
  let folder: String
  let model: NSManagedObjectModel
  let work: Work
  let chunk: Int

  /// The passes of all steps, in order; every input is opened once, so that nothing is read before all of it fits.
  static func all(
    of steps: [StepConfiguration], in folder: String, model: NSManagedObjectModel, chunk: Int
  ) throws(Diagnostic) -> [Pass] {
    var passes: [Pass] = []
    var names: Set<String> = []
    for step in steps {
      let base = step.name ?? step.read.baseName
      // Steps of one name would share a reject file.
      var name = base
      var number = 2
      while !names.insert(name).inserted {
        name = "\(base)-\(number)"
        number += 1
      }
      let make = { Pass(name: $0, step: step, folder: folder, model: model, work: $1, chunk: chunk) }
      do throws(Diagnostic) {
        let reader = try step.makeReader(in: folder, model: model)
        switch try step.target(in: model) {
        case .entity(let entity):
          let plan = try ImportPlan(step, entity: entity, reader: reader)
          passes.append(make(name, .objects(plan)))
          if !plan.ownLinks.isEmpty {
            if step.read.isStandardInput {
              throw .standardInputTwice(name, why: "links to the step's own entity need a second pass")
            }
            passes.append(make(name + ".links", .ownLinks(plan)))
          }
        case .link(let link, let entity):
          passes.append(make(name, .links(try LinkTablePlan(step, link, entity: entity, reader: reader))))
        }
      } catch {
        throw error.inStep(name, of: steps.count)
      }
    }
    return passes
  }

  /// A reader at the beginning of the input.
  func makeReader() throws(Diagnostic) -> any RecordReader { try step.makeReader(in: folder, model: model) }

  /// What works on the chunks.
  func makeProcessor(_ reader: any RecordReader) throws(Diagnostic) -> any ChunkProcessor {
    switch work {
    case .objects(let plan): ImportProcessor(plan, chunk: chunk)
    case .ownLinks(let plan): OwnLinksProcessor(plan, chunk: chunk)
    case .links(let plan): LinkProcessor(plan)
    }
  }

  /// The rule for records whose key exists, where there is one.
  var conflictRule: ConflictRule? {
    if case .objects(let plan) = work { plan.rule } else { nil }
  }

  /// What conversion has to say, once.
  func takeWarnings() -> [Diagnostic] {
    if case .objects(let plan) = work { plan.converter.takeWarnings() } else { [] }
  }

  /// What tells the input from another file of the same name.
  var inputIdentity: String {
    let path = step.read.path(in: folder)
    guard let identity = FileIdentity(path: path) else { return path }
    return "\(path) \(identity.size) \(identity.modified)"
  }
}

extension StepConfiguration {
  /// What a step fills.
  enum Target {
    case entity(NSEntityDescription)
    case link(LinkConfiguration, NSEntityDescription)
  }

  func target(in model: NSManagedObjectModel) throws(Diagnostic) -> Target {
    switch (entity, link) {
    case (let name?, nil):
      let found = try model.entity(named: name)
      if found.isAbstract { throw .abstractEntity(name) }
      return .entity(found)
    case (nil, let link?): return .link(link, try model.entity(named: link.entity))
    case (nil, nil): throw .stepWithoutTarget(name ?? read.baseName)
    case (_?, _?): throw .stepWithTwoTargets(name ?? read.baseName)
    }
  }

  /// A reader of the columns that the step uses.
  func makeReader(in folder: String, model: NSManagedObjectModel) throws(Diagnostic) -> any RecordReader {
    try read.makeReader(in: folder, wanted: wantedColumns(model))
  }

  /// The columns that a step asks for; a reader of XML has no others.
  private func wantedColumns(_ model: NSManagedObjectModel) -> [String] {
    var wanted: [String] = []
    func want(_ column: String?) {
      if let column, !wanted.contains(column) { wanted.append(column) }
    }
    for (_, mapping) in map.sorted(by: { $0.key < $1.key }) {
      want(mapping.column)
      for column in mapping.columns ?? [] { want(column) }
    }
    for (_, mapping) in relationships.sorted(by: { $0.key < $1.key }) { want(mapping.column) }
    for column in [link?.from.column, link?.to.column, link?.order] { want(column) }
    if let entity = entity.flatMap({ model.entitiesByName[$0] }) {
      for (name, attribute) in entity.attributesByName.sorted(by: { $0.key < $1.key }) where map[name] == nil {
        want(attribute.importName ?? name)
      }
    }
    return wanted
  }
}

extension NSManagedObjectModel {
  /// An entity by name.
  func entity(named name: String) throws(Diagnostic) -> NSEntityDescription {
    guard let entity = entitiesByName[name] else { throw .noSuchEntity(name, known: Array(entitiesByName.keys)) }
    return entity
  }
}
