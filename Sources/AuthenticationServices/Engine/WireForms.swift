import AutoFillProtocol
import Foundation

/// Values of the API as the broker knows them, and back.
extension ServiceIdentifier {
    init(_ service: ASCredentialServiceIdentifier) {
        let kind: Kind =
            switch service.type {
            case .domain: .domain
            case .URL: .url
            case .app: .app
            }
        self.init(service.identifier, kind: kind)
    }
}

extension ASCredentialServiceIdentifier {
    convenience init(_ service: ServiceIdentifier) {
        let type: IdentifierType =
            switch service.kind {
            case .domain: .domain
            case .url: .URL
            case .app: .app
            }
        self.init(identifier: service.identifier, type: type)
    }
}

extension CredentialIdentity {
    /// - Throws: ``ASCredentialIdentityStoreError`` with `internalError` for a kind that the system does not know.
    init(_ identity: any ASCredentialIdentity) throws {
        guard identity is ASPasswordCredentialIdentity else {
            let reason = "Identities of the type \(type(of: identity)) cannot be stored."
            throw ASCredentialIdentityStoreError(.internalError, userInfo: [NSLocalizedDescriptionKey: reason])
        }
        self.init(
            kind: .password, service: ServiceIdentifier(identity.serviceIdentifier), user: identity.user,
            recordIdentifier: identity.recordIdentifier, rank: identity.rank)
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
