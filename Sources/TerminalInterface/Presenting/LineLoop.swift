import KeywayCrypto

/// Asks line by line, on terminals that cannot move their cursor: until the presenter is closed.
struct LineLoop {
    private let device: any TerminalDevice
    private let mailbox: Mailbox
    private let tell: (PresenterOutcome) -> Void
    private var dialogue: LineDialogue?
    private let line = SecretField()
    private let buffer = SecretBuffer()

    init(device: any TerminalDevice, mailbox: Mailbox, tell: @escaping (PresenterOutcome) -> Void) {
        self.device = device
        self.mailbox = mailbox
        self.tell = tell
    }

    mutating func run() throws(TerminalError) {
        try device.enter(.lines)
        var shown: Presentation?
        while true {
            let (newest, isClosed) = mailbox.take()
            guard !isClosed else { break }
            if let newest {
                dialogue = LineDialogue(newest)
                if newest != shown { say(dialogue?.introduction ?? []) }
                shown = newest
                try ask()
            }
            try waitForLine()
        }
        line.clear()
    }

    private func say(_ lines: [String]) {
        device.write(lines.map { $0 + "\r\n" }.joined(), cleanup: "")
    }

    private func ask() throws(TerminalError) {
        guard let prompt = dialogue?.prompt else { return }
        try device.enter(dialogue?.isHidden == true ? .hiddenLines : .lines)
        device.write(prompt, cleanup: "\r\n")
    }

    private mutating func waitForLine() throws(TerminalError) {
        defer { buffer.removeAll() }
        switch device.wait(milliseconds: nil, into: buffer) {
        case .closed: throw TerminalError(.closed, "The terminal is gone.")
        case .resumed:
            // What was said last may not have been sent any more.
            say(dialogue?.introduction ?? [])
            try ask()
        case .woken, .idle: return
        case .bytes:
            for index in 0..<buffer.count {
                let byte = buffer.withUnsafeBytes { $0[index] }
                if byte == UInt8(ascii: "\n") { try answer() } else { line.append(byte: byte) }
            }
        }
    }

    private mutating func answer() throws(TerminalError) {
        guard var dialogue, dialogue.prompt != nil else { return line.clear() }
        let reaction: Reaction
        if dialogue.isHidden {
            say([""])
            do { reaction = dialogue.answer(hidden: try line.seal()) } catch {
                throw TerminalError(.system, error.message)
            }
        } else {
            let text = line.finish().withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
            let (outcome, printed) = dialogue.answer(text)
            say(printed)
            reaction = outcome
        }
        self.dialogue = dialogue
        if case .event(let event) = reaction { tell(.event(event)) } else { try ask() }
    }
}
