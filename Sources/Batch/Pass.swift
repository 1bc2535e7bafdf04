import Bytes
import Conversion
package import Diagnostics
import ObjectGraph
package import ObjectModel
package import Records

/// One reading of a step's input; a step with relationships to its own entity has two.
struct Pass {
  /// What its records become.
  enum Work {
    case objects(ImportPlan)
    case ownLinks(ImportPlan)
    case links(LinkTablePlan)
    case linkCheck(ImportPlan)
  }

  let name: String
  let step: StepConfiguration
  let input: StepInput
  let work: Work
  /// The columns of the input that a reject file has added.
  let addedColumns: [String]

  /// The passes of all steps, in order; every input is opened once, so that nothing is read before all of it fits.
  ///
  /// - Parameter forward: how the records become rows of the model, if the steps are written for an older version.
  static func all(
    of steps: [StepConfiguration], model: NSManagedObjectModel, forward: ForwardTransfer? = nil,
    input: (StepConfiguration) -> StepInput
  ) throws(Diagnostic) -> [Pass] {
    var passes: [Pass] = []
    var names: Set<String> = []
    let hasNames = steps.contains { $0.id != nil }
    for step in steps {
      let base = step.effectiveName
      // The name is that of a file in the folder of rejects, and nowhere else.
      if base.isEmpty || base.contains("/") || base.contains("\0") { throw .stepName(base) }
      if base.utf8.count > RejectFile.longestStepName { throw .stepNameLength(base, RejectFile.longestStepName) }
      // Steps of one name would share a reject file.
      var name = base
      var number = 2
      while names.contains(name) || names.contains(name + ".links") {
        name = "\(base)-\(number)"
        number += 1
      }
      names.formUnion([name, name + ".links"])
      do throws(Diagnostic) {
        let input = input(step)
        let entity = step.entity.flatMap { (forward?.transfer.source ?? model).entitiesByName[$0] }
        let (work, added) = try input.plan { reader throws(Diagnostic) in
          let added = RejectFile.addedColumns(in: reader.columns, of: step, entity: entity)
          let work = try Work.all(
            of: step, model: model, forward, reader, without: added, folder: input.folderOfFiles, hasNames: hasNames)
          return (work, added)
        }
        for (work, suffix) in zip(work, ["", ".links"]) {
          passes.append(Pass(name: name + suffix, step: step, input: input, work: work, addedColumns: added))
        }
      } catch {
        throw error.inStep(name, of: steps.count)
      }
    }
    return passes
  }

  /// What works on the chunks.
  ///
  /// - Parameters:
  ///   - passedOver: the records that the step's first pass left out.
  ///   - names: the names that records give to their objects.
  func makeProcessor(passingOver passedOver: RecordNumbers, names: any ObjectNames) -> any ChunkProcessor {
    switch work {
    case .objects(let plan): ImportProcessor(plan, names: names)
    case .ownLinks(let plan): OwnLinksProcessor(plan, passingOver: passedOver, names: names)
    case .links(let plan): LinkProcessor(plan, names: names)
    case .linkCheck(let plan): LinkCheckProcessor(plan, names: names)
    }
  }

  /// What it fills.
  var target: String { step.entity ?? step.link.map { "\($0.entity).\($0.relationship)" } ?? "" }

  /// Whether it goes over records that a pass before has read.
  var isSecond: Bool {
    switch work {
    case .ownLinks, .linkCheck: true
    case .objects, .links: false
    }
  }

  /// The pass that looks at the links of a pass's named objects; nil if it names none.
  ///
  /// - Parameter round: the first looks at those that can have too few links; those after it, when some were removed, at
  ///   all.
  func linkCheck(round: Int) -> Pass? {
    guard case .objects(let plan) = work, plan.names != nil, round > 1 || plan.entity.hasLeastCounts else { return nil }
    return Pass(
      name: name + (round == 1 ? ".check" : ".check-\(round)"), step: step, input: input, work: .linkCheck(plan),
      addedColumns: addedColumns)
  }

  /// Whether another pass over the same records follows.
  var hasSecond: Bool { if case .objects(let plan) = work { !plan.ownLinks.isEmpty } else { false } }

  /// The rule for records whose key exists, where there is one.
  var conflictRule: ConflictRule? {
    if case .objects(let plan) = work { plan.rule } else { nil }
  }

  /// What conversion has to say, once.
  func takeWarnings() -> [Diagnostic] {
    if case .objects(let plan) = work { plan.converter.takeWarnings() } else { [] }
  }
}

extension Pass.Work {
  /// The work of a step's passes.
  fileprivate static func all(
    of step: StepConfiguration, model: NSManagedObjectModel, _ forward: ForwardTransfer?, _ reader: any RecordReader,
    without added: [String], folder: String, hasNames: Bool
  ) throws(Diagnostic) -> [Self] {
    let origin = step.entity.flatMap { forward?.transfer.source.entitiesByName[$0] }
    let step = try forward?.step(step) ?? step
    switch try step.target(in: model) {
    case .entity(let entity):
      let converter = try RecordConverter(
        step, entity: origin ?? entity, reader: reader, without: added, folder: folder, forward: forward)
      let plan = try ImportPlan(step, entity: entity, converter, reader: reader, hasNames: hasNames)
      return plan.ownLinks.isEmpty ? [.objects(plan)] : [.objects(plan), .ownLinks(plan)]
    case .link(let link, let entity):
      return [.links(try LinkTablePlan(step, link, entity: entity, reader: reader, hasNames: hasNames))]
    }
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
    case (nil, nil): throw .stepWithoutTarget(effectiveName)
    case (_?, _?): throw .stepWithTwoTargets(effectiveName)
    }
  }

  /// Whether the input is read through before its first record is written, so that nothing is kept of one that is broken
  /// anywhere: XML always, text where it can be read again.
  func mustBeWhole(in folder: String) -> Bool {
    guard read.keepPartial != true else { return false }
    return read.format == .xml || !read.isStandardInput && FileSystem.kind(of: read.path(in: folder)) == .file
  }

  /// How often the input is read.
  ///
  /// - Parameter isChecked: whether an input that must be whole is read through before its first record is written.
  func readings(in model: NSManagedObjectModel, folder: String, isChecked: Bool) -> Int {
    1 + (linkedLater ? 1 : 0) + (hasOwnLinks(in: model) ? 1 : 0) + (isChecked && mustBeWhole(in: folder) ? 1 : 0)
  }

  /// Whether the step links objects of its own entity, for which its input is read twice.
  func hasOwnLinks(in model: NSManagedObjectModel) -> Bool {
    guard let entity = entity.flatMap({ model.entitiesByName[$0] }) else { return false }
    return relationships.keys.contains {
      (entity.propertiesByName[$0] as? NSRelationshipDescription)?.destinationEntity.rootEntity === entity.rootEntity
    }
  }

  /// A reader of the columns that the step uses.
  package func makeReader(in folder: String, model: NSManagedObjectModel) throws(Diagnostic) -> any RecordReader {
    try read.makeReader(in: folder, wanted: wantedColumns(of: entity.flatMap { model.entitiesByName[$0] }))
  }

  /// The columns that a step asks for; a reader of XML has no others.
  ///
  /// - Parameter entity: the entity that it fills; nil for a step that links.
  func wantedColumns(of entity: NSEntityDescription?) -> [String] {
    var wanted: [String] = []
    func want(_ column: String?) {
      if let column, !wanted.contains(column) { wanted.append(column) }
    }
    want(id)
    for (_, mapping) in map.sorted(by: { $0.key < $1.key }) {
      want(mapping.column)
      for column in mapping.columns ?? [] { want(column) }
    }
    for (_, mapping) in relationships.sorted(by: { $0.key < $1.key }) { want(mapping.column) }
    for column in [link?.from.column, link?.to.column, link?.order] { want(column) }
    if let entity {
      // Of a transient attribute and its shadow one is asked for: the one that the step names, or else the transient one.
      let isNamed = { (name: String) in map[name] != nil || read.paths?[name] != nil }
      let stored = entity.layout.attributes
      let shadows = entity.layout.shadows.values.filter { !$0.isItsOwnShadow }
      let left = shadows.map { plan in
        let path = stored[plan.place].path
        return isNamed(path) && !isNamed(plan.attribute.name) ? plan.attribute.name : path
      }
      // What the store computes, and what is kept nowhere, is not asked for.
      let attributes =
        stored.filter { !($0.attribute is NSDerivedAttributeDescription) }.map { ($0.path, $0.attribute) }
        + shadows.map { ($0.attribute.name, $0.attribute) }
      for (name, attribute) in attributes.sorted(by: { $0.0 < $1.0 }) where map[name] == nil && !left.contains(name) {
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
