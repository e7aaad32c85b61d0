package import Adwaita
package import AutoFillProtocol
import KeywaySystem

/// What the person did with a sheet.
package enum SheetAnswer: Sendable {
    /// Something that whoever described the interface is told.
    case event(InterfaceEvent)
    /// Yes, to a question of the system's own.
    case allowed
    /// No, by the button that says so.
    case refused
    /// No, for good.
    case never
    /// The person backed out: Escape, the button that cancels, the close button.
    case cancelled
}

/// The window in which every sheet is shown. It is made once and hidden in between, so that it is there at once.
@MainActor
package final class SheetWindow {
    static let width: Int32 = 420
    /// The width of what stands in it, in pixels: less where the desktop draws no shadows, but a frame.
    static let contentWidth: Int32 = 408

    /// The window itself.
    package let window: Window
    private let language: SheetLanguage
    private let answer: @MainActor (SheetAnswer) -> Void
    private let frame: SheetFrame
    private let pages: Stack
    private let list: ListPage
    private let form: FormPage
    private let message: MessagePage
    private let decision: DecisionPage
    private let progress: ProgressPage
    private var model: SheetModel?

    /// A hidden window that tells `answer` what the person did.
    ///
    /// - Throws: ``DesktopError`` with the code `interfaceFile`: never with the file that is part of the program.
    package init(
        language: SheetLanguage, timer: any SheetTimer = DesktopTimer(),
        answer: @escaping @MainActor (SheetAnswer) -> Void
    ) throws(DesktopError) {
        let file = try InterfaceFile(PackageResources.sheet_ui)
        self.language = language
        self.answer = answer
        window = try file.object("window")
        pages = try file.object("pages")
        frame = try SheetFrame(file, language)
        list = try ListPage(file, language)
        form = try FormPage(file, language)
        message = try MessagePage(file)
        decision = try DecisionPage(file, language, timer: timer)
        progress = try ProgressPage(file)
        connect()
        // While nothing is asked for: a window that is wanted is there sooner.
        Desktop.whenIdle { [weak self] in self?.decision.prepare() ?? false }
    }

    /// Shows `sheet` in place of whatever was there, and comes to the front.
    package func open(_ sheet: Sheet) {
        model = SheetModel(sheet)
        draw(isFresh: true)
        window.present()
        focusFirst()
    }

    /// Shows what `sheet` has become: what the person typed and where the keys go stays, as far as it still means
    /// something.
    package func update(_ sheet: Sheet) {
        guard let change = model?.update(sheet) else { return open(sheet) }
        switch change {
        case .none: break
        case .update: draw(isFresh: false)
        case .replace:
            draw(isFresh: true)
            focusFirst()
        case .event(let event):
            draw(isFresh: false)
            answer(.event(event))
        }
    }

    /// Takes everything away; secrets that were typed are overwritten.
    package func hide() {
        model = nil
        form.clear()
        list.clear()
        decision.clear()
        window.isVisible = false
    }

    // MARK: - What the person does

    private func connect() {
        window.onCloseRequest { [weak self] in self?.answer(.cancelled) }
        frame.cancel.on("clicked") { [weak self] in self?.answer(.cancelled) }
        list.onStop = { [weak self] in self?.answer(.cancelled) }
        window.onKey { [weak self] key in
            guard key.name == .escape else { return false }
            self?.answer(.cancelled)
            return true
        }
        window.onKey(isFirst: true) { [weak self] key in self?.moveSelection(key) ?? false }
        list.onSearch = { [weak self] text in self?.react { $0.search(text) } }
        list.onSelect = { [weak self] index in self?.model?.select(index) }
        list.onChoose = { [weak self] in self?.react { $0.choose() } }
        form.onSubmit = { [weak self] in self?.submit() }
        message.onPress = { [weak self] action in self?.react { $0.press(action) } }
        decision.onAnswer = { [weak self] in self?.answer($0) }
        // Whoever comes back to the window needs a moment again to see what it asks.
        window.onActivation { [weak self] in self?.decision.considerAgain() }
        window.on("map") { [weak self] in self?.decision.considerAgain() }
    }

    private func react(_ body: (inout SheetModel) -> SheetReaction) {
        guard var model else { return }
        let reaction = body(&model)
        self.model = model
        switch reaction {
        case .none: break
        case .redraw: draw(isFresh: false)
        case .event(let event):
            drawWorking()
            answer(.event(event))
        }
    }

    private func submit() {
        guard let model, !model.isWorking, form.mayBeSubmitted() else { return }
        do throws(ProtocolError) {
            let values = try form.takeValues()
            react { $0.submit(values) }
        } catch {
            // No memory file is to be had: the request cannot go on.
            answer(.cancelled)
        }
    }

    /// Moves the selection of the list while the keys go to the search field.
    private func moveSelection(_ key: Key) -> Bool {
        guard case .list = model?.content, !key.isModified, list.takesKeysForSelection else { return false }
        let step: Int
        switch key.name {
        case .up: step = -1
        case .down: step = 1
        case .pageUp: step = -ListPage.page
        case .pageDown: step = ListPage.page
        case .escape, .enter, .other: return false
        }
        react { $0.move(by: step) }
        return true
    }

    // MARK: - Drawing

    private func draw(isFresh: Bool) {
        guard let model else { return }
        frame.show(model.sheet.header, window)
        switch model.content {
        case .list(let content):
            pages.shown = "list"
            list.show(content, isFresh: isFresh)
        case .form(let content):
            pages.shown = "form"
            form.show(content, isFresh: isFresh, newSecret: model.sheet.newSecret)
        case .message(let content):
            pages.shown = "message"
            message.show(content)
        case .decision(let content):
            pages.shown = "decision"
            decision.show(content)
        case .progress(let content):
            pages.shown = "progress"
            progress.show(content)
        }
        if isFresh {
            if case .form = model.content {} else { form.clear() }
            if case .list = model.content {} else { list.clear() }
            if case .decision = model.content {} else { decision.clear() }
        }
        // As high as the content needs now: what is read must not have to be scrolled to.
        window.setDefaultSize(width: Self.width, height: -1)
        drawWorking()
    }

    /// Gives the keys to what they are most likely meant for. Only what is on the screen takes them.
    private func focusFirst() {
        switch model?.content {
        case .list(let content): list.focusFirst(content)
        case .form: form.focusFirst()
        case .decision: decision.focusFirst()
        case .message: if !message.focusFirst() { frame.cancel.grabFocus() }
        // Not the button that cancels: whoever still types must not press it with a space.
        case .progress, nil: window.clearFocus()
        }
    }

    private func drawWorking() {
        let isWorking = model?.isWorking ?? false
        frame.setWorking(isWorking)
        form.setWorking(isWorking)
        message.setWorking(isWorking)
    }
}
