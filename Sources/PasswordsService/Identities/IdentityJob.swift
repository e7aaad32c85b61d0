package import AutoFillProtocol
package import AutoFillWire
package import KeywaySystem

/// A state of a vault: its identifier and the number of its newest change.
package struct IdentityMark: Hashable, Sendable, CustomStringConvertible {
    let vault: String
    let epoch: UInt64

    /// One line of text.
    package var description: String { "\(vault) \(epoch)" }
}

/// What one change of an item means for the identity store.
package struct IdentityChange: Sendable {
    /// What is no longer suggested.
    let removed: [CredentialIdentity]
    /// What is suggested now.
    let saved: [CredentialIdentity]
    /// The state of the vault after the change.
    let mark: IdentityMark

    init(from before: [CredentialIdentity], to after: [CredentialIdentity], mark: IdentityMark) {
        removed = before.filter { !after.contains($0) }
        saved = after.filter { !before.contains($0) }
        self.mark = mark
    }
}

/// What there is to do for ``IdentitySync``, in the order in which it happened to the vault.
package enum IdentityJob: Sendable {
    /// The vault is open, or somebody came to use it: see that the store holds what it should.
    case bringInStep
    /// One item was added, changed or removed.
    case change(IdentityChange)
    /// There is no vault (any more).
    case vaultIsMissing
    /// Nothing to do: says that what came before is done.
    case report(@Sendable () -> Void)
}

/// The broker's identity store of this provider; injected, so that the rules can be tested without a broker.
package protocol SuggestionStore: Sendable {
    /// Whether it takes writes, and whether it holds anything.
    func state() async throws(ProtocolError) -> IdentityStoreState.Result
    /// Writes one part.
    func write(_ part: WriteIdentities.Parameters) async throws(ProtocolError) -> WriteIdentities.Result
}

/// The store behind the connection to the broker.
package struct BrokerSuggestionStore: SuggestionStore {
    private let broker: Connection

    /// Uses the connection that the service was born with.
    package init(_ broker: Connection) {
        self.broker = broker
    }

    package func state() async throws(ProtocolError) -> IdentityStoreState.Result {
        try await broker.call(IdentityStoreState.self, Nothing())
    }

    package func write(_ part: WriteIdentities.Parameters) async throws(ProtocolError) -> WriteIdentities.Result {
        try await broker.call(WriteIdentities.self, part)
    }
}
