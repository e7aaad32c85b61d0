import KeywaySystem

/// What the person is told on the desktop, without being asked anything.
struct DesktopNote: Hashable, Sendable {
    /// One line of ours.
    let title: String
    /// What happened; names in it may come from anybody, and are text and nothing else.
    let text: String
    /// What the button says that takes it back; nil where nothing can be.
    let undo: String?
    /// What is said besides where the desktop has no buttons.
    let elsewise: String
}

/// Where the person is told something that no window waits for. A seam: tests read what was told.
protocol DesktopNotifier: Sendable {
    /// Shows `note`; `undo` is called once at most, when the person chooses that.
    ///
    /// - Throws: ``ProtocolError`` with the code `system` when nothing could be shown; its message says why.
    func show(_ note: DesktopNote, undo: @escaping @Sendable () -> Void) async throws(ProtocolError)
}

/// A desktop on which nothing can be shown.
struct NoNotifier: DesktopNotifier {
    func show(_ note: DesktopNote, undo: @escaping @Sendable () -> Void) async throws(ProtocolError) {
        throw ProtocolError(.system, "There is no desktop to notify you on.")
    }
}
