package import KeywaySystem
package import TerminalInterface

/// Why a command did not do what was asked: how the program ends, what it says, and what the person can do next.
package struct CommandError: Error, Hashable, Sendable {
    /// How the program ends; equality of two errors is equality of their codes.
    package let code: ExitCode
    /// What happened, in a sentence. Never a secret.
    package let message: String
    /// What to do next.
    package let hint: String?

    /// A failure of the kind `code`.
    package init(_ code: ExitCode, _ message: String, hint: String? = nil) {
        self.code = code
        self.message = message
        self.hint = hint
    }

    package static func == (left: CommandError, right: CommandError) -> Bool { left.code == right.code }

    package func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension CommandError {
    /// What a failure of the protocol means to the person at the command line.
    package init(_ error: ProtocolError) {
        self.init(Self.code(of: error.code), error.message, hint: Strings.hint(for: error.code))
    }

    /// What a failure of the terminal means.
    package init(_ error: TerminalError) {
        switch error.code {
        case .cancelled: self.init(.cancelled, Strings.cancelled)
        case .noTerminal: self.init(.needsPerson, error.detail, hint: Strings.needsTerminal)
        case .closed: self.init(.needsPerson, error.detail)
        case .mismatch, .system: self.init(.failure, error.detail)
        }
    }

    /// Any error, as what it means at the command line.
    init(any error: any Error) {
        switch error {
        case let error as CommandError: self = error
        case let error as ProtocolError: self.init(error)
        case let error as TerminalError: self.init(error)
        case is CancellationError: self.init(.cancelled, Strings.cancelled)
        default: self.init(.failure, "\(error)")
        }
    }

    static func code(of code: ProtocolError.Code) -> ExitCode {
        switch code {
        case .notFound, .noProvider, .elsewhere: .notFound
        case .cancelled: .cancelled
        case .locked, .interactionRequired: .needsPerson
        case .wrongPassword: .wrongPassword
        case .refused, .notAllowed, .disabled, .notApproved, .rateLimited, .notVerified, .forbidden: .refused
        case .brokerNotRunning, .versionMismatch, .connectionClosed: .brokerUnreachable
        case .providerFailed, .timedOut: .providerFailed
        case .damaged: .damaged
        case .exists: .exists
        case .ambiguous: .ambiguous
        case .invalidParameters: .usage
        case .frameTooLarge, .malformed, .helloExpected, .unknownMethod, .tooManyRequests, .busy, .system,
            .internalError:
            .failure
        }
    }
}
