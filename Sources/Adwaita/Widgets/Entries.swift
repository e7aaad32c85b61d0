import CAdwaita

/// Something that is typed into.
@MainActor
package class Entry: Widget {
    /// What stands in it. Never ask this of a secret: a string cannot be wiped.
    package var text: String {
        get { String(cString: gtk_editable_get_text(opaque)) }
        set {
            gtk_editable_set_text(opaque, newValue)
            gtk_editable_set_position(opaque, -1)
        }
    }

    /// Calls `body` after every change.
    @discardableResult
    package func onChange(_ body: @escaping @MainActor () -> Void) -> SignalConnection { on("changed", body) }

    /// The part of it that takes the keys.
    fileprivate var delegate: OpaquePointer? { gtk_editable_get_delegate(opaque) }
}

/// A field to search with.
@MainActor
package final class SearchEntry: Entry {
    override class var type: GType { gtk_search_entry_get_type() }

    required init?(checking pointer: UnsafeMutableRawPointer?) { super.init(checking: pointer) }

    /// What stands in it while it is empty.
    package func setPlaceholder(_ text: String) {
        setText("placeholder-text", text)
    }

    /// Takes what is typed anywhere in `other`, unless that has a use for it.
    package func captureKeys(of other: Widget?) {
        gtk_search_entry_set_key_capture_widget(opaque, other?.widget)
    }
}

/// A line of a form with its label.
@MainActor
package final class EntryRow: Entry {
    override class var type: GType { adw_entry_row_get_type() }

    /// A line labelled `title`.
    package init(_ title: String) {
        super.init(made: adw_entry_row_new())
        adw_preferences_row_set_use_markup(pointer(), 0)
        adw_preferences_row_set_title(pointer(), title)
    }

    required init?(checking pointer: UnsafeMutableRawPointer?) { super.init(checking: pointer) }

    /// The label.
    package var title: String {
        get { String(cString: adw_preferences_row_get_title(pointer())) }
        set { adw_preferences_row_set_title(pointer(), newValue) }
    }

    /// Calls `body` when Enter is pressed in it.
    @discardableResult
    package func onEnter(_ body: @escaping @MainActor () -> Void) -> SignalConnection { on("entry-activated", body) }
}

/// A line of a form for a secret. What is typed lies in the toolkit's secure memory: locked where the limit of the
/// process allows, overwritten when it is taken away.
@MainActor
package final class PasswordRow: Entry {
    override class var type: GType { adw_password_entry_row_get_type() }

    private let buffer: UnsafeMutablePointer<GtkEntryBuffer>

    /// A line labelled `title` that takes `limit` characters at most.
    package init(_ title: String, limit: Int) {
        buffer = gtk_password_entry_buffer_new()
        super.init(made: adw_password_entry_row_new())
        adw_preferences_row_set_use_markup(pointer(), 0)
        adw_preferences_row_set_title(pointer(), title)
        gtk_entry_buffer_set_max_length(buffer, Int32(clamping: limit))
        if let delegate {
            // Whatever buffer the row made for itself, this one is known to be the secure kind.
            let text = UnsafeMutableRawPointer(delegate).assumingMemoryBound(to: GtkText.self)
            gtk_text_set_buffer(text, buffer)
            SecretTyping.hide(in: text)
            // What could be undone would be kept somewhere else.
            gtk_editable_set_enable_undo(delegate, 0)
        }
    }

    required init?(checking pointer: UnsafeMutableRawPointer?) { nil }

    isolated deinit {
        wipe()
        g_object_unref(buffer)
    }

    /// Lends what was typed (UTF-8) for the time of the call.
    package func withSecret<Result, Failure>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let count = Int(gtk_entry_buffer_get_bytes(buffer))
        return try body(UnsafeRawBufferPointer(start: gtk_entry_buffer_get_text(buffer), count: count))
    }

    /// How many characters were typed.
    package var count: Int { Int(gtk_entry_buffer_get_length(buffer)) }

    /// Types `characters` at the end, as a person would.
    package func type(_ characters: String) {
        gtk_entry_buffer_insert_text(buffer, guint.max, characters, Int32(characters.unicodeScalars.count))
    }

    /// Takes away, and overwrites, what was typed.
    package func wipe() {
        gtk_entry_buffer_delete_text(buffer, 0, -1)
    }

    /// The label.
    package var title: String {
        get { String(cString: adw_preferences_row_get_title(pointer())) }
        set { adw_preferences_row_set_title(pointer(), newValue) }
    }

    /// Calls `body` when Enter is pressed in it.
    @discardableResult
    package func onEnter(_ body: @escaping @MainActor () -> Void) -> SignalConnection { on("entry-activated", body) }
}
