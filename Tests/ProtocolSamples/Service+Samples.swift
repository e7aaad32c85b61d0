package import AutoFillProtocol
package import AutoFillWire
import KeywaySystem

extension ConnectService: DocumentedMethod {
    package static let summary = "One connected socket to a bundle's service, which is told who is behind it."
    package static var sample: (parameters: Parameters, result: Result) {
        get throws { (Parameters(provider: "org.keyway.passwords"), Result(connection: try .sample())) }
    }
}

extension AttachClient: DocumentedMethod {
    package static let summary = "Hands a service one end of a conversation, tagged with who is behind it."
    package static var sample: (parameters: Parameters, result: Nothing) {
        get throws {
            let session = TerminalSession(identifier: 4300, leaderStart: 123_456, terminal: 34817)
            return (Parameters(client: .terminal(session), connection: try .sample(), number: 3), Nothing())
        }
    }
}

extension ConnectSystemBus: DocumentedMethod {
    package static let summary = "A connection to the bus of the system, for a bundle that declares `SystemBus`."
    package static var sample: (parameters: Nothing, result: Result) {
        get throws { (Nothing(), Result(connection: try .sample())) }
    }
}

extension PermitService: DocumentedMethod {
    package static let summary =
        "Whether a service may hand something out to a client in a terminal: verification, limits and history as for a fill."
    package static var sample: (parameters: Parameters, result: Nothing) {
        let account = Account(record: "4f1c", user: "ada", service: "example.com", kind: .password)
        return (Parameters(number: 3, purpose: .account(account)), Nothing())
    }
}

extension ReadServiceLimits: DocumentedMethod {
    package static let summary =
        "What the administrator wants of a service; asked when it was unlocked, and then each minute."
    package static var sample: (parameters: Nothing, result: Result) { (Nothing(), Result(idleLimit: 300)) }
}

extension NoteRenewedVault: DocumentedMethod {
    package static let summary = "What a master password opens has another name from now on: its key was renewed."
    package static var sample: (parameters: Parameters, result: Nothing) {
        (
            Parameters(former: String(repeating: "c1", count: 32), vault: String(repeating: "7e", count: 32)),
            Nothing()
        )
    }
}

extension ServiceStateChanged: DocumentedNotification {
    package static let summary =
        "Whether a service can answer without the person. Locked ends the bundle's extensions; ready retries what waits."
    package static var sample: Parameters { Parameters(state: .ready) }
}
