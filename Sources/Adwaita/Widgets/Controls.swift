import CAdwaita

/// Text to read. It is never read as markup.
@MainActor
package final class Label: Widget {
    override class var type: GType { gtk_label_get_type() }

    /// Which part of a text that is too long is left out.
    package enum Omission {
        /// The end; the beginning is read first.
        case end
        /// The beginning: the end of a host name says whose it is.
        case start
    }

    /// A label that says `text`, on one line where `omission` is given and else on as many as it needs.
    package init(_ text: String, omitting omission: Omission? = nil) {
        super.init(made: gtk_label_new(text))
        gtk_label_set_xalign(opaque, 0)
        if let omission {
            gtk_label_set_ellipsize(opaque, omission == .start ? PANGO_ELLIPSIZE_START : PANGO_ELLIPSIZE_END)
        } else {
            gtk_label_set_wrap(opaque, 1)
            gtk_label_set_wrap_mode(opaque, PANGO_WRAP_WORD_CHAR)
        }
    }

    required init?(checking pointer: UnsafeMutableRawPointer?) { super.init(checking: pointer) }

    /// What it says.
    package var text: String {
        get { String(cString: gtk_label_get_text(opaque)) }
        set { gtk_label_set_text(opaque, newValue) }
    }

    /// Says `text`, UTF-8 that ends with a zero.
    package func show(_ text: UnsafeRawBufferPointer) {
        gtk_label_set_text(opaque, text.bindMemory(to: CChar.self).baseAddress)
    }
}

/// Something to press.
@MainActor
package final class Button: Widget {
    override class var type: GType { gtk_button_get_type() }

    /// A button that says `title`.
    package init(_ title: String) {
        super.init(made: gtk_button_new_with_label(title))
    }

    required init?(checking pointer: UnsafeMutableRawPointer?) { super.init(checking: pointer) }

    /// What it says.
    package var title: String {
        get { gtk_button_get_label(pointer()).map { String(cString: $0) } ?? "" }
        set { gtk_button_set_label(pointer(), newValue) }
    }
}

/// A picture of the icon theme.
@MainActor
package final class Image: Widget {
    override class var type: GType { gtk_image_get_type() }

    /// The icon called `name`.
    package init(icon name: String) {
        super.init(made: gtk_image_new_from_icon_name(name))
    }

    required init?(checking pointer: UnsafeMutableRawPointer?) { super.init(checking: pointer) }

    /// Shows the icon called `name`.
    package func show(icon name: String) {
        gtk_image_set_from_icon_name(opaque, name)
    }
}

/// How much of something is done.
@MainActor
package final class ProgressBar: Widget {
    override class var type: GType { gtk_progress_bar_get_type() }

    required init?(checking pointer: UnsafeMutableRawPointer?) { super.init(checking: pointer) }

    /// How much, from 0 to 1.
    package var fraction: Double {
        get { gtk_progress_bar_get_fraction(opaque) }
        set { gtk_progress_bar_set_fraction(opaque, newValue) }
    }
}

/// How much there is of something, in steps.
@MainActor
package final class LevelBar: Widget {
    override class var type: GType { gtk_level_bar_get_type() }

    required init?(checking pointer: UnsafeMutableRawPointer?) { super.init(checking: pointer) }

    /// How much, in steps.
    package var value: Double {
        get { gtk_level_bar_get_value(opaque) }
        set { gtk_level_bar_set_value(opaque, newValue) }
    }
}

/// Turns while something goes on.
@MainActor
package final class Spinner: Widget {
    override class var type: GType { gtk_spinner_get_type() }

    required init?(checking pointer: UnsafeMutableRawPointer?) { super.init(checking: pointer) }

    /// Whether it turns.
    package var isSpinning: Bool {
        get { gtk_spinner_get_spinning(opaque) != 0 }
        set { gtk_spinner_set_spinning(opaque, newValue ? 1 : 0) }
    }
}

/// A line that shows two texts.
@MainActor
package final class ActionRow: Widget {
    override class var type: GType { adw_action_row_get_type() }

    /// A line that says `title` and below it `subtitle`.
    package init(title: String = "", subtitle: String = "") {
        super.init(made: adw_action_row_new())
        adw_preferences_row_set_use_markup(pointer(), 0)
        self.title = title
        self.subtitle = subtitle
        adw_action_row_set_title_lines(pointer(), 0)
        adw_action_row_set_subtitle_lines(pointer(), 0)
    }

    /// What it says.
    package var title: String {
        get { String(cString: adw_preferences_row_get_title(pointer())) }
        set { adw_preferences_row_set_title(pointer(), newValue) }
    }

    /// What it says below that.
    package var subtitle: String {
        get { adw_action_row_get_subtitle(pointer()).map { String(cString: $0) } ?? "" }
        set { adw_action_row_set_subtitle(pointer(), newValue) }
    }

    /// Puts `widget` before its texts.
    package func addPrefix(_ widget: Widget) {
        adw_action_row_add_prefix(pointer(), widget.widget)
    }

    required init?(checking pointer: UnsafeMutableRawPointer?) { super.init(checking: pointer) }
}
