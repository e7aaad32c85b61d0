import AutoFillProtocol

extension BundleProcesses {
    /// A provider that its author looks at.
    struct Debugging: Sendable {
        /// Whose requests go to the debugged extension, besides those of pages.
        let caller: Caller
        /// Tells this time from the next.
        let owner: ObjectIdentifier
    }

    /// Whether nothing that the provider does has a deadline now.
    nonisolated func isDebugged(_ provider: String) -> Bool {
        debugging.withLock { $0[provider] != nil }
    }

    /// Which process answers. A debugged extension answers whatever its author could mean: pages and their own terminal.
    nonisolated func key(of bundle: ProviderBundle, for caller: Caller, _ use: Use) -> Key {
        let provider = bundle.reference.identifier
        if let session = debugging.withLock({ $0[provider] }), caller == .browser || caller == session.caller {
            return Key(provider: provider, use: .debugged, caller: session.caller)
        }
        return Key(provider: provider, use: use, caller: caller)
    }

    /// Starts the extension that `owner` debugs, until ``stopDebugging(_:owner:)``.
    ///
    /// - Returns: its process.
    /// - Throws: ``ProtocolError``: `busy` when it is debugged already, or as ``start(_:_:debugging:)``.
    func startDebugging(
        _ bundle: ProviderBundle, _ session: Debugging, stopped: Bool
    ) async throws(ProtocolError) -> Int32 {
        _ = await confinement()
        let provider = bundle.reference.identifier
        let isFirst = debugging.withLock { debugging in
            guard debugging[provider] == nil else { return false }
            debugging[provider] = session
            return true
        }
        guard isFirst else {
            throw ProtocolError(
                .busy, "\(bundle.reference.name) is being debugged already, from another terminal.", provider: provider)
        }
        do throws(ProtocolError) {
            let key = key(of: bundle, for: session.caller, .debugged)
            let process = try start(bundle, key, debugging: stopped ? .stopped : .allowed)
            _ = await process.identified()
            log("\(process.label) is being debugged")
            return process.processIdentifier
        } catch {
            debugging.withLock { $0[provider] = nil }
            throw error
        }
    }

    /// Deadlines count again, and the debugged extension ends.
    func stopDebugging(_ provider: String, owner: ObjectIdentifier) {
        let session = debugging.withLock { debugging -> Debugging? in
            guard debugging[provider]?.owner == owner else { return nil }
            return debugging.removeValue(forKey: provider)
        }
        guard let session else { return }
        let key = Key(provider: provider, use: .debugged, caller: session.caller)
        log("\(provider) is debugged no more")
        if let process = entries[key]?.process { end(key, process) }
    }
}
