/// Why a message was refused or a request failed, in a form that can be sent over the socket.
///
/// The code is the kind of failure, and the message is a sentence for the person. Neither ever contains a secret.
package struct ProtocolError: Error, Hashable, Sendable {
    /// The kinds of failure, as `data.kind` names them on the wire.
    package enum Code: String, Codable, CaseIterable, Sendable {
        /// The frame's length is over the limit; its bytes were skipped.
        case frameTooLarge
        /// The bytes are no JSON, nested too deeply, or no JSON-RPC 2.0 message.
        case malformed
        /// The first message was not `hello`.
        case helloExpected
        /// The two sides speak different major versions of the protocol.
        case versionMismatch
        /// Nobody here answers that method.
        case unknownMethod
        /// The method exists, but not for this role.
        case notAllowed
        /// Parameters are missing, mistyped, or out of bounds.
        case invalidParameters
        /// More requests in flight than a connection may have.
        case tooManyRequests
        /// The request was cancelled, by the person or by whoever sent it.
        case cancelled
        /// The deadline passed.
        case timedOut
        /// The connection ended before the answer came.
        case connectionClosed
        /// What was asked for is not there (any more).
        case notFound
        /// A rule forbids it: another origin, another session, a look-alike.
        case refused
        /// No provider is enabled, or none can answer.
        case noProvider
        /// The provider failed: died, answered wrongly, or said so.
        case providerFailed
        /// The provider needs the person and this caller shows no interface.
        case interactionRequired
        /// The vault, or the store, is locked for this caller.
        case locked
        /// The master password is wrong.
        case wrongPassword
        /// The thing exists already.
        case exists
        /// The file or store is damaged and was left untouched.
        case damaged
        /// Busy now; the same call may succeed later.
        case busy
        /// The provider is not enabled, so it has no store.
        case disabled
        /// A system call failed.
        case system
        /// A fault of ours.
        case internalError
        /// Nobody listens at the broker's socket, and it could not be started. Never crosses the socket.
        case brokerNotRunning
        /// Several things are called that; the message says how to name one.
        case ambiguous
        /// The person has not approved the program that asks, or has refused it.
        case notApproved
        /// The administrator of this computer does not allow it (`keyway(5)`).
        case forbidden
        /// The program asks too much in too short a time.
        case rateLimited
        /// The person could not be verified: no method is available, or the check failed.
        case notVerified
        /// Nobody here has what is asked for, or the person wants another device to answer.
        case elsewhere
    }

    /// What kind of failure this is; equality of two errors is equality of their codes.
    package let code: Code
    /// A sentence that says what, where and what to do.
    package let message: String
    /// The provider that the failure is about, where there is one.
    package let provider: String?

    /// An error of `code` that reads `message`.
    package init(_ code: Code, _ message: String, provider: String? = nil) {
        self.code = code
        self.message = message
        self.provider = provider
    }

    package static func == (left: ProtocolError, right: ProtocolError) -> Bool { left.code == right.code }

    package func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension ProtocolError {
    /// The failure of the system call `name` that has just set `errno`.
    package static func system(_ name: String, _ number: Int32) -> ProtocolError {
        ProtocolError(.system, "\(name): \(SystemCall.describe(number))")
    }
}

extension ProtocolError: CustomStringConvertible {
    package var description: String { message }
}
