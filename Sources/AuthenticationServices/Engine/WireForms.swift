import AutoFillProtocol
import Foundation
import KeywaySystem

/// Services and identities of the API as the broker knows them, and back.
extension ServiceIdentifier {
    /// A service of the API as the broker, and a provider's service, is asked about it.
    package init(_ service: ASCredentialServiceIdentifier) {
        let kind: Kind =
            switch service.type {
            case .domain: .domain
            case .URL: .url
            case .app: .app
            }
        self.init(service.identifier, kind: kind, realm: service.keywayRealm)
    }
}

extension ASCredentialServiceIdentifier {
    convenience init(_ service: ServiceIdentifier, name: String? = nil) {
        let type: IdentifierType =
            switch service.kind {
            case .domain: .domain
            case .url: .URL
            case .app: .app
            }
        if let name {
            self.init(identifier: service.identifier, type: type, displayName: name)
        } else if let realm = service.realm {
            self.init(identifier: service.identifier, type: type, keywayRealm: realm)
        } else {
            self.init(identifier: service.identifier, type: type)
        }
    }
}

extension CredentialIdentity {
    /// - Throws: ``ASCredentialIdentityStoreError`` with `internalError` for a type that the system does not know.
    init(_ identity: any ASCredentialIdentity) throws {
        let (kind, passkey): (CredentialKind, PasskeyReference?)
        switch identity {
        case is ASPasswordCredentialIdentity: (kind, passkey) = (.password, nil)
        case is ASOneTimeCodeCredentialIdentity: (kind, passkey) = (.oneTimeCode, nil)
        case let identity as ASPasskeyCredentialIdentity:
            kind = .passkey
            passkey = PasskeyReference(credentialID: identity.credentialID, userHandle: identity.userHandle)
        default:
            let reason = "Identities of the type \(type(of: identity)) cannot be stored."
            throw ASCredentialIdentityStoreError(.internalError, userInfo: [NSLocalizedDescriptionKey: reason])
        }
        self.init(
            kind: kind, service: ServiceIdentifier(identity.serviceIdentifier), user: identity.user,
            recordIdentifier: identity.recordIdentifier, rank: identity.rank, passkey: passkey)
    }

    /// The identity as the provider once gave it.
    ///
    /// - Throws: ``ProtocolError`` with the code `invalidParameters` for a passkey that does not say which.
    func value() throws(ProtocolError) -> any ASCredentialIdentity {
        switch kind {
        case .password: ASPasswordCredentialIdentity(self)
        case .passkey: try ASPasskeyCredentialIdentity(self)
        case .oneTimeCode: ASOneTimeCodeCredentialIdentity(self)
        }
    }
}

extension ASPasswordCredentialIdentity {
    convenience init(_ identity: CredentialIdentity) {
        self.init(
            serviceIdentifier: ASCredentialServiceIdentifier(identity.service), user: identity.user,
            recordIdentifier: identity.recordIdentifier)
        rank = identity.rank
    }
}

extension ASOneTimeCodeCredentialIdentity {
    convenience init(_ identity: CredentialIdentity) {
        self.init(
            serviceIdentifier: ASCredentialServiceIdentifier(identity.service), label: identity.user,
            recordIdentifier: identity.recordIdentifier)
        rank = identity.rank
    }
}

extension ASPasskeyCredentialIdentity {
    convenience init(_ identity: CredentialIdentity) throws(ProtocolError) {
        guard let passkey = identity.passkey else {
            throw ProtocolError(.invalidParameters, "The identity of a passkey does not say which.")
        }
        self.init(
            relyingPartyIdentifier: identity.service.identifier, userName: identity.user,
            credentialID: passkey.credentialID, userHandle: passkey.userHandle,
            recordIdentifier: identity.recordIdentifier)
        rank = identity.rank
    }
}

extension CredentialKind {
    /// The kinds that `types` names; none for all of them.
    static func kinds(_ types: ASCredentialIdentityStore.IdentityTypes) -> [CredentialKind] {
        let all: [(ASCredentialIdentityStore.IdentityTypes, CredentialKind)] = [
            (.password, .password), (.passkey, .passkey), (.oneTimeCode, .oneTimeCode),
        ]
        return all.filter { types.contains($0.0) }.map(\.1)
    }
}
