import CAdwaita

extension Window {
    /// Writes what the window shows into a PNG file, at the scale of its display.
    ///
    /// - Throws: ``DesktopError`` with the code `picture` when it is not on the screen, or the file cannot be written.
    package func writePicture(to path: String) throws(DesktopError) {
        guard let native = gtk_widget_get_native(widget), let renderer = gtk_native_get_renderer(native),
            let paintable = gtk_widget_paintable_new(widget)
        else { throw DesktopError(.picture, "The window is not on the screen.") }
        defer { g_object_unref(UnsafeMutableRawPointer(paintable)) }
        let scale = gtk_widget_get_scale_factor(widget)
        let (width, height) = (gtk_widget_get_width(widget), gtk_widget_get_height(widget))
        guard let snapshot = gtk_snapshot_new() else { throw DesktopError(.picture, "no memory") }
        gtk_snapshot_scale(snapshot, Float(scale), Float(scale))
        gdk_paintable_snapshot(paintable, snapshot, Double(width), Double(height))
        guard let node = gtk_snapshot_free_to_node(snapshot) else {
            throw DesktopError(.picture, "The window shows nothing.")
        }
        defer { gsk_render_node_unref(node) }
        guard let texture = gsk_renderer_render_texture(renderer, node, nil) else {
            throw DesktopError(.picture, "The window cannot be drawn.")
        }
        defer { g_object_unref(UnsafeMutableRawPointer(texture)) }
        guard gdk_texture_save_to_png(texture, path) != 0 else {
            throw DesktopError(.picture, "\(path) cannot be written.")
        }
    }

    /// Calls `body` after the next picture of the window was drawn.
    package func afterNextFrame(_ body: @escaping @MainActor () -> Void) {
        guard let clock = gtk_widget_get_frame_clock(widget),
            let object = Object(checking: UnsafeMutableRawPointer(clock))
        else { return body() }
        var connection: SignalConnection?
        connection = object.on("after-paint") {
            connection?.disconnect()
            connection = nil
            body()
        }
        gtk_widget_queue_draw(widget)
    }
}
