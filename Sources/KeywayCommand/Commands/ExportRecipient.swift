import CredentialExchange
import KeywayCrypto
import KeywaySystem

/// Whom an encrypted export is for: a request that the person has compared, digit by digit, with what the other side shows.
struct ExportRecipient {
    /// The request, as it was when it was compared.
    let request: SecretBytes
    /// What was compared.
    let fingerprint: String

    private static let longestRequest = 1 << 16

    /// Reads the request at `path`, says what it asks for, and has its fingerprint compared: with what `--fingerprint` says,
    /// or by the person. Nothing else says that it is the right one.
    ///
    /// - Throws: ``CommandError``: `refused` where they differ, or the request is none that can be answered; `cancelled`;
    ///   `needsPerson` where there is neither the option nor a terminal.
    init(_ path: String, of context: CommandContext) async throws {
        let file = try ExportFile(path)
        guard file.count <= Self.longestRequest else {
            throw CommandError(.refused, Strings.noRequest(path))
        }
        // From here on, nobody can put another one in its place.
        request = SecretBytes(upTo: Self.longestRequest) { room in
            WholeTransfer.read(into: room, from: file.descriptor.rawValue, at: 0) ?? 0
        }
        fingerprint = request.withUnsafeBytes { RequestSummary.fingerprint(of: $0) }
        let outcome = try await context.surroundings.writeExport(.inspect(request))
        guard case .file(_, let told) = outcome, let summary = told.withUnsafeBytes(RequestSummary.init) else {
            throw CommandError(outcome, of: path)
        }
        if let compared = context.invocation.value("--fingerprint") {
            guard compared.filter(\.isWholeNumber) == fingerprint.filter(\.isWholeNumber) else {
                throw CommandError(.refused, Strings.otherFingerprint(path), hint: Strings.askForRequestAgain)
            }
            return
        }
        try context.say(Strings.requestAsks(path, summary))
        let isSame = try context.questions.confirm(
            Strings.compareFingerprint(fingerprint), elseHint: Strings.fingerprintByOption)
        guard isSame else { throw CommandError(.cancelled, Strings.nothingExported) }
    }
}
