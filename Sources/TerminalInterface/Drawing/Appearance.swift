/// What the terminal can show, and what the person wants of it.
package struct Appearance: Hashable, Sendable {
    /// Whether colours are shown. Bold, dim and reversed are not colours.
    package let hasColours: Bool
    /// Whether signs beyond ASCII are drawn by the presenter itself; text of others is shown as it is.
    package let hasUnicode: Bool
    /// Whether the cursor can be moved: if not, everything is asked line by line.
    package let movesCursor: Bool

    /// An appearance by its parts.
    package init(hasColours: Bool, hasUnicode: Bool, movesCursor: Bool = true) {
        self.hasColours = hasColours
        self.hasUnicode = hasUnicode
        self.movesCursor = movesCursor
    }

    /// What an environment says: `NO_COLOR` (no-color.org), `TERM`, and the locale's character set.
    package init(environment: [String: String]) {
        let terminal = environment["TERM"] ?? ""
        movesCursor = !terminal.isEmpty && terminal != "dumb" && terminal != "unknown"
        hasColours = movesCursor && (environment["NO_COLOR"] ?? "").isEmpty
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
        hasUnicode = locale.lowercased().contains("utf")
    }

    /// The control sequences that set `style` (ECMA-48, SGR), starting from none.
    func sequence(for style: Style) -> String {
        var codes: [String] = []
        if style.contains(.bold) { codes.append("1") }
        if style.contains(.dim) { codes.append("2") }
        if style.contains(.reversed) { codes.append("7") }
        // Of the eight colours, these two can be read on light and on dark.
        if style.contains(.warning) { codes.append(hasColours ? "33" : "1") }
        if style.contains(.failure) { codes.append(hasColours ? "31" : "1") }
        return codes.isEmpty ? "" : "\u{1B}[\(codes.joined(separator: ";"))m"
    }

    // MARK: Signs

    var marker: String { hasUnicode ? "›" : ">" }
    var bullet: String { hasUnicode ? "•" : "*" }
    var separator: String { hasUnicode ? " · " : " - " }
    var arrows: String { hasUnicode ? "↑↓" : "Up/Down" }
    var edge: String { hasUnicode ? "▌" : "|" }
    var barFilled: String { hasUnicode ? "█" : "#" }
    var barEmpty: String { hasUnicode ? "░" : "-" }

    func spinner(_ tick: Int) -> String {
        let signs = hasUnicode ? Array("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏") : Array("|/-\\")
        return String(signs[tick % signs.count])
    }
}
