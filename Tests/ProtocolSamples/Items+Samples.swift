import AutoFillWire
import FoundationEssentials
import PasswordsProtocol

extension ItemSummary {
    static let sample = ItemSummary(
        id: "0b9d1a52-6c1e-4a53-9a5e-3f0c7c3b6a11", title: "Example", user: "ada",
        addresses: ["https://example.com/login"],
        tags: ["work"], created: 1_760_000_000, modified: 1_760_000_000, place: "https://example.com")
}

extension ItemSummary {
    /// An item that is a passkey.
    static let samplePasskey = ItemSummary(
        id: "7a1de0c4-92e7-4f0b-8a3c-1d5b2f6e9c20", title: "example.com", user: "ada", addresses: ["example.com"],
        tags: [], created: 1_760_000_000, modified: 1_760_000_000, hasPassword: false,
        passkey: PasskeySummary(relyingParty: "example.com", credentialID: Data([3]), userHandle: Data([1])))
}
