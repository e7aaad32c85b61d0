import AutoFillProtocol
import AutoFillWire
import BrokerBase
import Glibc
import KeywaySystem
import ProviderHosting
import Synchronization

/// Checks what the person typed, outside the broker. A seam: tests have their own.
protocol TypedSecrets: Sendable {
    /// How the methods are.
    func state(_ parameters: TypedSecretState.Parameters) async throws(ProtocolError) -> TypedSecretState.Result
    /// Counts a try at the PIN.
    func countTry(_ parameters: CountPINTry.Parameters) async throws(ProtocolError) -> CountPINTry.Result
    /// Whether what was typed is right.
    func check(_ parameters: CheckTypedSecret.Parameters) async throws(ProtocolError) -> CheckTypedSecret.Result
    /// Sets or removes the PIN.
    func replacePIN(_ parameters: ReplacePIN.Parameters) async throws(ProtocolError) -> ReplacePIN.Result
}

/// The program `keyway-person-check`, which runs once for each question.
struct PersonCheckProcess: TypedSecrets {
    /// How long a question may take that asks nobody.
    private static let patience = Duration.seconds(15)
    /// How long PAM's modules may take.
    private static let checkPatience = Duration.seconds(120)

    let path: String
    /// Where the record of the PIN lies.
    let folder: String
    let environment: [String: String]
    let clock: any TimeSource

    /// The program beside this one.
    static func besideThisProgram(
        folder: String, environment: [String: String], clock: any TimeSource
    ) -> PersonCheckProcess {
        // PAM's modules see nothing of the session.
        let passed = environment.filter { name, _ in ["PATH", "LANG"].contains(name) }
        return PersonCheckProcess(
            path: KeywayPaths.program(besideOwn: "keyway-person-check"), folder: folder, environment: passed,
            clock: clock)
    }

    func state(_ parameters: TypedSecretState.Parameters) async throws(ProtocolError) -> TypedSecretState.Result {
        try await ask(TypedSecretState.self, parameters, Self.patience)
    }

    func countTry(_ parameters: CountPINTry.Parameters) async throws(ProtocolError) -> CountPINTry.Result {
        try await ask(CountPINTry.self, parameters, Self.patience)
    }

    func check(_ parameters: CheckTypedSecret.Parameters) async throws(ProtocolError) -> CheckTypedSecret.Result {
        try await ask(CheckTypedSecret.self, parameters, Self.checkPatience)
    }

    func replacePIN(_ parameters: ReplacePIN.Parameters) async throws(ProtocolError) -> ReplacePIN.Result {
        try await ask(ReplacePIN.self, parameters, Self.patience)
    }

    private func ask<Method: RemoteMethod>(
        _ method: Method.Type, _ parameters: Method.Parameters, _ patience: Duration
    ) async throws(ProtocolError) -> Method.Result {
        let (ours, theirs) = try LocalSocket.pair()
        let child = try ChildProcess(
            path: path, arguments: [folder], environment: environment, channel: theirs, endsGroup: true)
        // The connection ends with it, and would say only that it has ended.
        let refused = Mutex(ProtocolError?.none)
        let greeting = Greeting(accepts: [.personCheck], name: "keywayd \(ProtocolVersion.release)") {
            let objection = Onlooker.objection(to: child.processIdentifier, "keyway-person-check")
            refused.withLock { $0 = objection }
            return objection
        }
        let connection = Connection(descriptor: ours, peer: .unknown(greeting))
        // It ends itself when it is let go of; what hangs in a module of PAM does not.
        defer {
            connection.close()
            child.send(signal: SIGKILL)
        }
        child.onExit { _ in connection.close() }
        connection.start()
        do throws(ProtocolError) {
            return try await Deadline.run(patience, clock, "The check took too long.") {
                try await connection.waitForGreeting()
                return try await connection.call(method, parameters)
            }
        } catch {
            throw refused.withLock(\.self) ?? error
        }
    }
}
