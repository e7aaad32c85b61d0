import AutoFillProtocol
package import AutoFillWire
import BrokerBase
package import KeywaySystem

/// What the processes of a bundle may do with its provider's identity store, and with no other.
package struct IdentityMethods: Sendable {
    /// Why the store of a request is nobody's. The compiler counts no use of a module inside the type of a function.
    package typealias Failure = ProtocolError

    private let stores: IdentityStores
    private let clock: any TimeSource

    /// Answers from `stores`; how long a write waits for its next part is told by `clock`.
    package init(stores: IdentityStores, clock: any TimeSource) {
        self.stores = stores
        self.clock = clock
    }

    /// Answers the store's methods for whichever provider `provider` names; what it throws is the answer.
    ///
    /// A provider that is off is no failure to ``IdentityStoreState``: that is the answer. While the stores are locked
    /// it says that it knows of nothing, and whoever writes is told `busy`, as of any store that will be free later.
    package func add(
        to table: inout MethodTable,
        of provider: @escaping @Sendable (RequestContext) async throws(Failure) -> String
    ) {
        let (stores, clock) = (stores, clock)
        table.on(IdentityStoreState.self) { _, context in
            do {
                let holdsAny = try await stores.use(try await provider(context)) { try await $0.reader.holdsAny() }
                return IdentityStoreState.Result(isEnabled: true, supportsIncrementalUpdates: holdsAny)
            } catch let error as ProtocolError where error.code == .disabled || error.code == .locked {
                return IdentityStoreState.Result(isEnabled: error.code == .locked, supportsIncrementalUpdates: false)
            }
        }
        table.on(WriteIdentities.self) { parameters, context in
            let owner = ObjectIdentifier(context.connection)
            let now = clock.now
            do {
                return try await stores.use(try await provider(context)) {
                    try await $0.writer.write(parameters, owner: owner, now: now)
                }
            } catch let error as ProtocolError where error.code == .locked {
                throw ProtocolError(.busy, error.message)
            }
        }
        table.on(ReadIdentities.self) { parameters, context in
            try await stores.use(try await provider(context)) { try await $0.reader.read(parameters) }
        }
    }
}
