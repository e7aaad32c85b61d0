import Dispatch
import Synchronization

/// Shows the interfaces of one request in a terminal.
///
/// The terminal is touched from the first ``show(_:)`` to ``close()``, by one thread of its own; a request that needs
/// no person leaves it alone.
package final class TerminalPresenter: Sendable {
    private let device: any TerminalDevice
    private let appearance: Appearance
    private let onOutcome: @Sendable (PresenterOutcome) -> Void
    private let mailbox = Mailbox()
    private let isStarted = Mutex(false)
    private let queue = DispatchQueue(label: "org.keyway.terminal")

    /// A presenter on `device`; `onOutcome` is called on the drawing thread and must return at once.
    package init(
        device: any TerminalDevice, appearance: Appearance, onOutcome: @escaping @Sendable (PresenterOutcome) -> Void
    ) {
        self.device = device
        self.appearance = appearance
        self.onOutcome = onOutcome
    }

    /// Shows `presentation` in place of what is there. Returns at once; may be called from any thread.
    package func show(_ presentation: Presentation) {
        mailbox.post(presentation)
        let isFirst = isStarted.withLock { started in
            defer { started = true }
            return !started
        }
        if isFirst { queue.async { self.run() } } else { device.wake() }
    }

    /// Takes everything away, makes the terminal as it was, and returns when that is done.
    package func close() async {
        mailbox.close()
        guard isStarted.withLock({ $0 }) else { return }
        device.wake()
        await withCheckedContinuation { continuation in
            mailbox.whenEnded { continuation.resume() }
        }
    }

    private func run() {
        do throws(TerminalError) {
            if appearance.movesCursor {
                var screen = ScreenLoop(device: device, appearance: appearance, mailbox: mailbox, tell: onOutcome)
                try screen.run()
            } else {
                var dialogue = LineLoop(device: device, mailbox: mailbox, tell: onOutcome)
                try dialogue.run()
            }
        } catch {
            onOutcome(.failed(error))
        }
        device.leave()
        mailbox.end()
    }
}
