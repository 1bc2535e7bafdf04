// Foundation on Linux has no undo manager; elsewhere its own is used.
#if !canImport(ObjectiveC)
  /// Keeps what undoes changes, step by step.
  ///
  /// Steps are kept in groups, each of which is undone as one. With `groupsByEvent` a group is begun by the first step of an
  /// event and ended with it; contexts end events by `processPendingChanges()`, as there is no run loop.
  ///
  /// Source: Apple, Foundation, `UndoManager`.
  public final class UndoManager {
    private final class Group {
      enum Step {
        case action(target: ObjectIdentifier, undo: () -> Void)
        case group(Group)
      }
      var steps: [Step] = []
      var actionName = ""
    }

    /// Whether the first step of an event begins a group. The default is true.
    public var groupsByEvent = true
    /// How many groups are kept to be undone; 0 is no limit, the default.
    public var levelsOfUndo = 0 {
      didSet { trim() }
    }
    /// Whether an undo is going on.
    public private(set) var isUndoing = false
    /// Whether a redo is going on.
    public private(set) var isRedoing = false
    /// How many groups are open.
    public var groupingLevel: Int { open.count }
    /// Whether steps are taken.
    public var isUndoRegistrationEnabled: Bool { disabledCount == 0 }

    private var undoGroups: [Group] = []
    private var redoGroups: [Group] = []
    private var open: [Group] = []
    /// Whether the outermost group was begun by an event.
    private var isOpenByEvent = false
    private var disabledCount = 0
    private struct Member { weak var context: NSManagedObjectContext? }
    private var members: [Member] = []

    /// Makes one that has nothing to undo.
    public init() {}

    // MARK: Groups

    /// Begins a group, which may be in another.
    public func beginUndoGrouping() {
      processMembers()
      open.append(Group())
    }

    /// Ends the group begun last.
    public func endUndoGrouping() {
      processMembers()
      precondition(!open.isEmpty, "endUndoGrouping without a beginUndoGrouping")
      closeGroup()
    }

    private func closeGroup() {
      let group = open.removeLast()
      if open.isEmpty { isOpenByEvent = false }
      guard !group.steps.isEmpty else { return }
      if let outer = open.last {
        outer.steps.append(.group(group))
      } else if isUndoing {
        redoGroups.append(group)
      } else {
        undoGroups.append(group)
        if !isRedoing { redoGroups = [] }
        trim()
      }
    }

    /// Ends the group that an event began.
    func endEvent() {
      if isOpenByEvent, open.count == 1 { closeGroup() }
    }

    private func trim() {
      guard levelsOfUndo > 0 else { return }
      undoGroups.removeFirst(max(0, undoGroups.count - levelsOfUndo))
      redoGroups.removeFirst(max(0, redoGroups.count - levelsOfUndo))
    }

    // MARK: Steps

    /// Takes a step: what undoes a change of a target, which is held weakly.
    ///
    /// Without `groupsByEvent` a group must be open: anything else is a programmer's mistake.
    public func registerUndo<Target: AnyObject>(withTarget target: Target, handler: @escaping (Target) -> Void) {
      guard isUndoRegistrationEnabled else { return }
      if open.isEmpty {
        precondition(groupsByEvent, "without groupsByEvent begin a group before a step is registered")
        open.append(Group())
        isOpenByEvent = true
      }
      if !isUndoing, !isRedoing { redoGroups = [] }
      let undo = { [weak target] in
        if let target { handler(target) }
      }
      open[open.count - 1].steps.append(.action(target: ObjectIdentifier(target), undo: undo))
    }

    /// Takes no steps until `enableUndoRegistration()`; calls may be nested.
    public func disableUndoRegistration() {
      processMembers()
      disabledCount += 1
    }

    /// Ends what `disableUndoRegistration()` began.
    public func enableUndoRegistration() {
      processMembers()
      precondition(disabledCount > 0, "enableUndoRegistration without a disableUndoRegistration")
      disabledCount -= 1
    }

    /// Forgets all steps.
    public func removeAllActions() {
      undoGroups = []
      redoGroups = []
      open = open.map { _ in Group() }
    }

    /// Forgets all steps of a target.
    public func removeAllActions(withTarget target: Any) {
      let id = ObjectIdentifier(target as AnyObject)
      func without(_ group: Group) -> Group? {
        group.steps = group.steps.compactMap { step in
          switch step {
          case .action(let target, _): target == id ? nil : step
          case .group(let inner): without(inner).map { .group($0) }
          }
        }
        return group.steps.isEmpty ? nil : group
      }
      undoGroups = undoGroups.compactMap(without)
      redoGroups = redoGroups.compactMap(without)
      for group in open { _ = without(group) }
    }

    // MARK: Undoing

    /// Whether there is a group to undo.
    public var canUndo: Bool {
      processMembers()
      return !undoGroups.isEmpty || open.contains { !$0.steps.isEmpty }
    }

    /// Whether there is a group to redo.
    public var canRedo: Bool {
      processMembers()
      return !redoGroups.isEmpty
    }

    /// Ends the open group, if it is the only one, and undoes the last group.
    public func undo() {
      processMembers()
      if open.count == 1 { closeGroup() }
      undoNestedGroup()
    }

    /// Undoes the last group. Open groups must be ended before.
    public func undoNestedGroup() {
      processMembers()
      endEvent()
      precondition(open.isEmpty, "end all groups before undoing")
      guard let group = undoGroups.popLast() else { return }
      isUndoing = true
      perform(group)
      isUndoing = false
    }

    /// Redoes what was undone last.
    public func redo() {
      processMembers()
      endEvent()
      precondition(open.isEmpty, "end all groups before redoing")
      guard let group = redoGroups.popLast() else { return }
      isRedoing = true
      perform(group)
      isRedoing = false
    }

    private func perform(_ group: Group) {
      open.append(Group())
      open[0].actionName = group.actionName
      run(group)
      processMembers()
      closeGroup()
    }

    private func run(_ group: Group) {
      for step in group.steps.reversed() {
        switch step {
        case .action(_, let undo): undo()
        case .group(let inner): run(inner)
        }
      }
    }

    // MARK: Names

    /// Names what the open group, or the last one, does.
    public func setActionName(_ actionName: String) { (open.first ?? undoGroups.last)?.actionName = actionName }
    /// The name of what would be undone.
    public var undoActionName: String { (open.first ?? undoGroups.last)?.actionName ?? "" }
    /// The name of what would be redone.
    public var redoActionName: String { redoGroups.last?.actionName ?? "" }

    // MARK: Contexts

    func join(_ context: NSManagedObjectContext) { members.append(Member(context: context)) }
    func leave(_ context: NSManagedObjectContext) {
      members.removeAll { $0.context == nil || $0.context === context }
    }

    /// What contexts have not told yet belongs to what was done until now.
    private func processMembers() { for member in members { member.context?.processChanges() } }
  }
#else
  public import Foundation

  extension UndoManager {
    // Foundation's manager ends events by the run loop.
    func endEvent() {}
    func join(_ context: NSManagedObjectContext) {}
    func leave(_ context: NSManagedObjectContext) {}
  }
#endif
