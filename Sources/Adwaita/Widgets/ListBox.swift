import CAdwaita

/// Rows below each other, of which one is selected.
@MainActor
package final class ListBox: Widget {
    override class var type: GType { gtk_list_box_get_type() }

    required init?(checking pointer: UnsafeMutableRawPointer?) { super.init(checking: pointer) }

    /// Adds a row at the end.
    package func append(_ row: ListBoxRow) {
        gtk_list_box_append(opaque, row.widget)
    }

    /// Takes every row out.
    package func removeAll() {
        while let row = gtk_list_box_get_row_at_index(opaque, 0) {
            gtk_list_box_remove(opaque, UnsafeMutableRawPointer(row).assumingMemoryBound(to: GtkWidget.self))
        }
    }

    /// Selects `row`, or none.
    package func select(_ row: ListBoxRow?) {
        gtk_list_box_select_row(opaque, row?.pointer())
    }

    /// Calls `body` with a row that was clicked, or on which Enter was pressed.
    @discardableResult
    package func onActivation(_ body: @escaping @MainActor (ListBoxRow) -> Void) -> SignalConnection {
        on("row-activated") { arguments in
            if let row = arguments.object(0, as: ListBoxRow.self) { body(row) }
            return false
        }
    }

    /// Calls `body` with the row that is selected now.
    @discardableResult
    package func onSelection(_ body: @escaping @MainActor (ListBoxRow) -> Void) -> SignalConnection {
        on("row-selected") { arguments in
            if let row = arguments.object(0, as: ListBoxRow.self) { body(row) }
            return false
        }
    }
}

/// One row of a list.
@MainActor
package final class ListBoxRow: Widget {
    override class var type: GType { gtk_list_box_row_get_type() }

    /// A row that shows `content`; one that is not `isSelectable` is a heading.
    package init(_ content: Widget, isSelectable: Bool) {
        super.init(made: gtk_list_box_row_new())
        gtk_list_box_row_set_child(pointer(), content.widget)
        gtk_list_box_row_set_selectable(pointer(), isSelectable ? 1 : 0)
        gtk_list_box_row_set_activatable(pointer(), isSelectable ? 1 : 0)
        gtk_widget_set_focusable(widget, isSelectable ? 1 : 0)
    }

    required init?(checking pointer: UnsafeMutableRawPointer?) { super.init(checking: pointer) }

    /// Where it stands among the rows, from 0.
    package var index: Int { Int(gtk_list_box_row_get_index(pointer())) }
}

extension ScrolledWindow {
    /// Moves what is shown so far that `child`, which lies in it, is seen whole.
    package func reveal(_ child: Widget, in content: Widget) {
        var (x, y) = (0.0, 0.0)
        guard gtk_widget_translate_coordinates(child.widget, content.widget, 0, 0, &x, &y) != 0 else { return }
        gtk_adjustment_clamp_page(
            gtk_scrolled_window_get_vadjustment(opaque), y, y + Double(gtk_widget_get_height(child.widget)))
    }
}
