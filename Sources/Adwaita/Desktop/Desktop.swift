import CAdwaita
import CAdwaitaShims
import Dispatch
import Glibc

/// The toolkit as a whole: its start, its loop, and how everything looks. There is one in a process.
///
/// The main actor runs on GLib's loop: a task of the main actor is one more source of that loop. There is no
/// `GApplication`, and so nothing of ours is on the session bus for others to call.
@MainActor
package enum Desktop {
    /// Which of the two appearances is drawn.
    package enum ColorScheme: Sendable {
        /// What the person's desktop says.
        case system
        case light
        case dark
    }

    /// In which direction text runs.
    package enum TextDirection: Sendable {
        case leftToRight
        case rightToLeft
    }

    private static var isStarted = false
    private static var loop: OpaquePointer?

    /// Opens the display of the environment. Called twice, does nothing.
    ///
    /// - Parameter identifier: what the compositor knows the windows by, such as `org.keyway.Sheets`.
    /// - Throws: ``DesktopError`` with the code `noDisplay`.
    package static func start(identifier: String) throws(DesktopError) {
        guard !isStarted else { return }
        g_set_prgname(identifier)
        // A locale that is not installed leaves the toolkit's own words in English.
        guard gtk_init_check() != 0 else { throw DesktopError(.noDisplay, "There is no display to draw on.") }
        adw_init()
        serveMainQueue()
        isStarted = true
    }

    /// Runs the loop until ``quit()``.
    package static func run() {
        let loop = self.loop ?? g_main_loop_new(nil, 0)
        self.loop = loop
        g_main_loop_run(loop)
    }

    /// Ends ``run()``.
    package static func quit() {
        loop.map { g_main_loop_quit($0) }
    }

    /// Handles what waits, events of the display among them, and returns; waits for one first if `mayBlock`.
    package static func iterate(mayBlock: Bool) {
        g_main_context_iteration(nil, mayBlock ? 1 : 0)
    }

    /// Calls `body` after `milliseconds`, once.
    package static func after(milliseconds: UInt32, _ body: @escaping @MainActor () -> Void) {
        let action = Action {
            body()
            return false
        }
        g_timeout_add_full(
            G_PRIORITY_DEFAULT, milliseconds, { data in data.map(Action.run) ?? 0 },
            Unmanaged.passRetained(action).toOpaque(), { data in if let data { Action.release(data) } })
    }

    /// Calls `body` when nothing else is to be done, again and again while it returns true.
    package static func whenIdle(_ body: @escaping @MainActor () -> Bool) {
        g_idle_add_full(
            G_PRIORITY_LOW, { data in data.map(Action.run) ?? 0 },
            Unmanaged.passRetained(Action(body)).toOpaque(), { data in if let data { Action.release(data) } })
    }

    // MARK: - Appearance

    /// Which appearance is drawn.
    package static func setColorScheme(_ scheme: ColorScheme) {
        let value =
            switch scheme {
            case .system: ADW_COLOR_SCHEME_DEFAULT
            case .light: ADW_COLOR_SCHEME_FORCE_LIGHT
            case .dark: ADW_COLOR_SCHEME_FORCE_DARK
            }
        adw_style_manager_set_color_scheme(adw_style_manager_get_default(), value)
    }

    /// Whether the dark appearance is drawn.
    package static var isDark: Bool { adw_style_manager_get_dark(adw_style_manager_get_default()) != 0 }

    /// In which direction new widgets lay out text and themselves.
    package static func setTextDirection(_ direction: TextDirection) {
        gtk_widget_set_default_direction(direction == .rightToLeft ? GTK_TEXT_DIR_RTL : GTK_TEXT_DIR_LTR)
    }

    /// Adds rules to the style sheet, over those of the theme.
    package static func addStyle(_ css: String) {
        guard let display = gdk_display_get_default(), let provider = gtk_css_provider_new() else { return }
        gtk_css_provider_load_from_data(provider, css, -1)
        gtk_style_context_add_provider_for_display(
            display, OpaquePointer(provider), guint(GTK_STYLE_PROVIDER_PRIORITY_APPLICATION))
        g_object_unref(provider)
    }

    /// Makes the main queue of libdispatch, and with it the main actor, a source of GLib's loop.
    private static func serveMainQueue() {
        // Names the library, which else nothing links.
        DispatchQueue.main.async {}
        g_unix_fd_add_full(
            G_PRIORITY_DEFAULT, cadwaita_main_queue_descriptor(), G_IO_IN,
            { descriptor, _, _ in
                cadwaita_serve_main_queue(descriptor)
                return 1
            }, nil, nil)
    }
}

/// A closure on its way through a C pointer; it says whether it wants to be called again.
private final class Action {
    private let body: @MainActor () -> Bool

    init(_ body: @escaping @MainActor () -> Bool) { self.body = body }

    /// GLib calls on the thread that runs the default context, which is the main one.
    static func run(_ data: UnsafeMutableRawPointer) -> gboolean {
        let body = Unmanaged<Action>.fromOpaque(data).takeUnretainedValue().body
        return MainActor.assumeIsolated { body() } ? 1 : 0
    }

    static func release(_ data: UnsafeMutableRawPointer) {
        Unmanaged<Action>.fromOpaque(data).release()
    }
}
