import AutoFillProtocol
package import KeywaySystem

/// Everything that decides what the screen shows. Drawing it is a function of this and of the size, and of nothing else.
package struct ScreenState {
    enum Content {
        case list(PickerState)
        case form(FormState)
        case message(MessageState)
        case progress(InterfaceProgress)
    }

    private(set) var presentation: Presentation
    private(set) var content: Content
    /// Whether the provider is at work on what the person did last: until it shows something else, nothing is taken
    /// but the end.
    package private(set) var isWorking = false
    /// Counts the turns of the spinner.
    package private(set) var turns = 0

    /// What `presentation` looks like at first.
    package init(_ presentation: Presentation) {
        self.presentation = presentation
        content = Self.content(of: presentation)
    }

    /// Whether something moves on its own.
    package var isAnimated: Bool {
        if case .progress = content { return true }
        return isWorking
    }

    /// Takes what the provider shows now. A list that is replaced keeps what the person typed to search it; a form
    /// that did not change keeps what stands in it.
    ///
    /// - Returns: what follows from it, where the person had already pressed a key that waited for it.
    package mutating func update(_ presentation: Presentation) -> Reaction {
        let before = self.presentation
        self.presentation = presentation
        let wasWorking = isWorking
        isWorking = false
        switch (content, presentation.interface) {
        case (.list(var picker), .list(let list)):
            let reaction = picker.update(list)
            content = .list(picker)
            if case .event = reaction { isWorking = true }
            return reaction
        case (.form, _) where before == presentation && !wasWorking: return .none
        default:
            wipe()
            content = Self.content(of: presentation)
            return .redraw
        }
    }

    /// Takes a key on a screen of `size`.
    ///
    /// - Throws: ``ProtocolError`` with the code `system` when a secret cannot be handed over.
    package mutating func handle(_ key: Key, size: ScreenSize) throws(ProtocolError) -> Reaction {
        switch key {
        case .control("c"), .control("\\"): return .abandon
        case .control("z"): return .suspend
        case .control("l"): return .redraw
        case .escape, .control("g"): return .event(.cancelled)
        default: break
        }
        guard !isWorking else { return .none }
        let reaction = try handleInContent(key, size: size)
        if case .event(let event) = reaction, event.startsWork { isWorking = true }
        return reaction
    }

    /// Moves what moves on its own.
    package mutating func turn() { turns += 1 }

    /// Wipes every secret that was typed and not handed over.
    package func wipe() {
        if case .form(let form) = content { form.wipe() }
    }

    private mutating func handleInContent(_ key: Key, size: ScreenSize) throws(ProtocolError) -> Reaction {
        let page = PickerState.page(height: Self.bodyHeight(size))
        switch content {
        case .list(var picker):
            defer { content = .list(picker) }
            return picker.handle(key, page: page)
        case .form(var form):
            defer { content = .form(form) }
            return try form.handle(key)
        case .message(var message):
            defer { content = .message(message) }
            return message.handle(key, page: page)
        case .progress: return .none
        }
    }

    private static func content(of presentation: Presentation) -> Content {
        switch presentation.interface {
        case .list(let list): .list(PickerState(list))
        case .form(let form): .form(FormState(form))
        case .message(let message): .message(MessageState(message, cancelsFirst: presentation.cancelsFirst))
        case .progress(let progress): .progress(progress)
        }
    }
}

extension InterfaceEvent {
    /// Whether the provider now has something to do that another key would only disturb.
    fileprivate var startsWork: Bool {
        switch self {
        case .chose, .submitted, .activated: true
        case .searched, .cancelled: false
        }
    }
}
