package import KeywayCrypto

/// How a terminal treats what is typed.
package enum InputMode: Hashable, Sendable {
    /// Key by key, nothing echoed, signs for signals included.
    case keys
    /// Line by line, as the terminal was.
    case lines
    /// Line by line, nothing echoed.
    case hiddenLines
}

/// What came of waiting for a terminal.
package enum DeviceInput: Hashable, Sendable {
    /// Bytes were typed.
    case bytes
    /// Somebody called ``TerminalDevice/wake()``, or the size changed.
    case woken
    /// The process was stopped and goes on: what is on the screen is not ours any more.
    case resumed
    /// Nothing came in time.
    case idle
    /// The terminal is gone.
    case closed
}

/// A terminal to draw on and to type at: the person's own, or one of a test.
package protocol TerminalDevice: Sendable {
    /// Its size, as it is now.
    var size: ScreenSize { get }
    /// Begins to treat input as `mode` says; called again, changes the mode.
    ///
    /// - Throws: ``TerminalError`` with the code `system`.
    func enter(_ mode: InputMode) throws(TerminalError)
    /// Makes the terminal as it was before the first ``enter(_:)``. Called twice, does nothing.
    func leave()
    /// Sends `text`. When the process is ended or stopped before the next call, `cleanup` is sent first.
    func write(_ text: String, cleanup: String)
    /// Sends the bytes of a secret that the person is to read.
    func write(_ secret: SecretBytes)
    /// Waits until something happens, `milliseconds` at most; what was typed is added to `buffer`.
    func wait(milliseconds: Int?, into buffer: SecretBuffer) -> DeviceInput
    /// Ends the current or the next wait. May be called from any thread.
    func wake()
    /// Stops the processes of this job, as Control-Z does.
    func suspend()
}
