public import Foundation

/// What a provider told the system to suggest.
///
/// A store belongs to one provider; it takes writes while the provider is turned on. Each write takes effect as a whole
/// or, when it fails, not at all. Completion handlers run on the main actor.
// SAFETY: what is stored is Sendable and never changes after the initialiser.
open class ASCredentialIdentityStore: NSObject, @unchecked Sendable {
    /// Kinds of identities; the empty set means all of them.
    public struct IdentityTypes: OptionSet, Sendable {
        /// The kinds as bits.
        public let rawValue: UInt

        /// The kinds whose bits are set.
        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        /// Passwords.
        public static var password: IdentityTypes { IdentityTypes(rawValue: 1) }
        /// Passkeys.
        public static var passkey: IdentityTypes { IdentityTypes(rawValue: 2) }
        /// One-time codes.
        public static var oneTimeCode: IdentityTypes { IdentityTypes(rawValue: 4) }
    }

    private(set) var broker = BrokerLink.process

    /// The store of the provider that this process belongs to.
    open class var shared: ASCredentialIdentityStore { processStore }

    /// A store like ``shared``.
    public override init() {
        super.init()
    }

    /// The store behind `broker`.
    package convenience init(broker: BrokerLink) {
        self.init()
        self.broker = broker
    }

    // MARK: State

    /// Whether the store takes writes, and whether it holds anything: ask before every write.
    nonisolated(nonsending) open func state() async -> ASCredentialIdentityStoreState {
        await readState()
    }

    /// Calls `completion` with what ``state()`` returns.
    open func getState(_ completion: @escaping (ASCredentialIdentityStoreState) -> Void) {
        deliver(completion) { await self.readState() }
    }

    // MARK: Saving

    /// Adds identities; those that are there already are overwritten.
    nonisolated(nonsending) open func saveCredentialIdentities(
        _ credentialIdentities: [any ASCredentialIdentity]
    ) async throws {
        try await write(.save, credentialIdentities)
    }

    /// Adds identities; those that are there already are overwritten.
    open func saveCredentialIdentities(
        _ credentialIdentities: [any ASCredentialIdentity], completion: ((Bool, (any Error)?) -> Void)? = nil
    ) {
        write(.save, credentialIdentities, completion)
    }

    /// Adds identities; those that are there already are overwritten.
    @available(*, deprecated, message: "Pass [any ASCredentialIdentity].")
    nonisolated(nonsending) open func saveCredentialIdentities(
        _ credentialIdentities: [ASPasswordCredentialIdentity]
    ) async throws {
        try await write(.save, credentialIdentities)
    }

    /// Adds identities; those that are there already are overwritten.
    @available(*, deprecated, message: "Pass [any ASCredentialIdentity].")
    open func saveCredentialIdentities(
        _ credentialIdentities: [ASPasswordCredentialIdentity], completion: ((Bool, (any Error)?) -> Void)? = nil
    ) {
        write(.save, credentialIdentities, completion)
    }

    // MARK: Replacing

    /// Makes these identities all that there are; an empty array empties the store.
    nonisolated(nonsending) open func replaceCredentialIdentities(
        _ newCredentialIdentities: [any ASCredentialIdentity]
    ) async throws {
        try await write(.replace, newCredentialIdentities)
    }

    /// Makes these identities all that there are; an empty array empties the store.
    open func replaceCredentialIdentities(
        _ newCredentialIdentities: [any ASCredentialIdentity], completion: ((Bool, (any Error)?) -> Void)? = nil
    ) {
        write(.replace, newCredentialIdentities, completion)
    }

    /// Makes these identities all that there are; an empty array empties the store.
    @available(*, deprecated, renamed: "replaceCredentialIdentities(_:)")
    nonisolated(nonsending) open func replaceCredentialIdentities(
        with newCredentialIdentities: [ASPasswordCredentialIdentity]
    ) async throws {
        try await write(.replace, newCredentialIdentities)
    }

    /// Makes these identities all that there are; an empty array empties the store.
    @available(*, deprecated, renamed: "replaceCredentialIdentities(_:completion:)")
    open func replaceCredentialIdentities(
        with newCredentialIdentities: [ASPasswordCredentialIdentity], completion: ((Bool, (any Error)?) -> Void)? = nil
    ) {
        write(.replace, newCredentialIdentities, completion)
    }

    // MARK: Removing

    /// Takes identities away; one that is not there is no error.
    nonisolated(nonsending) open func removeCredentialIdentities(
        _ credentialIdentities: [any ASCredentialIdentity]
    ) async throws {
        try await write(.remove, credentialIdentities)
    }

    /// Takes identities away; one that is not there is no error.
    open func removeCredentialIdentities(
        _ credentialIdentities: [any ASCredentialIdentity], completion: ((Bool, (any Error)?) -> Void)? = nil
    ) {
        write(.remove, credentialIdentities, completion)
    }

    /// Takes identities away; one that is not there is no error.
    @available(*, deprecated, message: "Pass [any ASCredentialIdentity].")
    nonisolated(nonsending) open func removeCredentialIdentities(
        _ credentialIdentities: [ASPasswordCredentialIdentity]
    ) async throws {
        try await write(.remove, credentialIdentities)
    }

    /// Takes identities away; one that is not there is no error.
    @available(*, deprecated, message: "Pass [any ASCredentialIdentity].")
    open func removeCredentialIdentities(
        _ credentialIdentities: [ASPasswordCredentialIdentity], completion: ((Bool, (any Error)?) -> Void)? = nil
    ) {
        write(.remove, credentialIdentities, completion)
    }

    /// Empties the store.
    nonisolated(nonsending) open func removeAllCredentialIdentities() async throws {
        try await write(.replace, [])
    }

    /// Empties the store.
    open func removeAllCredentialIdentities(_ completion: ((Bool, (any Error)?) -> Void)? = nil) {
        write(.replace, [], completion)
    }

    // MARK: Reading

    /// What the provider's own store holds: of one service or, for nil, of all; of the kinds given or, for the empty set,
    /// of all. Empty when the store cannot be read.
    nonisolated(nonsending) open func credentialIdentities(
        forService serviceIdentifier: ASCredentialServiceIdentifier? = nil,
        credentialIdentityTypes: ASCredentialIdentityStore.IdentityTypes = []
    ) async -> [any ASCredentialIdentity] {
        await read(serviceIdentifier, credentialIdentityTypes)
    }
}
