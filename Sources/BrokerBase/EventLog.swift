import AutoFillWire
import Glibc

/// The broker's log: one line for each event, about processes and providers, never about accounts.
package struct EventLog: Sendable {
    private let write: @Sendable (String) -> Void

    /// A log whose lines go to `write`.
    package init(_ write: @escaping @Sendable (String) -> Void) {
        self.write = write
    }

    /// One line.
    package func callAsFunction(_ line: String) {
        write(line)
    }

    /// Standard error, behind the program's name.
    package static let standardError = EventLog { line in
        var text = "keywayd: \(DisplayText.line(line))\n"
        text.withUTF8 { _ = Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
