package import Adwaita

/// Shows sheets, one at a time, in the order of ``SheetQueue``.
@MainActor
package final class SheetPresenter {
    private let tell: @MainActor (SheetID, SheetAnswer) -> Void
    private let onOpen: @MainActor (SheetID) -> Void
    private var queue = SheetQueue()
    private var shown: SheetID?
    private var made: SheetWindow?

    /// A presenter that tells `tell` what the person did with which sheet, and `onOpen` when one stands on the screen
    /// that did not before.
    ///
    /// - Throws: ``DesktopError`` with the code `interfaceFile`: never with the file that is part of the program.
    package init(
        language: SheetLanguage, onOpen: @escaping @MainActor (SheetID) -> Void = { _ in },
        tell: @escaping @MainActor (SheetID, SheetAnswer) -> Void
    ) throws(DesktopError) {
        self.tell = tell
        self.onOpen = onOpen
        Desktop.setTextDirection(language.isRightToLeft ? .rightToLeft : .leftToRight)
        Desktop.addStyle(String(decoding: PackageResources.sheet_css, as: UTF8.self))
        made = try SheetWindow(language: language) { [weak self] in self?.receive($0) }
    }

    /// The window, for tests and pictures.
    package var window: SheetWindow? { made }

    /// Whether there is nothing to show.
    package var isIdle: Bool { queue.count == 0 }

    /// Shows `sheet` for `id` from now on, as soon as it is its turn.
    ///
    /// - Returns: false when too many wait already.
    package func show(_ sheet: Sheet, for id: SheetID) -> Bool {
        guard queue.show(sheet, for: id) else { return false }
        if shown == id { made?.update(sheet) } else { showFront() }
        return true
    }

    /// Takes away what is shown for `id`: it has ended.
    package func end(_ id: SheetID) {
        queue.end(id)
        showFront()
    }

    private func receive(_ answer: SheetAnswer) {
        guard let id = shown else { return }
        switch answer {
        case .event: break
        case .allowed, .refused, .never, .cancelled:
            queue.close(id)
            showFront()
        }
        tell(id, answer)
    }

    private func showFront() {
        guard queue.front?.id != shown else { return }
        shown = queue.front?.id
        guard let (id, sheet) = queue.front else {
            made?.hide()
            return
        }
        made?.open(sheet)
        made?.window.afterNextFrame { [weak self] in self?.onOpen(id) }
    }
}
