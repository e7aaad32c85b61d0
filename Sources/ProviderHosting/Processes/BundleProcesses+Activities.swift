package import KeywaySystem

extension BundleProcesses {
    /// Runs `body` with the app of `bundle`, which is started for the activity number `activity` and ends with it.
    ///
    /// - Parameter isPartOfAnother: whether another activity waits for this one where the person looks: then it shows
    ///   what it has to show in that one's place.
    /// - Throws: what `body` throws; ``ProtocolError``: `notFound` for a bundle without such a program, `providerFailed`
    ///   when it cannot be started, `noProvider`, `cancelled`.
    package nonisolated func withApplication<Result: Sendable>(
        of bundle: ProviderBundle, for caller: Caller, _ activity: Int, isPartOfAnother: Bool,
        _ body: (BundleProcess) async throws(ProtocolError) -> Result
    ) async throws(ProtocolError) -> Result {
        guard !isPartOfAnother else { return try await run(bundle, caller, activity, body) }
        return try await turns.run(.presenter(caller)) { () async throws(ProtocolError) in
            try await run(bundle, caller, activity, body)
        }
    }

    private nonisolated func run<Result: Sendable>(
        _ bundle: ProviderBundle, _ caller: Caller, _ activity: Int,
        _ body: (BundleProcess) async throws(ProtocolError) -> Result
    ) async throws(ProtocolError) -> Result {
        let key = Key(provider: bundle.reference.identifier, use: .activity(activity), caller: caller)
        let process = try await process(of: bundle, key)
        do throws(ProtocolError) {
            let result = try await body(process)
            await end(key, process)
            return result
        } catch {
            await end(key, process)
            throw error
        }
    }
}
