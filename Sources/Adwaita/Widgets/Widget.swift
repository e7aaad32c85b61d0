import CAdwaita

/// Anything that is drawn.
@MainActor
package class Widget: Object {
    override class var type: GType { gtk_widget_get_type() }

    /// The widget as most of C's functions want it.
    var widget: UnsafeMutablePointer<GtkWidget> { pointer() }

    /// Whether it is shown.
    package var isVisible: Bool {
        get { gtk_widget_get_visible(widget) != 0 }
        set { gtk_widget_set_visible(widget, newValue ? 1 : 0) }
    }

    /// Whether it takes input.
    package var isSensitive: Bool {
        get { gtk_widget_get_sensitive(widget) != 0 }
        set { gtk_widget_set_sensitive(widget, newValue ? 1 : 0) }
    }

    /// Whether keys go to it, or to something in it.
    package var hasFocus: Bool {
        gtk_widget_get_state_flags(widget).rawValue & GTK_STATE_FLAG_FOCUS_WITHIN.rawValue != 0
    }

    /// Whether it is on the screen.
    package var isMapped: Bool { gtk_widget_get_mapped(widget) != 0 }

    /// Gives keys to it; false when it takes none.
    @discardableResult
    package func grabFocus() -> Bool { gtk_widget_grab_focus(widget) != 0 }

    /// Does what a click would do; false when that is nothing.
    @discardableResult
    package func activate() -> Bool { gtk_widget_activate(widget) != 0 }

    /// Takes part in the rules of the style sheet that are for `name`, or no longer.
    package func setStyle(_ name: String, _ isOn: Bool = true) {
        if isOn { gtk_widget_add_css_class(widget, name) } else { gtk_widget_remove_css_class(widget, name) }
    }

    /// The text that is shown when the pointer rests on it, and read after its name.
    package func setTooltip(_ text: String?) {
        gtk_widget_set_tooltip_text(widget, text)
    }

    /// What a screen reader calls it, where what it shows does not say.
    package func setAccessibleName(_ name: String) {
        setAccessible(GTK_ACCESSIBLE_PROPERTY_LABEL, name)
    }

    /// What a screen reader says about it after its name.
    package func setAccessibleDescription(_ text: String) {
        setAccessible(GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text)
    }

    /// The margins around it, in pixels before scaling.
    package func setMargins(horizontal: Int32, vertical: Int32) {
        gtk_widget_set_margin_start(widget, horizontal)
        gtk_widget_set_margin_end(widget, horizontal)
        gtk_widget_set_margin_top(widget, vertical)
        gtk_widget_set_margin_bottom(widget, vertical)
    }

    private func setAccessible(_ property: GtkAccessibleProperty, _ text: String) {
        var value = GValue()
        g_value_init(&value, g_type_from_name("gchararray"))
        g_value_set_string(&value, text)
        var properties = [property]
        gtk_accessible_update_property_value(opaque, 1, &properties, &value)
        g_value_unset(&value)
    }
}
