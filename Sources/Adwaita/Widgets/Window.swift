import CAdwaita

/// A window.
@MainActor
package final class Window: Widget {
    override class var type: GType { adw_window_get_type() }

    required init?(checking pointer: UnsafeMutableRawPointer?) { super.init(checking: pointer) }

    /// What the list of windows calls it.
    package var title: String {
        get { gtk_window_get_title(pointer()).map { String(cString: $0) } ?? "" }
        set { gtk_window_set_title(pointer(), newValue) }
    }

    /// Shows it in front of the others.
    package func present() {
        gtk_window_present(pointer())
    }

    /// Does what the close button does.
    package func close() {
        gtk_window_close(pointer())
    }

    /// Takes it away for good.
    package func destroy() {
        gtk_window_destroy(pointer())
    }

    /// Its size when it is shown next, in pixels before scaling; a height of -1 is what the content needs.
    package func setDefaultSize(width: Int32, height: Int32) {
        gtk_window_set_default_size(pointer(), width, height)
    }

    /// Whether keys go to it, and not to another window.
    package var isActive: Bool { gtk_window_is_active(pointer()) != 0 }

    /// Calls `body` whenever ``isActive`` has changed.
    @discardableResult
    package func onActivation(_ body: @escaping @MainActor () -> Void) -> SignalConnection {
        on("notify::is-active", body)
    }

    /// What Enter presses wherever nothing else wants it.
    package func setDefault(_ button: Button?) {
        gtk_window_set_default_widget(pointer(), button?.widget)
    }

    /// Takes the focus from everything in it.
    package func clearFocus() {
        gtk_window_set_focus(pointer(), nil)
    }

    /// Calls `body` when the close button is pressed, or the desktop wants the window closed. It does not close by itself.
    @discardableResult
    package func onCloseRequest(_ body: @escaping @MainActor () -> Void) -> SignalConnection {
        on("close-request") { _ in
            body()
            return true
        }
    }

    /// Calls `body` with every key that nothing in the window has a use for, or before all others if `isFirst`; true
    /// means that it is handled.
    package func onKey(isFirst: Bool = false, _ body: @escaping @MainActor (Key) -> Bool) {
        guard let made = gtk_event_controller_key_new() else { return }
        gtk_event_controller_set_propagation_phase(made, isFirst ? GTK_PHASE_CAPTURE : GTK_PHASE_BUBBLE)
        let controller = Object(made: UnsafeMutableRawPointer(made))
        g_object_ref(UnsafeMutableRawPointer(made))
        gtk_widget_add_controller(widget, made)
        controller.on("key-pressed") { arguments in
            guard let symbol = arguments.number(0) else { return false }
            return body(Key(symbol: UInt32(symbol), modifiers: UInt32(arguments.number(2) ?? 0)))
        }
    }
}

/// A key that was pressed, as far as a window wants to know.
package struct Key: Hashable, Sendable {
    /// The keys that mean something by themselves.
    package enum Name: Sendable {
        case escape
        case enter
        case up
        case down
        case pageUp
        case pageDown
        case other
    }

    /// Which key.
    package let name: Name
    /// Whether Control, Alt or Super is held.
    package let isModified: Bool

    init(symbol: UInt32, modifiers: UInt32) {
        name =
            switch Int32(symbol) {
            case GDK_KEY_Escape: .escape
            case GDK_KEY_Return, GDK_KEY_KP_Enter, GDK_KEY_ISO_Enter: .enter
            case GDK_KEY_Up, GDK_KEY_KP_Up: .up
            case GDK_KEY_Down, GDK_KEY_KP_Down: .down
            case GDK_KEY_Page_Up, GDK_KEY_KP_Page_Up: .pageUp
            case GDK_KEY_Page_Down, GDK_KEY_KP_Page_Down: .pageDown
            default: .other
            }
        let held = GDK_CONTROL_MASK.rawValue | GDK_ALT_MASK.rawValue | GDK_SUPER_MASK.rawValue
        isModified = modifiers & held != 0
    }
}
