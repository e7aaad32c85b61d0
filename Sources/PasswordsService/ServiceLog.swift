import Glibc

/// Where the service says what it did: one line each, to standard error. Never content, never a name from the vault.
package struct ServiceLog: Sendable {
    private let write: @Sendable (String) -> Void

    /// A log that hands each line to `write`.
    package init(_ write: @escaping @Sendable (String) -> Void) {
        self.write = write
    }

    /// A log on standard error, each line behind the program's name.
    package static let standardError = ServiceLog { line in
        let bytes = Array("keyway-vaultd: \(line)\n".utf8)
        // A log that cannot be written is no reason to stop.
        _ = bytes.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }

    /// Writes one line.
    package func callAsFunction(_ line: String) {
        write(line)
    }
}
