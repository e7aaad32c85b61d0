import AutoFillWire
import BrokerBase
package import KeywaySystem
import Synchronization

/// The providers that are on, as the folders are whenever somebody asks.
package final class ProviderDirectory: Sendable {
    private struct State {
        var generation = 0
        var follower: (@Sendable (ProviderRegistry.Snapshot) async -> Void)?
    }

    private let registry: ProviderRegistry
    private let openSettings: @Sendable () async -> Void
    private let refreshing = Turn()
    private let state = Mutex(State())

    /// The providers of `registry`.
    ///
    /// - Parameter openSettings: waits until settings can be read.
    package init(_ registry: ProviderRegistry, openSettings: @escaping @Sendable () async -> Void) {
        self.registry = registry
        self.openSettings = openSettings
    }

    /// From now on `body` brings what is kept for providers in step with every change, one change at a time, before
    /// anybody learns of it.
    package func follow(_ body: @escaping @Sendable (ProviderRegistry.Snapshot) async -> Void) {
        state.withLock { $0.follower = body }
    }

    /// The enabled providers, as the folders are now. Whoever is gone since is stopped and forgotten.
    ///
    /// - Throws: ``ProtocolError`` with the code `damaged` when the person's choices cannot be read.
    package func enabled() async throws(ProtocolError) -> [ProviderBundle] {
        await openSettings()
        let snapshot = try await registry.snapshot()
        if state.withLock({ $0.generation }) != snapshot.generation { try await adopt() }
        return snapshot.enabled
    }

    private func adopt() async throws(ProtocolError) {
        try await refreshing.run { () async throws(ProtocolError) in
            let snapshot = try await registry.snapshot()
            guard state.withLock({ $0.generation }) != snapshot.generation else { return }
            await state.withLock({ $0.follower })?(snapshot)
            state.withLock { $0.generation = snapshot.generation }
        }
    }

    /// Whether there is nothing that a program could ask for: no provider was ever turned on.
    package func isEmpty() async -> Bool {
        guard let snapshot = try? await registry.snapshot() else { return false }
        return snapshot.enabled.isEmpty && snapshot.changed.isEmpty
    }

    // MARK: - One of them

    /// The enabled provider with this identifier, or the only one.
    ///
    /// - Throws: ``ProtocolError``: `noProvider`, or `invalidParameters` when several could be meant.
    package func provider(_ identifier: String?) async throws(ProtocolError) -> ProviderBundle {
        let enabled = try await enabled()
        guard let identifier else {
            guard let only = enabled.first else { throw try await changedProvider { _ in true } ?? Self.noneEnabled }
            guard enabled.count == 1 else { throw Self.severalEnabled(enabled) }
            return only
        }
        guard let bundle = enabled.first(where: { $0.reference.identifier == identifier }) else {
            if let changed = try await changedProvider({ $0.reference.identifier == identifier }) { throw changed }
            throw ProtocolError(
                .noProvider,
                "The provider `\(DisplayText.line(identifier))` is not turned on. Run: keyway providers list",
                provider: DisplayText.line(identifier))
        }
        return bundle
    }

    /// The enabled provider with this identifier, or the only one that has the capability.
    ///
    /// - Throws: ``ProtocolError``: `noProvider`, or `invalidParameters` when several could be meant.
    package func only(_ identifier: String?, _ capability: Capability) async throws(ProtocolError) -> ProviderBundle {
        let capable = try await capable(identifier, capability)
        guard capable.count == 1 else { throw Self.severalEnabled(capable) }
        return capable[0]
    }

    /// The enabled provider with this identifier, or the first in the person's order that has the capability.
    ///
    /// - Throws: ``ProtocolError`` with the code `noProvider`.
    package func first(_ identifier: String?, _ capability: Capability) async throws(ProtocolError) -> ProviderBundle {
        try await capable(identifier, capability)[0]
    }

    /// Those that could be meant: one at least.
    private func capable(
        _ identifier: String?, _ capability: Capability
    ) async throws(ProtocolError) -> [ProviderBundle] {
        if let identifier {
            let bundle = try await provider(identifier)
            guard capability.isDeclared(bundle.capabilities) else {
                throw ProtocolError(
                    .noProvider, "\(bundle.reference.name) can't \(capability.words).",
                    provider: bundle.reference.identifier)
            }
            return [bundle]
        }
        let enabled = try await enabled()
        let capable = enabled.filter { capability.isDeclared($0.capabilities) }
        guard !capable.isEmpty else {
            if let changed = try await changedProvider({ capability.isDeclared($0.capabilities) }) { throw changed }
            guard !enabled.isEmpty else {
                throw capability.isDeclared(.ofPasswords) ? Self.noneEnabled : Self.noneEnabled(capability)
            }
            throw ProtocolError(.noProvider, "No provider is turned on that can \(capability.words).")
        }
        return capable
    }

    private static func severalEnabled(_ bundles: [ProviderBundle]) -> ProtocolError {
        let names = bundles.map(\.reference.identifier).joined(separator: ", ")
        return ProtocolError(.invalidParameters, "Several providers are turned on. Choose one of: \(names).")
    }

    /// What is said where the provider in the box would help.
    private static var noneEnabled: ProtocolError {
        ProtocolError(.noProvider, "No provider is turned on. Run: keyway providers enable org.keyway.passwords")
    }

    /// What is said where it would not.
    package static func noneEnabled(_ capability: Capability) -> ProtocolError {
        ProtocolError(
            .noProvider,
            "No provider is turned on that can \(capability.words). Run: keyway providers list")
    }

    // MARK: - What changed

    /// Refuses to start a bundle that is not what the person turned on.
    ///
    /// - Throws: ``ProtocolError`` with the code `noProvider`, `damaged`, `locked` or `system`.
    package func examine(_ bundle: ProviderBundle) async throws(ProtocolError) {
        guard try await !registry.mayStart(bundle) else { return }
        _ = try await enabled()
        let identifier = bundle.reference.identifier
        throw try await changedProvider { $0.reference.identifier == identifier }
            ?? ProtocolError(
                .noProvider, "\(bundle.reference.name) is no longer turned on. Run: keyway providers list",
                provider: identifier)
    }

    /// What is to be said of the provider that is meant, was turned on and has changed since; nil where there is none.
    private func changedProvider(
        _ isMeant: @Sendable (ProviderBundle) -> Bool
    ) async throws(ProtocolError) -> ProtocolError? {
        guard let bundle = try await registry.snapshot().changed.first(where: isMeant) else { return nil }
        let identifier = bundle.reference.identifier
        return ProtocolError(
            .noProvider,
            "\(bundle.reference.name) has changed since you turned it on, so Keyway turned it off. If you still trust it: "
                + "keyway providers enable \(identifier)", provider: identifier)
    }
}
