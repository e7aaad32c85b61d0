import AutoFillProtocol
import Benchmarking
import PasswordsProtocol

extension Benchmark {
    /// One new identity from a provider's app, until it would survive a power cut.
    static let identitySave = Benchmark(name: "identity-save", sizes: storeSizes) { size, context in
        let fixture = try await context.fixtures.identities(size)
        let app = try await fixture.connectAsApp()
        defer { app.close() }
        // Not one after the other, as no person makes accounts: everywhere in the file.
        let samples = try await Timing.calls(runs: 200, warmUp: 10) { run in
            let identity = CredentialIdentity(
                kind: .password, service: ServiceIdentifier("https://added\(run * 7919).example/", kind: .url),
                user: "added", recordIdentifier: "added-\(run)")
            _ = try await app.call(WriteIdentities.self, .init(operation: .save, identities: [identity]))
        }
        var row = BenchmarkRow(name: "identity-save", size: size, samples: samples, peakMiB: fixture.session.peakMiB)
        try fixture.session.stopBroker()
        row.goals = await context.fixtures.flatness(of: row)
        return [row]
    }

    /// Everything at once into an empty store, in parts of a thousand.
    static let identityReplace = Benchmark(name: "identity-replace", sizes: storeSizes) { size, context in
        let fixture = try await context.fixtures.identities(size)
        var row = BenchmarkRow(
            name: "identity-replace", size: size, samples: Samples([fixture.loading.milliseconds]),
            peakMiB: fixture.loadingPeak)
        row.goals = await context.fixtures.memory(of: row)
        return [row]
    }

    /// Suggestions for a site that has one account with each of two providers: the vault's, and this program's.
    static let suggestTwoProviders = Benchmark(name: "suggest-two-providers", sizes: [10_000, 100_000]) {
        size, context in
        let fixture = try await context.fixtures.fixture(size, .ownSites, isShared: true)
        let service = try await fixture.open()
        defer { service.close() }
        let client = try await fixture.session.connect(as: .browser)
        defer { client.close() }
        let samples = try await Timing.calls(runs: 5_000, warmUp: 50) { run in
            let page = Page(fixture.items, run)
            let answer = try await client.call(Suggest.self, .init(services: page.services))
            guard answer.suggestions.count == 2, answer.providers.count == 2 else {
                throw BenchmarkFailure("\(answer.suggestions.count) were suggested by \(answer.providers.count)")
            }
        }
        return [
            BenchmarkRow(
                name: "suggest-two-providers", size: size, samples: samples, peakMiB: fixture.session.peakMiB)
        ]
    }

    /// How many identities a store holds in the rows about stores.
    static let storeSizes = [1_000, 10_000, 100_000, 1_000_000]
}
