import AutoFillProtocol
import AutoFillWire

/// What `keyway history` says.
extension Strings {
    static func event(_ event: HistoryEntry.Event) -> String {
        switch event {
        case .fill: "filled"
        case .registration: "passkey created"
        case .save: "saved"
        case .refusal: "refused"
        case .approval: "decided"
        case .change: "changed"
        case .list: "listed"
        case .show: "shown"
        case .exchange: "exchanged"
        }
    }
    static func kind(_ kind: CredentialKind) -> String {
        switch kind {
        case .password: "password"
        case .passkey: "passkey"
        case .oneTimeCode: "code"
        }
    }
    static func verifiedBy(_ method: VerificationMethod) -> String { "verified by \(methodWords(method))" }
    static let nothingHappened = "The history is empty."
    static let olderEntries = "There are older entries. Use --limit to show more."
    static func noTime(_ text: String) -> String { "“\(text)” isn't a time." }
    static let timesAre = "Give a day such as 2026-11-22, or a time before now: 30m, 24h, 7d, 2w."
    static let confirmClearing = "Clear the whole history?"
    static let confirmClearingByOption = "To skip this question, use --yes."
    static let nothingCleared = "The history was not cleared."
    static let historyCleared = "Cleared the history. One entry remains, which says so."
}
