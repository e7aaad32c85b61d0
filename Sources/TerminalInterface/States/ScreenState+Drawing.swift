extension ScreenState {
    /// What a provider draws begins this far from the left edge; what stands before it is the system's.
    static let gutter = 2

    /// The lines between header and footer on a screen of `size`.
    static func bodyHeight(_ size: ScreenSize) -> Int {
        max(1, size.region - (size.region >= 4 ? 2 : 1))
    }

    /// Draws the state for a screen of `size`.
    package func frame(size: ScreenSize, _ appearance: Appearance) -> Frame {
        let header = presentation.header.line(width: size.width, appearance)
        guard size.region >= 2 else { return Frame(lines: [header]) }
        let width = max(size.width - Self.gutter, 1)
        let body = body(width: width, height: Self.bodyHeight(size), appearance)
        var lines = [header] + body.lines.map { $0.fitting(width).indented(Self.gutter).fitting(size.width) }
        if size.region >= 4 { lines.append(footer(width: width, appearance).indented(Self.gutter).fitting(size.width)) }
        let cursor = isWorking ? nil : body.cursor
        return Frame(
            lines: lines,
            cursor: cursor.map { .init(row: $0.row + 1, column: min($0.column + Self.gutter, size.width)) })
    }

    private func body(
        width: Int, height: Int, _ appearance: Appearance
    ) -> (lines: [Line], cursor: Frame.Position?) {
        switch content {
        case .list(let picker): return picker.body(width: width, height: height, appearance)
        case .form(let form): return form.body(width: width, height: height, appearance)
        case .message(let message): return message.body(width: width, height: height)
        case .progress(let progress):
            var lines = [Line(Span(progress.title, .bold))]
            if let text = progress.text, !text.isEmpty {
                lines += Columns.wrap(text, into: width).map { Line(Span($0)) }
            }
            lines = Array(lines.prefix(max(height - 1, 1)))
            if height > 1 { lines.append(bar(progress.fraction, width: width, appearance)) }
            return (lines, nil)
        }
    }

    private func bar(_ fraction: Double?, width: Int, _ appearance: Appearance) -> Line {
        guard let fraction else { return Line(Span(appearance.spinner(turns))) }
        let room = max(min(width, 46) - 6, 1)
        let filled = Int((fraction * Double(room)).rounded())
        let percent = Int((fraction * 100).rounded(.down))
        return Line(
            Span(String(repeating: appearance.barFilled, count: filled)),
            Span(String(repeating: appearance.barEmpty, count: room - filled), .dim), Span(" \(percent) %"))
    }

    private func footer(width: Int, _ appearance: Appearance) -> Line {
        var parts: [String] = []
        var position: String?
        if isWorking {
            parts = ["\(appearance.spinner(turns)) \(InterfaceText.working)"]
        } else {
            switch content {
            case .list(let picker):
                parts = picker.help(appearance)
                position = picker.position
            case .form(let form): parts = form.help(appearance)
            case .message(let message): parts = message.help
            case .progress: break
            }
        }
        parts.append("Esc \(InterfaceText.cancel.lowercased())")
        if let position { parts.append(position) }
        return Line(Span(parts.joined(separator: appearance.separator), .dim)).fitting(width)
    }
}
