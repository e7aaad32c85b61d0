package import KeywayCrypto

/// Asks for a secret in one line; nothing of it is shown, not even how long it is.
package struct SecretPrompt {
    private let device: any TerminalDevice

    /// A prompt on `device`.
    package init(device: any TerminalDevice) {
        self.device = device
    }

    /// Prints `question` and takes what is typed until Enter.
    ///
    /// - Throws: ``TerminalError`` with the code `cancelled` when the person backed out, or `closed`.
    package func ask(_ question: String) throws(TerminalError) -> SecretBytes {
        let field = SecretField()
        defer { field.clear() }
        try askForKeys(device, question) { key in
            switch key {
            case .enter: return true
            default:
                _ = field.handle(key)
                return false
            }
        }
        return field.finish()
    }
}

/// Asks a question that only `y` answers with yes.
package struct ConfirmationPrompt {
    private let device: any TerminalDevice

    /// A prompt on `device`.
    package init(device: any TerminalDevice) {
        self.device = device
    }

    /// Prints `question`; whether the person said yes.
    ///
    /// - Throws: ``TerminalError`` with the code `cancelled` when the person backed out, or `closed`.
    package func ask(_ question: String) throws(TerminalError) -> Bool {
        var isYes = false
        try askForKeys(device, "\(question) \(InterfaceText.yesOrNo) ") { key in
            switch key {
            case .enter: return true
            case .text(let scalar):
                isYes = InterfaceText.plainYes.contains(scalar)
                device.write(isYes ? InterfaceText.yes : InterfaceText.no, cleanup: "\r\n")
                return true
            default: return false
            }
        }
        return isYes
    }
}

/// Prints `question` and hands over key by key, until `take` says that this was the last.
private func askForKeys(
    _ device: any TerminalDevice, _ question: String, _ take: (Key) -> Bool
) throws(TerminalError) {
    try device.enter(.keys)
    defer {
        device.write("\r\n", cleanup: "")
        device.leave()
    }
    device.write(question, cleanup: "\r\n")
    var reader = KeyReader(device)
    var isDone = false
    var isCancelled = false
    while !isDone {
        let input = reader.read(milliseconds: nil) { key in
            guard !isDone else { return }
            switch key {
            case .escape, .control("c"), .control("d"), .control("\\"): (isDone, isCancelled) = (true, true)
            case .control("z"): device.suspend()
            default: isDone = take(key)
            }
        }
        if input == .resumed { device.write(question, cleanup: "\r\n") }
        guard input != .closed else { throw TerminalError(.closed, "The terminal is gone.") }
    }
    if isCancelled { throw TerminalError(.cancelled, "Cancelled.") }
}
