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
    /// The one-time code of one item.
    case code(record: String)
    /// The items with codes for these services, and those with codes that hold these words.
    case codes([ServiceIdentifier], text: String)
    /// The items for these services, and the first of all items; the passkeys that will do, where one is wanted.
    case list([ServiceIdentifier], passkeys: PasskeyRequestParameters?)
    /// The items of a kind, or of all, that hold these words.
    case search(String, for: [ServiceIdentifier], ItemKind? = .password)
    /// Which texts of one item can be inserted.
    case texts(record: String)
    /// One of them.
    case text(ItemText, record: String)
    /// A signature with one passkey.
    case sign(record: String, PasskeyRequestParameters)
    /// A new passkey; without asking anybody, where it is conditional.
    case make(PasskeyRegistration, isConditional: Bool)
    /// Keeps the password of an account.
    case keep(PasswordKeeping, replaces: Bool)
    /// The items that codes can be kept with: those that look like theirs, and the first of all.
    case places(CodeKeeping)
    /// Keeps what makes codes with an item, or with a new one.
    case keepCode(CodeKeeping, record: String?)
    /// Passes on what a site reports.
    case report(CredentialReport)
}

/// What came back.
enum VaultAnswer: Sendable {
    case status(Result<VaultStatus.Access, ProtocolError>)
    case unlocked(Result<Void, ProtocolError>)
    case password(Result<(user: String, password: SealedPassword), ProtocolError>)
    case code(Result<MakeCode.Result, ProtocolError>)
    case list(Result<ItemListing, ProtocolError>)
    case found(text: String, Result<ItemListing, ProtocolError>)
    case texts(Result<ItemTexts, ProtocolError>)
    case text(Result<SealedPassword, ProtocolError>)
    case signed(Result<PasskeyAssertionCredential, ProtocolError>)
    case made(Result<PasskeyRegistrationCredential, ProtocolError>)
    case kept(Result<Void, ProtocolError>)
    case keptCode(Result<Void, ProtocolError>)
    case reported(Result<Void, ProtocolError>)
}

/// A password that is to be kept.
struct PasswordKeeping: Sendable {
    /// Where the account is.
    let service: ServiceIdentifier
    /// How people call that.
    let site: String
    /// The user name; may be empty.
    let user: String
    /// The password, unread.
    let password: SealedMemory
    /// What the item is to be called; nil for its site.
    let title: String?
    /// Whether it was generated and stands in a form that was not sent yet.
    let isPending: Bool
    /// Whether the person was asked for it, and agreed to what it takes the place of.
    let isWanted: Bool
}

/// What makes one-time codes and is to be kept.
struct CodeKeeping: Sendable {
    /// Who asks for the codes, as the link says; may be empty.
    let issuer: String
    /// The account, as the link says; may be empty.
    let account: String
    /// The link, unread.
    let link: SealedMemory
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
