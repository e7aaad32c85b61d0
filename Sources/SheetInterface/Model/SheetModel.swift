package import AutoFillProtocol

/// The state that decides what the window shows, except for the fields of a form: secrets stay in the memory of the
/// widget that they are typed into.
package struct SheetModel: Sendable {
    /// What is shown.
    package enum Content: Sendable {
        case list(ListModel)
        case form(InterfaceForm)
        case message(InterfaceMessage)
        case progress(InterfaceProgress)
        case decision(Decision)
    }

    /// How the window gets from what it shows to what it is to show.
    package enum Change: Sendable {
        /// It shows that already.
        case none
        /// The same kind of page: widgets that mean the same stay, with focus and text.
        case update
        /// Another page, or one with other fields: nothing of the former stays.
        case replace
        /// The person pressed Enter for this before it came.
        case event(InterfaceEvent)
    }

    /// What was shown last, as it came.
    package private(set) var sheet: Sheet
    /// What is shown.
    package private(set) var content: Content
    /// Whether whoever asked is at work on what the person did last: until something else is shown, nothing is taken but
    /// the end.
    package private(set) var isWorking = false

    /// What `sheet` looks like at first.
    package init(_ sheet: Sheet) {
        self.sheet = sheet
        content = Self.content(of: sheet)
    }

    /// Takes what is shown now. A list that is replaced keeps what the person typed to search it; a form keeps what
    /// stands in its fields while they are the same.
    package mutating func update(_ sheet: Sheet) -> Change {
        let before = self.sheet
        self.sheet = sheet
        let wasWorking = isWorking
        isWorking = false
        guard case .interface(let interface) = sheet.content, before.header == sheet.header else {
            content = Self.content(of: sheet)
            return .replace
        }
        switch (content, interface) {
        case (.list(var model), .list(let list)):
            let reaction = model.update(list)
            content = .list(model)
            guard case .event(let event) = reaction else { return .update }
            isWorking = true
            return .event(event)
        case (.form(let shown), .form(let form)):
            content = .form(form)
            if shown == form && !wasWorking { return .none }
            return shown.fields == form.fields ? .update : .replace
        case (.progress, .progress(let progress)):
            content = .progress(progress)
            return .update
        default:
            content = Self.content(of: sheet)
            return .replace
        }
    }

    /// Takes what stands in the search field.
    package mutating func search(_ text: String) -> SheetReaction {
        inList { $0.search(text) }
    }

    /// Selects a row `step` rows further.
    package mutating func move(by step: Int) -> SheetReaction {
        inList { $0.move(by: step) }
    }

    /// Selects the entry at `index` of the list.
    package mutating func select(_ index: Int) {
        _ = inList {
            $0.select(index)
            return .none
        }
    }

    /// Chooses the selected row of the list.
    package mutating func choose() -> SheetReaction {
        begin(inList { $0.choose() })
    }

    /// Hands the form over.
    package mutating func submit(_ values: [String: InterfaceValue]) -> SheetReaction {
        guard !isWorking, case .form = content else { return .none }
        return begin(.event(.submitted(values)))
    }

    /// Presses a button of a message; one that the message does not have does nothing.
    package mutating func press(_ action: String) -> SheetReaction {
        guard !isWorking, case .message(let message) = content, message.actions.contains(where: { $0.id == action })
        else { return .none }
        return begin(.event(.activated(action: action)))
    }

    private mutating func inList(_ body: (inout ListModel) -> SheetReaction) -> SheetReaction {
        guard !isWorking, case .list(var list) = content else { return .none }
        let reaction = body(&list)
        content = .list(list)
        return reaction
    }

    private mutating func begin(_ reaction: SheetReaction) -> SheetReaction {
        if case .event = reaction { isWorking = true }
        return reaction
    }

    private static func content(of sheet: Sheet) -> Content {
        switch sheet.content {
        case .decision(let decision): .decision(decision)
        case .interface(.list(let list)): .list(ListModel(list))
        case .interface(.form(let form)): .form(form)
        case .interface(.message(let message)): .message(message)
        case .interface(.progress(let progress)): .progress(progress)
        }
    }
}
