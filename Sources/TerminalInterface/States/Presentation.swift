package import AutoFillProtocol
import AutoFillWire
package import KeywaySystem

/// Who asks and for what: drawn by the presenter, where no provider can draw.
package struct PresentationHeader: Hashable, Sendable {
    /// Who asks.
    package let name: String
    /// What tells providers of the same name apart; nil when Keyway itself asks.
    package let identifier: String?
    /// For what; nil for everything.
    package let service: String?
    /// Whether a debugger may look into who asks.
    package let isDebugged: Bool

    /// A request of `provider` for `service`.
    package init(provider: ProviderReference, service: String?, isDebugged: Bool = false) {
        name = DisplayText.line(provider.name)
        identifier = DisplayText.line(provider.identifier)
        self.service = service.map(DisplayText.line)
        self.isDebugged = isDebugged
    }

    /// A question of Keyway itself.
    package init(service: String?) {
        name = "Keyway"
        identifier = nil
        self.service = service.map(DisplayText.line)
        isDebugged = false
    }

    /// The line, at most `width` columns. Of the service the end is kept: it says whose it is.
    func line(width: Int, _ appearance: Appearance) -> Line {
        let edge = appearance.edge + " "
        let warning = isDebugged ? InterfaceText.beingDebugged : ""
        let name = Columns.fit(self.name, into: max(width / 2 - 2 - Columns.width(of: warning), 1))
        var spans = [Span(edge, .bold), Span(name, .bold), Span(warning, .bold)]
        var room = width - Columns.width(of: edge + name + warning)
        if let service {
            let joint = InterfaceText.forService
            let shown = Columns.fitKeepingEnd(service, into: max(room - Columns.width(of: joint), 1))
            spans += [Span(joint), Span(shown, .bold)]
            room -= Columns.width(of: joint + shown)
        }
        if let identifier, room >= Columns.width(of: identifier) + 2 { spans.append(Span("  " + identifier, .dim)) }
        return Line(spans).fitting(width)
    }
}

/// What is shown for one request at one time.
package struct Presentation: Hashable, Sendable {
    /// Who asks and for what.
    package let header: PresentationHeader
    /// What the provider described, with every text made harmless.
    package let interface: ProviderInterface
    /// Whether the button of a message that is selected first is the one that cancels.
    package let cancelsFirst: Bool

    /// `interface`, shown for `header`.
    ///
    /// - Throws: ``ProtocolError`` with the code `invalidParameters` when it is over the bounds of an interface.
    package init(
        header: PresentationHeader, interface: ProviderInterface, cancelsFirst: Bool = false
    ) throws(ProtocolError) {
        self.header = header
        self.interface = try interface.bounded()
        self.cancelsFirst = cancelsFirst
    }
}
