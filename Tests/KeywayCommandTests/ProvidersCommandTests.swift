import AutoFillProtocol
import AutoFillWire
import KeywaySystem
import Synchronization
import TerminalInterface
import Testing

@testable import KeywayCommand

struct ProvidersCommandTests {
    private static let vault = "org.example.vault"
    private static let app = "/usr/bin/example-vault"

    private func vault(
        enabled: Bool = false, configures: Bool = false, _ applications: ProviderApplication...,
        group: String? = nil, isRequested: Bool = false, hasChanged: Bool = false
    ) -> InstalledProvider {
        .passwords(
            enabled: enabled, name: "Vault", identifier: Self.vault, configures: configures,
            applications: applications, group: group, isRequested: isRequested, hasChanged: hasChanged)
    }

    /// A broker with these providers that turns them on and off.
    private func trial(
        _ providers: InstalledProvider..., set: Received<SetProviderEnabled.Parameters> = Received()
    ) -> Trial {
        var trial = Trial()
        trial.broker.on(ListProviders.self) { _, _ in .init(providers: providers) }
        trial.broker.on(SetProviderEnabled.self) { parameters, _ in
            set.append(parameters)
            let provider = try #require(providers.first { $0.reference.identifier == parameters.identifier })
            return .init(
                provider: .passwords(
                    enabled: parameters.isEnabled, name: provider.reference.name, identifier: parameters.identifier,
                    configures: provider.capabilities.showsConfigurationUI))
        }
        return trial
    }

    // MARK: Finding

    @Test func providersAreFoundByNameOrIdentifier() async throws {
        let set = Received<SetProviderEnabled.Parameters>()
        let trial = trial(.passwords(enabled: false), set: set)
        #expect(try await trial.run("providers", "enable", "passwords", "--yes").code == .success)
        #expect(try await trial.run("providers", "disable", "org.keyway.passwords").code == .success)
        #expect(
            set.all == [
                .init(identifier: "org.keyway.passwords", isEnabled: true),
                .init(identifier: "org.keyway.passwords", isEnabled: false),
            ])
        let unknown = try await trial.run("providers", "enable", "org.keyway.password")
        #expect(unknown.code == .notFound)
        #expect(unknown.err.contains("org.keyway.passwords"))
    }

    @Test func aNameThatTwoProvidersHaveIsAmbiguous() async throws {
        let trial = trial(.passwords(enabled: true), .passwords(enabled: false, identifier: "com.example.other"))
        let outcome = try await trial.run("providers", "enable", "Passwords")
        #expect(outcome.code == .ambiguous)
        #expect(outcome.err.contains("com.example.other"))
    }

    // MARK: Listing

    @Test func theListSaysWhatWaitsForThePerson() async throws {
        let asking = ProviderApplication(path: Self.app, isApproved: false, isRequested: true)
        let outcome = try await trial(vault(asking, isRequested: true, hasChanged: true)).run("providers", "list")
        #expect(outcome.out.hasPrefix("changed  org.example.vault  Vault  0.1.0  passwords  /usr/share"))
        #expect(outcome.err.contains("keyway providers enable org.example.vault"))
        #expect(outcome.err.contains("keyway providers approve org.example.vault /usr/bin/example-vault"))
        #expect(outcome.err.contains("has changed"))
    }

    /// Whether another one is on or not: whoever looks for their accounts learns why they are gone.
    @Test(arguments: [true, false], [["suggest"], ["fill"]])
    func whereThereIsNoAccountTheProviderThatChangedIsNamed(isOneOn: Bool, command: [String]) async throws {
        var trial = trial(.passwords(enabled: isOneOn), vault(hasChanged: true))
        trial.broker.on(Suggest.self) { _, _ in
            .init(
                suggestions: [], more: 0,
                providers: isOneOn ? [.init(identifier: "org.keyway.passwords", name: "Passwords")] : [])
        }
        let outcome = try await trial.run(command + ["https://a.example"])
        #expect(outcome.code == .notFound)
        #expect(outcome.err.contains(isOneOn ? "No account for https://a.example." : "No provider is turned on."))
        #expect(outcome.err.contains("Vault has changed since you turned it on, so Keyway turned it off."))
        #expect(outcome.err.contains("`keyway providers enable org.example.vault`"))
    }

    @Test func theStatusSaysThatAProviderChanged() async throws {
        let outcome = try await trial(vault(hasChanged: true)).run("status")
        #expect(outcome.out.contains("Vault (org.example.vault), 0.1.0, changed, "))
    }

    @Test(arguments: [true, false])
    func theDoctorSaysHowAProviderThatChangedIsOnAgain(isOneOn: Bool) async throws {
        let out = try await trial(.passwords(enabled: isOneOn), vault(hasChanged: true)).run("doctor", "--json").out
        let sentence = "Vault has changed since you turned it on, so Keyway turned it off"
        #expect(out.ranges(of: sentence).count == 1)
        // It comes before what the person never had on.
        #expect(out.ranges(of: "\"keyway providers enable org.example.vault\"").count == (isOneOn ? 1 : 2))
    }

    @Test func whatTheBrokerHasToTellIsSaidOnce() async throws {
        var trial = trial(vault())
        trial.broker.on(ListProviders.self) { [vault = vault()] _, context in
            for _ in 0..<2 {
                context.connection.notify(BrokerNotice.self, .init(provider: vault.reference, text: "Look here."))
            }
            return .init(providers: [vault])
        }
        let outcome = try await trial.run("providers", "list")
        #expect(outcome.err == "keyway: Look here.\n")
    }

    @Test func aNoticeIsSaidWithTheList() async throws {
        let provider = InstalledProvider.passwords(enabled: true, notice: "Its suggestions were taken away.")
        let outcome = try await trial(provider).run("providers", "list")
        #expect(outcome.err == "keyway: Its suggestions were taken away.\n")
        #expect(
            try await trial(provider).run("providers", "show", "Passwords", "--json").out.contains("\"notice\": \"Its"))
    }

    @Test func everythingIsShownOfOne() async throws {
        let approved = ProviderApplication(path: Self.app, isApproved: true, isRequested: false)
        let outcome = try await trial(vault(enabled: true, approved, group: "group.vault"))
            .run("providers", "show", "Vault")
        for text in [
            "Vault", Self.vault, "0.1.0", "enabled", "passwords", Self.app + " (approved)", "group.vault",
            "/usr/share/keyway/providers/Vault.appex", "for all users",
        ] { #expect(outcome.out.contains(text), "\(text)") }
    }

    @Test func jsonHasTheAppsAndTheGroup() async throws {
        let asking = ProviderApplication(path: Self.app, isApproved: false, isRequested: true)
        let outcome = try await trial(vault(asking, group: "group.vault")).run("providers", "show", "Vault", "--json")
        for text in [
            "\"path\": \"/usr/bin/example-vault\"", "\"approved\": false", "\"requested\": true",
            "\"group\": \"group.vault\"", "\"changed\": false", "\"debugged\": false",
        ] { #expect(outcome.out.contains(text), "\(text)") }
    }

    @Test func theOrderIsOfIdentifiers() async throws {
        let ordered = Received<[String]>()
        var trial = trial(.passwords(enabled: true), vault(enabled: true))
        trial.broker.on(OrderProviders.self) { [vault = vault(enabled: true)] parameters, _ in
            ordered.append(parameters.identifiers)
            return .init(providers: [vault, .passwords(enabled: true)])
        }
        let outcome = try await trial.run("providers", "order", "vault", "org.keyway.passwords")
        #expect(ordered.all == [[Self.vault, "org.keyway.passwords"]])
        #expect(outcome.out.hasPrefix("enabled  org.example.vault"))
    }

    // MARK: Turning on

    @Test func withoutATerminalTurningOnMustBeSpelledOut() async throws {
        let set = Received<SetProviderEnabled.Parameters>()
        let trial = trial(vault(), set: set)
        let outcome = try await trial.run("providers", "enable", "Vault")
        #expect(outcome.code == .needsPerson)
        #expect(outcome.err.contains("--yes"))
        #expect(set.all.isEmpty)
        #expect(try await trial.run("providers", "enable", "Vault", "--yes").code == .success)
        #expect(set.all.count == 1)
    }

    @Test(arguments: [("y", true), ("n", false)])
    func thePersonSeesWhatItAsksForAndDecides(key: String, isEnabled: Bool) async throws {
        let set = Received<SetProviderEnabled.Parameters>()
        let app = ProviderApplication(path: Self.app, isApproved: false, isRequested: false)
        var trial = trial(vault(app, group: "group.vault"), set: set)
        trial.terminal = TypingTerminal([key + "\r"])
        let outcome = try await trial.run("providers", "enable", "Vault")
        for text in ["passwords", Self.app, "group.vault", "Vault.appex"] { #expect(outcome.err.contains(text)) }
        #expect(outcome.code == (isEnabled ? .success : .cancelled))
        #expect(set.all.isEmpty == !isEnabled)
    }

    @Test func whatIsOnAlreadyIsNotAskedForAgain() async throws {
        #expect(try await trial(vault(enabled: true)).run("providers", "enable", "Vault").code == .success)
    }

    @Test func itIsSetUpRightAfter() async throws {
        let configured = Received<String>()
        var trial = trial(vault(configures: true))
        trial.broker.on(ConfigureProvider.self) { parameters, _ in
            configured.append(parameters.identifier)
            return Nothing()
        }
        let elsewhere = try await trial.run("providers", "enable", "Vault", "--yes")
        #expect(elsewhere.code == .success)
        #expect(elsewhere.err.contains("keyway providers configure org.example.vault"))
        #expect(configured.all.isEmpty)
        trial.terminal = TypingTerminal([])
        #expect(try await trial.run("providers", "enable", "Vault", "--yes").code == .success)
        #expect(configured.all == [Self.vault])
    }

    @Test(arguments: [
        (["WAYLAND_DISPLAY": "wayland-0"], true), (["DISPLAY": ":0"], true), ([:], false), (["DISPLAY": ""], false),
        (["DISPLAY": ":0", "SSH_CONNECTION": "192.0.2.1 1 192.0.2.2 22"], false),
    ])
    func withoutATerminalItIsSetUpInAWindowOfTheDesktop(variables: [String: String], isOnDesktop: Bool) async throws {
        let configured = Received<Bool?>()
        var trial = trial(vault(enabled: true, configures: true))
        trial.variables = variables
        trial.broker.on(ConfigureProvider.self) { parameters, _ in
            configured.append(parameters.presents)
            return Nothing()
        }
        let outcome = try await trial.run("providers", "configure", "Vault")
        #expect(outcome.code == (isOnDesktop ? .success : .needsPerson))
        #expect(configured.all == (isOnDesktop ? [false] : []))
    }

    @Test func aSetUpThatFailsLeavesItOnAndSaysSo() async throws {
        var trial = trial(vault(configures: true))
        trial.terminal = TypingTerminal([])
        trial.broker.on(ConfigureProvider.self) { _, _ in throw ProtocolError(.cancelled, "Backed out.") }
        let outcome = try await trial.run("providers", "enable", "Vault", "--yes")
        #expect(outcome.code == .cancelled)
        #expect(outcome.out.contains("enabled") && outcome.err.contains("is on but not set up"))
    }

    // MARK: Setting up

    @Test func settingUpNeedsATerminalAndAnInterface() async throws {
        var trial = trial(vault(enabled: true, configures: true), .passwords(enabled: true))
        #expect(try await trial.run("providers", "configure", "Vault").code == .needsPerson)
        trial.terminal = TypingTerminal([])
        #expect(try await trial.run("providers", "configure", "Passwords").code == .refused)
        trial.broker.on(ConfigureProvider.self) { _, _ in Nothing() }
        #expect(try await trial.run("providers", "configure", "Vault").code == .success)
    }

    @Test func whatTheProviderShowsIsAnsweredInTheTerminal() async throws {
        let answers = AsyncStream.makeStream(of: InterfaceEvent.self)
        var trial = trial(vault(enabled: true, configures: true))
        trial.terminal = TypingTerminal(["\r"])
        trial.broker.on(PresentationEvent.self) { message, _ in answers.continuation.yield(message.event) }
        trial.broker.on(ConfigureProvider.self) { [reference = vault().reference] _, context in
            context.connection.notify(
                PresentationShow.self,
                .init(
                    request: context.requestID ?? 0, provider: reference, service: nil,
                    interface: .list(.init(title: "Folder", sections: [.init(rows: [.init(id: "a", title: "A")])]))))
            for await event in answers.stream { if case .chose = event { return Nothing() } }
            throw ProtocolError(.cancelled, "Nobody chose.")
        }
        #expect(try await trial.run("providers", "configure", "Vault").code == .success)
    }

    // MARK: Apps

    /// A broker whose provider has these apps and takes decisions.
    private func trial(
        decided: Received<ApproveApplication.Parameters>, _ applications: ProviderApplication...
    ) -> Trial {
        var trial = Trial()
        let provider = InstalledProvider.passwords(
            enabled: true, name: "Vault", identifier: Self.vault, applications: applications)
        trial.broker.on(ListProviders.self) { _, _ in .init(providers: [provider]) }
        trial.broker.on(ApproveApplication.self) { parameters, _ in
            decided.append(parameters)
            return .init(provider: provider)
        }
        return trial
    }

    @Test func theAppThatAskedIsApproved() async throws {
        let decided = Received<ApproveApplication.Parameters>()
        let trial = trial(
            decided: decided, .init(path: "/opt/a", isApproved: false, isRequested: false),
            .init(path: "/opt/b", isApproved: false, isRequested: true))
        #expect(try await trial.run("providers", "approve", "Vault").code == .success)
        #expect(try await trial.run("providers", "approve", "Vault", "/opt/a").code == .success)
        #expect(
            decided.all == [
                .init(identifier: Self.vault, path: "/opt/b", isApproved: true),
                .init(identifier: Self.vault, path: "/opt/a", isApproved: true),
            ])
    }

    @Test func ofSeveralAppsOneMustBeNamed() async throws {
        let trial = trial(
            decided: Received(), .init(path: "/opt/a", isApproved: false, isRequested: false),
            .init(path: "/opt/b", isApproved: false, isRequested: false))
        let outcome = try await trial.run("providers", "approve", "Vault")
        #expect(outcome.code == .ambiguous)
        #expect(outcome.err.contains("/opt/a, /opt/b"))
    }

    @Test func aProviderWithoutAppsHasNoneToApprove() async throws {
        #expect(try await trial(decided: Received()).run("providers", "approve", "Vault").code == .notFound)
        #expect(try await trial(decided: Received()).run("providers", "revoke", "Vault").code == .notFound)
    }

    @Test func allApprovedAppsAreRevokedTogether() async throws {
        let decided = Received<ApproveApplication.Parameters>()
        let trial = trial(
            decided: decided, .init(path: "/opt/a", isApproved: true, isRequested: false),
            .init(path: "/opt/b", isApproved: false, isRequested: false),
            .init(path: "/opt/c", isApproved: true, isRequested: false))
        #expect(try await trial.run("providers", "revoke", "Vault").code == .success)
        #expect(decided.all.map(\.path) == ["/opt/a", "/opt/c"])
        #expect(decided.all.allSatisfy { !$0.isApproved })
    }

    // MARK: Debugging

    @Test(arguments: [true, false])
    func debuggingLastsUntilTheBrokerEndsIt(waits: Bool) async throws {
        let asked = Received<DebugProvider.Parameters>()
        var trial = trial(vault(enabled: true))
        trial.broker.on(DebugProvider.self) { parameters, context in
            asked.append(parameters)
            context.afterAnswering { context.connection.close() }
            return .init(processIdentifier: 4711, path: "/x/Vault.appex/extension")
        }
        let words = ["providers", "debug", "Vault"] + (waits ? ["--wait"] : [])
        let outcome =
            waits
            ? try await trial.run(words[0], words[1], words[2], words[3])
            : try await trial.run(words[0], words[1], words[2])
        #expect(outcome.code == .brokerUnreachable)
        #expect(asked.all == [.init(identifier: Self.vault, waits: waits)])
        #expect(outcome.err.contains("gdb -p 4711"))
        #expect(outcome.err.contains("continue") == waits)
    }

    @Test func debuggingTellsProgramsHowToAttach() async throws {
        var trial = trial(vault(enabled: true))
        trial.broker.on(DebugProvider.self) { _, context in
            context.afterAnswering { context.connection.close() }
            return .init(processIdentifier: 4711, path: "/x")
        }
        let outcome = try await trial.run("providers", "debug", "Vault", "--json")
        #expect(outcome.out.contains("\"processIdentifier\": 4711"))
        #expect(outcome.out.contains("\"attach\": \"gdb -p 4711\""))
    }
}
