import AutoFillProtocol
import KeywaySystem

/// What a request is about, as far as it is known while it runs; when it ends, the history learns it.
struct HistorySubject: Sendable {
    /// Whether it comes from a private window: nothing of it is written down.
    var isPrivate = false
    /// Whether a page asked for what is not its own: it could do so ten thousand times, and name whatever it likes.
    var isNotItsOwn = false
    /// What it is when it succeeds; nil for what only fails noteworthily.
    var event: HistoryEntry.Event?
    var provider: ProviderReference?
    var service: String?
    var account: String?
    var kind: CredentialKind?
    /// More about its success.
    var detail: String?
    /// Why it was refused, where whoever asked learns less of that than the person, or where the person refused it.
    var refusal: String?
    /// Says how the person was verified in it.
    var method: @Sendable () -> VerificationMethod? = { nil }

    /// The entry for a request of `client` that ended with `error`, or well; nil where it is not worth one.
    func entry(client: String, time: Int64, error: ProtocolError?) -> HistoryEntry? {
        guard !isPrivate else { return nil }
        if let error {
            if isNotItsOwn, error.code == .refused { return nil }
            guard refusal != nil || error.code.isRefusal else { return nil }
            return HistoryEntry(
                time: time, event: .refusal, client: client, provider: provider, service: service, account: account,
                kind: kind, method: method(), detail: refusal ?? error.message)
        }
        guard let event else { return nil }
        return HistoryEntry(
            time: time, event: event, client: client, provider: provider, service: service, account: account,
            kind: kind, method: method(), detail: detail)
    }
}

extension ProtocolError.Code {
    /// Whether a rule of the broker's forbade it. What a provider says of its own failures is not written down: it may
    /// say anything.
    var isRefusal: Bool {
        switch self {
        case .refused, .notAllowed, .notApproved, .rateLimited, .notVerified, .disabled, .forbidden: true
        default: false
        }
    }
}

extension Fill.Credential {
    /// What kind it is; nil for a text.
    var kind: CredentialKind? {
        switch self {
        case .password: .password
        case .passkey: .passkey
        case .oneTimeCode: .oneTimeCode
        case .text: nil
        }
    }

    /// The user name that it names itself.
    var user: String? {
        if case .password(let user, _) = self { user } else { nil }
    }
}
