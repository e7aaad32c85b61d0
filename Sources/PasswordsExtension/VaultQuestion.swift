import AuthenticationServices
import AutoFillProtocol
import KeywaySystem
import PasswordsProtocol

/// What the extension asks the vault's service.
enum VaultQuestion: Sendable {
    /// Whether there is a vault, and whether it is open.
    case status
    /// Opens it with what the person typed, which goes on unread.
    case unlock(InterfaceSecret)
    /// The password of one item.
    case password(record: String)
    /// The items for these services, and the first of all items; the passkeys that will do, where one is wanted.
    case list([ServiceIdentifier], passkeys: PasskeyRequestParameters?)
    /// The items that hold these words.
    case search(String, for: [ServiceIdentifier])
    /// A signature with one passkey.
    case sign(record: String, PasskeyRequestParameters)
    /// A new passkey; without asking anybody, where it is conditional.
    case make(PasskeyRegistration, isConditional: Bool)
    /// Passes on what a site reports.
    case report(CredentialReport)
}

/// What came back.
enum VaultAnswer: Sendable {
    case status(Result<VaultStatus.Access, ProtocolError>)
    case unlocked(Result<Void, ProtocolError>)
    case password(Result<(user: String, password: SealedPassword), ProtocolError>)
    case list(Result<ItemListing, ProtocolError>)
    case found(text: String, Result<ItemListing, ProtocolError>)
    case signed(Result<PasskeyAssertionCredential, ProtocolError>)
    case made(Result<PasskeyRegistrationCredential, ProtocolError>)
    case reported(Result<Void, ProtocolError>)
}

/// Items to choose from.
struct ItemListing: Sendable {
    /// The passkeys that will do.
    var passkeys: [ItemSummary] = []
    /// Those of the services that ask, best first.
    var matches: [ItemSummary] = []
    /// The others, or as many as one list shows.
    var items: [ItemSummary] = []
    /// How many there are in all.
    var total = 0
}
