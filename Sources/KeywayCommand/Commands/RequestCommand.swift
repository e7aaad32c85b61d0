import CredentialExchange
import KeywayCrypto
import KeywaySystem

/// `keyway import --request`: asks another program for an export that only this computer can open.
struct RequestCommand {
    let context: CommandContext

    func run(_ path: String) async throws {
        try PrivateFile.check(path, replaces: false)
        let place = try context.requestPath()
        if try context.waitingRequest() != nil, !context.invocation.has("--yes") {
            let isSure = try context.questions.confirm(Strings.replaceRequest, elseHint: Strings.confirmByOption)
            guard isSure else { throw CommandError(.cancelled, Strings.nothingRequested) }
        }
        let outcome = try await context.surroundings.writeExport(.make)
        guard case .file(let file, let keys) = outcome else { throw CommandError(outcome, of: path) }
        let fingerprint = try file.withUnsafeBytes { (bytes) throws(ProtocolError) in
            RequestSummary.fingerprint(of: bytes)
        }
        let waiting = WaitingRequest(keys: keys, fingerprint: fingerprint, now: context.surroundings.clock.seconds)
        // Keys without a request open nothing; a request without keys would be answered in vain.
        try waiting.keep(at: place)
        try PrivateFile.copy(file.descriptor, to: path, replaces: false)
        guard context.wantsJSON else { return try context.say(Strings.requested(path, fingerprint)) }
        try context.print(
            .object([
                ("path", .string(path)), ("fingerprint", .string(fingerprint)), ("ends", .integer(Int(waiting.ends))),
            ]), text: "")
    }
}
