import KeywaySystem

/// Why the browser's request failed, as the extension is told: the kinds are those of `Browser/src/protocol/errors.js`.
struct HostFailure: Error, Sendable {
    /// The kinds of failure, `data.kind` on the wire.
    enum Kind: String, CaseIterable, Sendable {
        case notFound
        case refused
        case notAllowed
        case cancelled
        case timedOut
        case noProvider
        case elsewhere
        case exists
        case providerFailed
        case tooManyRequests
        case notApproved
        case forbidden
        case rateLimited
        case notVerified
        case needsPerson
        case brokerUnreachable
        case versionMismatch
        case invalid
    }

    /// What kind of failure this is.
    let kind: Kind
    /// A sentence for the person; never a secret, never the content of a page.
    let message: String
    /// The number of JSON-RPC 2.0, section 5.1.
    let code: Int

    init(_ kind: Kind, _ message: String, code: Int = -32000) {
        self.kind = kind
        self.message = message.fitting(ExtensionBounds.message)
        self.code = code
    }

    /// The frame holds no request.
    static func malformed(_ message: String) -> HostFailure { HostFailure(.invalid, message, code: -32600) }

    /// The parameters are not those of the method.
    static func parameters(_ message: String) -> HostFailure { HostFailure(.invalid, message, code: -32602) }
}

extension HostFailure: Equatable {
    static func == (left: HostFailure, right: HostFailure) -> Bool { left.kind == right.kind }
}

extension HostFailure {
    /// What the extension learns of a failure in the broker or on the way there.
    init(_ error: ProtocolError) {
        self.init(Self.kind(of: error.code), error.message)
    }

    private static func kind(of code: ProtocolError.Code) -> Kind {
        switch code {
        case .notFound: .notFound
        case .refused: .refused
        case .notAllowed: .notAllowed
        case .notApproved: .notApproved
        case .forbidden: .forbidden
        case .notVerified: .notVerified
        case .interactionRequired: .needsPerson
        case .cancelled: .cancelled
        case .timedOut: .timedOut
        case .noProvider, .disabled: .noProvider
        case .elsewhere: .elsewhere
        case .exists: .exists
        case .tooManyRequests: .tooManyRequests
        case .rateLimited: .rateLimited
        case .versionMismatch: .versionMismatch
        case .brokerNotRunning, .connectionClosed, .system, .helloExpected: .brokerUnreachable
        case .malformed, .invalidParameters, .frameTooLarge, .unknownMethod: .invalid
        case .providerFailed, .locked, .wrongPassword, .damaged, .busy, .internalError,
            .ambiguous:
            .providerFailed
        }
    }
}
