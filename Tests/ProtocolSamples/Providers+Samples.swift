package import AutoFillProtocol
package import AutoFillWire
import KeywaySystem

extension InstalledProvider {
    static let sample = InstalledProvider(
        reference: .sample, version: "0.1.0", path: "/usr/share/keyway/providers/Passwords.appex", scope: .system,
        isEnabled: true, capabilities: .sample, hasService: true, identities: 3, problem: nil)
}

extension ProviderCapabilities {
    static var sample: ProviderCapabilities {
        var capabilities = ProviderCapabilities()
        capabilities.providesPasswords = true
        return capabilities
    }
}

extension ListProviders: DocumentedMethod {
    package static let summary = "Every installed bundle, and whether the person turned it on."
    package static var sample: (parameters: Nothing, result: Result) { (Nothing(), Result(providers: [.sample])) }
}

extension SetProviderEnabled: DocumentedMethod {
    package static let summary =
        "Turns a provider on or off. Turned off, it is stopped and what it told the system is wiped."
    package static var sample: (parameters: Parameters, result: Result) {
        (Parameters(identifier: "org.keyway.passwords", isEnabled: true), Result(provider: .sample))
    }
}

extension OrderProviders: DocumentedMethod {
    package static let summary = "Puts the enabled providers in an order; the answer is the list as it is then."
    package static var sample: (parameters: Parameters, result: ListProviders.Result) {
        (
            Parameters(identifiers: ["org.keyway.passwords"]),
            ListProviders.Result(providers: [.sample])
        )
    }
}

extension ConfigureProvider: DocumentedMethod {
    package static let summary = "Shows the interface with which a provider is set up, until the person is done."
    package static var sample: (parameters: Parameters, result: Nothing) {
        (Parameters(identifier: "org.keyway.passwords"), Nothing())
    }
}

extension LockProvider: DocumentedMethod {
    package static let summary =
        "Locks a provider: its service and its extensions are let go, and forget what they had opened. A browser asks it for "
        + "the person, who needs no confirmation for that."
    package static var sample: (parameters: Parameters, result: Nothing) {
        (Parameters(identifier: "org.keyway.passwords"), Nothing())
    }
}

extension DebugProvider: DocumentedMethod {
    package static let summary =
        "Starts a provider's extension for a debugger, once the person has allowed it outside that terminal: it answers that "
        + "terminal alone, without deadlines, while the connection lasts."
    package static var sample: (parameters: Parameters, result: Result) {
        (
            Parameters(identifier: "org.keyway.passwords", waits: true),
            Result(processIdentifier: 4400, path: "/usr/share/keyway/providers/Passwords.appex/extension")
        )
    }
}

extension ApproveApplication: DocumentedMethod {
    package static let summary = "Lets a program write the identity store of the provider whose app it is."
    package static var sample: (parameters: Parameters, result: SetProviderEnabled.Result) {
        (
            Parameters(identifier: "org.example.vault", path: "/usr/bin/example-vault", isApproved: true),
            SetProviderEnabled.Result(provider: .sample)
        )
    }
}
