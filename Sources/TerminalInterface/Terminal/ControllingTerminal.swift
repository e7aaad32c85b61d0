import Glibc
package import KeywayCrypto
import KeywaySystem
import Synchronization

/// The terminal of the person who runs the command, `/dev/tty`: never standard input or output, which may be pipes.
///
/// However the process ends, also by a signal, the terminal is restored. (SIGKILL can't be caught: `reset` helps.)
package final class ControllingTerminal: TerminalDevice, SignalObserver {
    private struct State {
        /// As it was before we came; nil while it is so.
        var original: termios?
        var mode = InputMode.lines
        var cleanup = ""
        /// The process ends or stops: nothing is drawn any more. It stays so until whoever draws has learnt that the
        /// process went on: what they had in hand belongs to a screen that is gone.
        var isAway = false
        /// The process went on, and nobody has been told yet.
        var isResumed = false
        /// Somebody is between ``enter(_:)`` and ``leave()``.
        var isEntered: Bool { original != nil }

        mutating func comeBack() {
            isAway = false
            isResumed = false
        }
    }

    /// Marks around what is pasted (xterm's bracketed paste).
    private static let pasteMarks = (on: "\u{1B}[?2004h", off: "\u{1B}[?2004l")

    private let terminal: OwnedDescriptor
    private let wakeReader: OwnedDescriptor
    private let wakeWriter: OwnedDescriptor
    private let understandsSequences: Bool
    private let state = Mutex(State())

    /// Opens the controlling terminal, or the one at `path`. ``SignalWatch/prepare()`` must have been called.
    ///
    /// - Throws: ``TerminalError`` with the code `noTerminal` where there is none.
    package init(path: String = "/dev/tty", appearance: Appearance) throws(TerminalError) {
        let file = open(path, O_RDWR | O_CLOEXEC | O_NOCTTY)
        guard file >= 0 else {
            throw TerminalError(.noTerminal, "There is no terminal to ask on (\(SystemCall.describe(errno))).")
        }
        terminal = OwnedDescriptor(file)
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else { throw TerminalError(.system, "pipe: \(SystemCall.describe(errno))") }
        wakeReader = OwnedDescriptor(ends[0])
        wakeWriter = OwnedDescriptor(ends[1])
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        understandsSequences = appearance.movesCursor
    }

    package var size: ScreenSize {
        SystemTerminal.size(of: terminal.rawValue).map { ScreenSize(columns: $0.columns, rows: $0.rows) } ?? .standard
    }

    // MARK: Modes

    package func enter(_ mode: InputMode) throws(TerminalError) {
        SignalWatch.shared.observe(self)
        try state.withLock { (state) throws(TerminalError) in
            if !state.isEntered {
                var now = termios()
                guard tcgetattr(terminal.rawValue, &now) == 0 else {
                    throw TerminalError(.system, "tcgetattr: \(SystemCall.describe(errno))")
                }
                state.original = now
            }
            state.mode = mode
            // About to stop: the terminal is given back already, and is taken again when the process goes on.
            guard !state.isAway || state.isResumed else { return }
            guard apply(state, flushing: true) else {
                throw TerminalError(.system, "tcsetattr: \(SystemCall.describe(errno))")
            }
        }
    }

    package func leave() {
        SignalWatch.shared.observe(nil)
        state.withLock { state in
            restore(&state)
            state.original = nil
            // Who comes next need not hear of a stop that was before their time.
            if state.isResumed { state.comeBack() }
        }
    }

    /// Sets the terminal to the mode of `state`; what was typed before, and echoed, is not taken for an answer.
    private func apply(_ state: State, flushing: Bool) -> Bool {
        guard var attributes = state.original else { return true }
        switch state.mode {
        case .lines: break
        case .hiddenLines: attributes.c_lflag &= ~tcflag_t(ECHO | ECHONL)
        case .keys:
            attributes.c_lflag &= ~tcflag_t(ECHO | ECHONL | ICANON | ISIG | IEXTEN)
            attributes.c_iflag &= ~tcflag_t(IXON | ICRNL | INLCR | IGNCR | BRKINT | ISTRIP)
            withUnsafeMutableBytes(of: &attributes.c_cc) { characters in
                characters[Int(VMIN)] = 1
                characters[Int(VTIME)] = 0
            }
        }
        guard tcsetattr(terminal.rawValue, flushing ? TCSAFLUSH : TCSADRAIN, &attributes) == 0 else { return false }
        if state.mode == .keys && understandsSequences { send(Self.pasteMarks.on) }
        return true
    }

    /// Gives the terminal back. What was typed for a question that hides it, and that nobody read, goes to nobody else.
    private func restore(_ state: inout State) {
        guard var original = state.original else { return }
        send(state.cleanup + (state.mode == .keys && understandsSequences ? Self.pasteMarks.off : ""))
        state.cleanup = ""
        tcsetattr(terminal.rawValue, state.mode == .lines ? TCSADRAIN : TCSAFLUSH, &original)
    }

    // MARK: Signals

    package func terminalWasResized() { wake() }

    package func processWillLeave() {
        state.withLock { state in
            restore(&state)
            state.isAway = true
            state.isResumed = false
        }
    }

    package func processResumed() {
        state.withLock { state in
            guard state.isEntered else { return state.comeBack() }
            state.isResumed = true
            // Somebody may have changed the terminal while we were away; that is how it was, then.
            var now = termios()
            if tcgetattr(terminal.rawValue, &now) == 0 { state.original = now }
            _ = apply(state, flushing: false)
        }
        wake()
    }

    package func suspend() { kill(0, SIGTSTP) }

    // MARK: Input and output

    package func write(_ text: String, cleanup: String) {
        state.withLock { state in
            guard !state.isAway else { return }
            send(text)
            state.cleanup = cleanup
        }
    }

    package func write(_ secret: SecretBytes) {
        state.withLock { state in
            guard !state.isAway else { return }
            secret.withUnsafeBytes { _ = WholeTransfer.write($0, to: terminal.rawValue) }
        }
    }

    package func wake() {
        var byte: UInt8 = 0
        _ = Glibc.write(wakeWriter.rawValue, &byte, 1)
    }

    package func wait(milliseconds: Int?, into buffer: SecretBuffer) -> DeviceInput {
        var descriptors = [
            pollfd(fd: terminal.rawValue, events: Int16(POLLIN), revents: 0),
            pollfd(fd: wakeReader.rawValue, events: Int16(POLLIN), revents: 0),
        ]
        let ready = poll(&descriptors, 2, milliseconds.map(CInt.init) ?? -1)
        if ready < 0 { return errno == EINTR ? .woken : .closed }
        if descriptors[1].revents != 0 { return drainWakes() }
        return ready == 0 ? .idle : receive(into: buffer)
    }

    private func drainWakes() -> DeviceInput {
        var bytes = [UInt8](repeating: 0, count: 64)
        while read(wakeReader.rawValue, &bytes, bytes.count) == bytes.count {}
        return state.withLock { state in
            guard state.isResumed else { return .woken }
            state.comeBack()
            return .resumed
        }
    }

    private func receive(into buffer: SecretBuffer) -> DeviceInput {
        let room = 256
        var received = 0
        buffer.append(count: room) { bytes in
            repeat {
                received = read(terminal.rawValue, bytes.baseAddress, room)
            } while received < 0 && errno == EINTR
        }
        buffer.removeLast(room - max(received, 0))
        return received > 0 ? .bytes : .closed
    }

    private func send(_ text: String) {
        var text = text
        _ = text.withUTF8 { WholeTransfer.write(UnsafeRawBufferPointer($0), to: terminal.rawValue) }
    }
}
