import KeywaySystem

/// Draws, waits for keys, draws again: until the presenter is closed.
struct ScreenLoop {
    /// How long one turn of the spinner takes, in milliseconds.
    private static let turn = 120

    private let device: any TerminalDevice
    private let appearance: Appearance
    private let mailbox: Mailbox
    private let tell: (PresenterOutcome) -> Void
    private var keys: KeyReader
    private var region = InlineRegion()
    private var state: ScreenState?

    init(
        device: any TerminalDevice, appearance: Appearance, mailbox: Mailbox,
        tell: @escaping (PresenterOutcome) -> Void
    ) {
        self.device = device
        self.appearance = appearance
        self.mailbox = mailbox
        self.tell = tell
        keys = KeyReader(device)
    }

    mutating func run() throws(TerminalError) {
        try device.enter(.keys)
        defer { finish() }
        while takeNewest() {
            draw()
            try waitForInput()
        }
    }

    /// Takes what was shown since; false when the presenter is closed.
    private mutating func takeNewest() -> Bool {
        let (newest, isClosed) = mailbox.take()
        guard !isClosed else { return false }
        guard let newest else { return true }
        guard let reaction = state?.update(newest) else {
            state = ScreenState(newest)
            return true
        }
        act(on: reaction)
        return true
    }

    private mutating func draw() {
        guard let frame = state?.frame(size: device.size, appearance) else { return }
        let output = region.draw(frame, appearance)
        device.write(output, cleanup: region.clearing)
    }

    private mutating func waitForInput() throws(TerminalError) {
        let isAnimated = state?.isAnimated ?? false
        let size = device.size
        var reactions: [Reaction] = []
        var failure: ProtocolError?
        let input = keys.read(milliseconds: isAnimated ? Self.turn : nil) { key in
            do throws(ProtocolError) {
                if let reaction = try state?.handle(key, size: size) { reactions.append(reaction) }
            } catch {
                failure = error
            }
        }
        if let failure { throw TerminalError(.system, failure.message) }
        // Of several searches that came at once, only the last is of interest.
        let lastSearch = reactions.lastIndex(where: \.isSearch)
        for (index, reaction) in reactions.enumerated() where !reaction.isSearch || index == lastSearch {
            act(on: reaction)
        }
        switch input {
        case .idle: state?.turn()
        case .resumed: region.forget()
        case .closed: throw TerminalError(.closed, "The terminal is gone.")
        case .bytes, .woken: break
        }
    }

    private func act(on reaction: Reaction) {
        switch reaction {
        case .none, .redraw: break
        case .event(let event): tell(.event(event))
        case .abandon: tell(.abandoned)
        case .suspend: device.suspend()
        }
    }

    private func finish() {
        state?.wipe()
        device.write(region.clearing, cleanup: "")
    }
}
