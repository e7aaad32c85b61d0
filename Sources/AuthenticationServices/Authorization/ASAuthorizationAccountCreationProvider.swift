public import Foundation

/// Makes requests for a new account with a passkey.
///
/// Only what the request itself needs is here: of a new account the application learns its passkey, not the name and
/// the address that Apple's systems add to it.
public class ASAuthorizationAccountCreationProvider: NSObject, ASAuthorizationProvider {
    /// A provider of requests.
    public override init() {
        super.init()
    }

    /// A request for a new account.
    ///
    /// The person names one of `acceptedContactIdentifiers`, and themselves where `shouldRequestName` says so;
    /// `challenge` comes from the server and is signed, `userID` is the server's own identifier of the new user.
    public func createPlatformPublicKeyCredentialRegistrationRequest(
        acceptedContactIdentifiers: [ASContactIdentifierRequest], shouldRequestName: Bool,
        relyingPartyIdentifier: String, challenge: Data, userID: Data
    ) -> ASAuthorizationAccountCreationPlatformPublicKeyCredentialRequest {
        ASAuthorizationAccountCreationPlatformPublicKeyCredentialRequest(
            provider: self,
            asked: .init(
                contacts: acceptedContactIdentifiers.map(\.rawValue), name: shouldRequestName,
                relyingParty: relyingPartyIdentifier, challenge: challenge, userID: userID))
    }
}

/// A way to reach a person that an application accepts for a new account.
public struct ASContactIdentifierRequest: Hashable, Sendable {
    let rawValue: String

    /// An address for mail.
    public static let email = Self(rawValue: "email")
    /// A number to call.
    public static let phoneNumber = Self(rawValue: "phoneNumber")
}

/// A request for a new account with a passkey.
public class ASAuthorizationAccountCreationPlatformPublicKeyCredentialRequest: ASAuthorizationRequest {
    /// What is asked for.
    package struct Asked: Codable, Hashable {
        package var contacts: [String]
        package var name: Bool
        package var relyingParty: String
        package var challenge: Data
        package var userID: Data
    }

    package let asked: Asked

    package init(provider: any ASAuthorizationProvider, asked: Asked) {
        self.asked = asked
        super.init(provider: provider)
    }

    /// Writes the request.
    open override func encode(with coder: NSCoder) {
        coder.encode(propertyList: asked, forKey: "asked")
    }

    /// Reads what ``encode(with:)`` wrote; nil when it is something else.
    public required init?(coder: NSCoder) {
        guard let asked = coder.decodePropertyList(Asked.self, forKey: "asked") else { return nil }
        self.asked = asked
        super.init(provider: ASAuthorizationAccountCreationProvider())
    }
}

/// The passkey of a new account.
public class ASAuthorizationAccountCreationPlatformPublicKeyCredential:
    ASAuthorizationPlatformPublicKeyCredentialRegistration
{
    /// How the person wants the account called: an address, or a name of their own. It is this project's own; what
    /// Apple's systems have here is left out (`Docs/left-out.md`).
    public package(set) var userName: String?
}
