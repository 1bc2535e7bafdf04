import ObjectModel
import Values

/// A small model with every kind of relationship.
///
/// A department has employees (one-to-many, nullify), an employee a desk (one-to-one) and projects (many-to-many); a project has
/// tasks in order (cascade) and watchers in order (many-to-many); a boss is an employee with reports that forbid its deletion;
/// a list has notes that do not know it (no inverse); people are friends (their own inverse).
enum CompanyModel {
  static func make() -> NSManagedObjectModel {
    let person = entity("Person", [attribute("name", .stringAttributeType, optional: false), attribute("email")])
    person.uniquenessConstraints = [["email"]]
    let age = attribute("age", .integer16AttributeType)
    age.limits.minimum = .integer(16)
    age.limits.maximum = .integer(99)
    let active = attribute("active", .booleanAttributeType)
    active.defaultValue = .boolean(true)
    let color = attribute("color", .undefinedAttributeType)
    color.isTransient = true
    let label = attribute("label")
    label.isTransient = true
    label.defaultValue = .string("plain")
    let place = NSCompositeAttributeDescription()
    place.name = "place"
    place.attributeType = .compositeAttributeType
    place.elements = [attribute("town"), attribute("floor", .integer32AttributeType)]
    let employee = entity(
      "Employee",
      [
        age, active, color, label, place, attribute("badge", .UUIDAttributeType), attribute("born", .dateAttributeType),
        attribute("photo", .binaryDataAttributeType), attribute("rating", .doubleAttributeType),
        attribute("salary", .decimalAttributeType), attribute("serial", .integer64AttributeType),
        attribute("site", .URIAttributeType), attribute("weight", .floatAttributeType),
      ])
    let boss = entity("Boss", [attribute("title")])
    employee.subentities = [boss]
    person.subentities = [employee]
    let department = entity("Department", [attribute("name", optional: false), attribute("code")])
    let desk = entity("Desk", [attribute("number", .integer64AttributeType)])
    let project = entity("Project", [attribute("name")])
    let task = entity("Task", [attribute("name")])
    let list = entity("List", [attribute("name")])
    let note = entity("Note", [attribute("text")])

    relate(employee, "department", department, "employees", many: (false, true))
    relate(employee, "desk", desk, "owner", many: (false, false))
    relate(employee, "projects", project, "members", many: (true, true))
    let watchers = relate(project, "watchers", employee, "watched", many: (true, true))
    watchers.isOrdered = true
    let tasks = relate(project, "tasks", task, "project", many: (true, false), rule: .cascadeDeleteRule)
    tasks.isOrdered = true
    tasks.inverseRelationship?.isOptional = false
    relate(boss, "reports", employee, "boss", many: (true, false), rule: .denyDeleteRule)
    let notes = NSRelationshipDescription()
    notes.name = "notes"
    notes.maxCount = 2
    notes.destinationEntity = note
    list.properties += [notes]
    let friends = NSRelationshipDescription()
    friends.name = "friends"
    friends.maxCount = 0
    friends.destinationEntity = person
    friends.inverseRelationship = friends
    person.properties += [friends]
    department.uniquenessConstraints = [["name"]]

    let model = NSManagedObjectModel()
    model.entities = [boss, department, desk, employee, list, note, person, project, task]
    return model
  }

  static func entity(_ name: String, _ properties: [NSPropertyDescription]) -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = name
    entity.properties = properties
    return entity
  }

  static func attribute(
    _ name: String, _ type: NSAttributeType = .stringAttributeType, optional: Bool = true
  ) -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    attribute.name = name
    attribute.attributeType = type
    attribute.isOptional = optional
    return attribute
  }

  @discardableResult static func relate(
    _ source: NSEntityDescription, _ name: String, _ destination: NSEntityDescription, _ inverseName: String,
    many: (Bool, Bool), rule: NSDeleteRule = .nullifyDeleteRule
  ) -> NSRelationshipDescription {
    let there = NSRelationshipDescription()
    there.name = name
    there.maxCount = many.0 ? 0 : 1
    there.destinationEntity = destination
    there.deleteRule = rule
    let back = NSRelationshipDescription()
    back.name = inverseName
    back.maxCount = many.1 ? 0 : 1
    back.destinationEntity = source
    there.inverseRelationship = back
    back.inverseRelationship = there
    source.ownProperties += [there]
    destination.ownProperties += [back]
    return there
  }
}
