package import AutoFillProtocol
package import KeywaySystem

extension BundleProcesses {
    /// A provider that its author looks at.
    package struct Debugging: Sendable {
        /// The bundle that the person was asked about.
        package let bundle: ProviderBundle
        /// Whose requests go to the debugged extension: a terminal's.
        let caller: Caller
        /// Tells this time from the next.
        package let owner: ObjectIdentifier
        /// Called once, when it is over.
        var onEnd: @Sendable () -> Void

        /// The author of `bundle` looks at it, in `caller`'s terminal.
        ///
        /// - Parameters:
        ///   - owner: tells this time from the next.
        ///   - onEnd: called once, when it is over.
        package init(
            bundle: ProviderBundle, caller: Caller, owner: ObjectIdentifier, onEnd: @escaping @Sendable () -> Void = {}
        ) {
            self.bundle = bundle
            self.caller = caller
            self.owner = owner
            self.onEnd = onEnd
        }
    }

    /// Whether a debugger may look into an extension of the provider now.
    package nonisolated func isDebugged(_ provider: String) -> Bool {
        debugging.withLock { $0[provider] != nil }
    }

    /// Whether it is the one that answers `caller`: then nothing that it does for them has a deadline.
    package nonisolated func isDebugged(_ provider: String, for caller: Caller?) -> Bool {
        guard let caller else { return false }
        return debugging.withLock { $0[provider]?.caller == caller }
    }

    /// Which process answers. A debugged extension answers the terminal that debugs it and nobody else: what others ask
    /// for goes to extensions that no debugger can look into.
    nonisolated func key(of bundle: ProviderBundle, for caller: Caller, _ use: Use) -> Key {
        let provider = bundle.reference.identifier
        return Key(provider: provider, use: isDebugged(provider, for: caller) ? .debugged : use, caller: caller)
    }

    /// Starts the extension that is debugged, until ``stopDebugging(_:owner:)`` or until its bundle changes.
    ///
    /// - Returns: its process.
    /// - Throws: ``ProtocolError``: `busy` when it is debugged already, or as ``start(_:_:debugging:)``.
    package func startDebugging(_ session: Debugging, stopped: Bool) async throws(ProtocolError) -> Int32 {
        _ = await confinement()
        let (bundle, provider) = (session.bundle, session.bundle.reference.identifier)
        let isFirst = debugging.withLock { debugging in
            guard debugging[provider] == nil else { return false }
            debugging[provider] = session
            return true
        }
        guard isFirst else { throw Self.isBusy(bundle.reference) }
        do throws(ProtocolError) {
            let key = key(of: bundle, for: session.caller, .debugged)
            try await examineAgain(bundle)
            let process = try start(bundle, key, debugging: stopped ? .stopped : .allowed)
            _ = await process.identified()
            log("\(process.label) is being debugged")
            return process.processIdentifier
        } catch {
            debugging.withLock { $0[provider] = nil }
            throw error
        }
    }

    /// What is said where a provider is being debugged already.
    package static func isBusy(_ provider: ProviderReference) -> ProtocolError {
        ProtocolError(
            .busy, "\(provider.name) is already being debugged from another terminal.", provider: provider.identifier)
    }

    /// Deadlines count again, and the debugged extension ends.
    package func stopDebugging(_ provider: String, owner: ObjectIdentifier) {
        let session = debugging.withLock { debugging -> Debugging? in
            guard debugging[provider]?.owner == owner else { return nil }
            return debugging.removeValue(forKey: provider)
        }
        guard let session else { return }
        let key = Key(provider: provider, use: .debugged, caller: session.caller)
        log("\(provider) is debugged no more")
        if let process = entries[key]?.process { end(key, process) }
        session.onEnd()
    }

    /// Ends the debugging of bundles that are not among these any more, or not the same: the person was asked about
    /// another one.
    func keepDebugging(_ bundles: [ProviderBundle]) {
        let others = debugging.withLock { $0.values.filter { !bundles.contains($0.bundle) } }
        for session in others { stopDebugging(session.bundle.reference.identifier, owner: session.owner) }
    }
}
