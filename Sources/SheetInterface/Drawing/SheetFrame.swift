import Adwaita

/// What the system itself draws around every page: who asks, for which site, and the button that cancels.
@MainActor
final class SheetFrame {
    let cancel: Button
    private let provider: Label
    private let service: Label
    private let identity: Label
    private let working: Spinner
    private let language: SheetLanguage

    init(_ file: InterfaceFile, _ language: SheetLanguage) throws(DesktopError) {
        cancel = try file.object("cancel")
        provider = try file.object("provider")
        service = try file.object("service")
        identity = try file.object("identity")
        working = try file.object("working")
        self.language = language
        cancel.title = language.text(.cancel)
        working.setAccessibleName(language.text(.working))
    }

    func show(_ header: SheetHeader, _ window: Window) {
        provider.text = header.name
        provider.setTooltip(header.name)
        let line =
            header.isConfiguration
            ? language.text(.setUp) : header.service.map { language.text(.forSite, ["site": $0]) }
        service.text = line ?? ""
        service.isVisible = line != nil
        service.setTooltip(header.service)
        identity.text =
            header.identifier.map { language.text(.shownFor, ["identifier": $0]) } ?? language.text(.askedByKeyway)
        identity.setTooltip(header.identifier)
        window.setStyle("sheet-system", header.identifier == nil)
        window.title = title(header)
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
