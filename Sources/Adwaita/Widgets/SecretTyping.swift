import CAdwaita

/// What keeps a secret that is typed off the accessibility bus, to which every program of the session listens.
///
/// The toolkit tells that bus each letter that is put into a field or taken out, also of a secret (GTK 4.8). It does so in
/// handlers of the signals that change the field; those that stand here come first, do the work, and let no other follow.
/// A screen reader still finds the field, its name, and where the cursor is.
@MainActor
enum SecretTyping {
    private typealias Insert =
        @convention(c) (
            UnsafeMutableRawPointer?, UnsafePointer<CChar>?, gint, UnsafeMutablePointer<gint>?, gpointer?
        ) -> Void
    private typealias Delete = @convention(c) (UnsafeMutableRawPointer?, gint, gint, gpointer?) -> Void

    /// Has `text` change without anybody being told what changed. To be called as soon as the field is made.
    static func hide(in text: UnsafeMutablePointer<GtkText>) {
        let insert: Insert = { field, letters, length, position, _ in
            guard let field, let letters, let position else { return }
            let buffer = gtk_text_get_buffer(field.assumingMemoryBound(to: GtkText.self))
            let count = g_utf8_strlen(letters, gssize(length))
            let taken = gtk_entry_buffer_insert_text(
                buffer, guint(clamping: position.pointee), letters, gint(clamping: count))
            position.pointee += gint(clamping: taken)
            if taken < count { gtk_widget_error_bell(field.assumingMemoryBound(to: GtkWidget.self)) }
            g_signal_stop_emission_by_name(field, "insert-text")
        }
        let delete: Delete = { field, start, end, _ in
            guard let field else { return }
            let buffer = gtk_text_get_buffer(field.assumingMemoryBound(to: GtkText.self))
            gtk_entry_buffer_delete_text(buffer, guint(clamping: start), end < 0 ? -1 : end - start)
            g_signal_stop_emission_by_name(field, "delete-text")
        }
        connect(text, "insert-text", unsafeBitCast(insert, to: GCallback.self))
        connect(text, "delete-text", unsafeBitCast(delete, to: GCallback.self))
    }

    private static func connect(_ text: UnsafeMutablePointer<GtkText>, _ signal: String, _ handler: GCallback) {
        g_signal_connect_data(text, signal, handler, nil, nil, GConnectFlags(rawValue: 0))
    }
}
