import Adwaita

/// What Keyway draws around every page: which provider asks, for which site, and the button that cancels.
@MainActor
final class SheetFrame {
    let cancel: Button
    private let provider: Label
    private let line: Box
    /// The site stands in a label of its own, between the words around it: in a sentence from right to left, what is
    /// left out of its beginning would look like its end.
    private let service: Label
    private let before: Label
    private let after: Label
    private let identity: Label
    private let debugged: Label
    private let working: Spinner
    private let language: SheetLanguage

    init(_ file: InterfaceFile, _ language: SheetLanguage) throws(DesktopError) {
        cancel = try file.object("cancel")
        provider = try file.object("provider")
        line = try file.object("service-line")
        service = try file.object("service")
        before = try file.object("service-before")
        after = try file.object("service-after")
        identity = try file.object("identity")
        debugged = try file.object("debugged")
        working = try file.object("working")
        self.language = language
        cancel.title = language.text(.cancel)
        working.setAccessibleName(language.text(.working))
    }

    func show(_ header: SheetHeader, _ window: Window) {
        provider.text = header.name
        provider.setTooltip(header.name)
        let words = language.words(around: .forSite)
        show(header.isConfiguration ? language.text(.setUp) : header.service == nil ? "" : words.before, in: before)
        show(header.isConfiguration ? "" : header.service ?? "", in: service)
        show(header.isConfiguration || header.service == nil ? "" : words.after, in: after)
        line.isVisible = header.isConfiguration || header.service != nil
        service.setTooltip(header.service)
        identity.text =
            header.identifier.map { language.text(.shownFor, ["identifier": $0]) } ?? language.text(.askedByKeyway)
        identity.setTooltip(header.identifier)
        show(header.isDebugged ? language.text(.debugged, ["provider": header.name]) : "", in: debugged)
        window.setStyle("sheet-system", header.identifier == nil)
        window.title = title(header)
    }

    private func show(_ text: String, in label: Label) {
        label.text = text
        label.isVisible = !text.isEmpty
    }

    func setWorking(_ isWorking: Bool) {
        working.isVisible = isWorking
        working.isSpinning = isWorking
    }

    /// What the list of windows and a screen reader call the window.
    private func title(_ header: SheetHeader) -> String {
        if header.isConfiguration { return language.text(.windowSetUp, ["provider": header.name]) }
        guard let service = header.service else { return header.name }
        return language.text(.windowForSite, ["provider": header.name, "site": service])
    }
}
