import CAdwaita

/// Widgets in a row or a column.
@MainActor
package final class Box: Widget {
    override class var type: GType { gtk_box_get_type() }

    /// The directions in which widgets follow each other.
    package enum Orientation {
        case horizontal
        case vertical
    }

    /// A box without widgets, which will stand `spacing` pixels apart.
    package init(_ orientation: Orientation, spacing: Int32) {
        super.init(
            made: gtk_box_new(
                orientation == .horizontal ? GTK_ORIENTATION_HORIZONTAL : GTK_ORIENTATION_VERTICAL, spacing))
    }

    required init?(checking pointer: UnsafeMutableRawPointer?) { super.init(checking: pointer) }

    /// Adds `child` at the end.
    package func append(_ child: Widget) {
        gtk_box_append(pointer(), child.widget)
    }

    /// Takes every widget out.
    package func removeAll() {
        while let child = gtk_widget_get_first_child(widget) { gtk_box_remove(pointer(), child) }
    }
}

/// Widgets of which one is shown at a time.
@MainActor
package final class Stack: Widget {
    override class var type: GType { gtk_stack_get_type() }

    required init?(checking pointer: UnsafeMutableRawPointer?) { super.init(checking: pointer) }

    /// The name of the one that is shown.
    package var shown: String {
        get { gtk_stack_get_visible_child_name(opaque).map { String(cString: $0) } ?? "" }
        set { gtk_stack_set_visible_child_name(opaque, newValue) }
    }
}

/// A part that is scrolled when it is larger than its room.
@MainActor
package final class ScrolledWindow: Widget {
    override class var type: GType { gtk_scrolled_window_get_type() }

    required init?(checking pointer: UnsafeMutableRawPointer?) { super.init(checking: pointer) }

    /// Goes back to the top.
    package func scrollToTop() {
        gtk_adjustment_set_value(gtk_scrolled_window_get_vadjustment(opaque), 0)
    }

    /// Puts the scroll bar to the right of the content, whatever the direction of the text. From right to left, GTK 4.8 draws
    /// one that is always seen beside the window.
    package func keepBarOnRight(isRightToLeft: Bool) {
        gtk_scrolled_window_set_placement(opaque, isRightToLeft ? GTK_CORNER_TOP_RIGHT : GTK_CORNER_TOP_LEFT)
    }

    /// What a scroll bar takes at least, in pixels before scaling.
    private static let barHeight: Int32 = 60

    /// Makes room for all of `content`, which lies in it, at `width`, but for `limit` at most; in pixels before scaling.
    ///
    /// What GTK does by itself (`propagate-natural-height`) does not know the width, and so not how lines break.
    package func makeRoom(for content: Widget, width: Int32, limit: Int32) {
        var natural: Int32 = 0
        gtk_widget_measure(content.widget, GTK_ORIENTATION_VERTICAL, width, nil, &natural, nil, nil)
        // A scroll bar would take more room than so little content.
        let policy = natural < Self.barHeight ? GTK_POLICY_EXTERNAL : GTK_POLICY_AUTOMATIC
        gtk_scrolled_window_set_policy(opaque, GTK_POLICY_NEVER, policy)
        gtk_scrolled_window_set_max_content_height(opaque, limit)
        gtk_scrolled_window_set_min_content_height(opaque, min(natural, limit))
    }

    /// The room that there is at least, in pixels before scaling; -1 for none in particular.
    var minimumHeight: Int32 { gtk_scrolled_window_get_min_content_height(opaque) }
}

/// Rows in a frame, with a title and a description above.
@MainActor
package final class PreferencesGroup: Widget {
    override class var type: GType { adw_preferences_group_get_type() }

    private var rows: [Widget] = []

    required init?(checking pointer: UnsafeMutableRawPointer?) { super.init(checking: pointer) }

    /// Adds a row at the end.
    package func append(_ row: Widget) {
        rows.append(row)
        adw_preferences_group_add(pointer(), row.widget)
    }

    /// Takes every row out that was added.
    package func removeAll() {
        for row in rows { adw_preferences_group_remove(pointer(), row.widget) }
        rows = []
    }
}
