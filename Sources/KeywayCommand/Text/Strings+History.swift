import AutoFillWire
import AutoFillProtocol

/// What `keyway history` says.
extension Strings {
    static func event(_ event: HistoryEntry.Event) -> String {
        switch event {
        case .fill: "filled"
        case .registration: "passkey made"
        case .save: "saved"
        case .refusal: "refused"
        case .approval: "decided"
        case .change: "changed"
        case .list: "listed"
        case .show: "shown"
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
    static let nothingHappened = "Nothing is written down."
    static let olderEntries = "There is more; --limit shows more of it."
    static func noTime(_ text: String) -> String { "“\(text)” is no time." }
    static let timesAre = "Name a day, such as 2026-11-22, or a time before now: 30m, 24h, 7d, 2w."
    static let confirmClearing = "Forget all that was filled, refused and approved?"
    static let confirmClearingByOption = "Give --yes to forget it without being asked."
    static let nothingCleared = "Nothing was forgotten."
    static let historyCleared = "It is forgotten; that it was, is written down."
}
