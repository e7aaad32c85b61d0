import AuthenticationServices
import PassEntries

/// One identity of an entry, as the system keeps it: never a secret.
struct StoreIdentity: Hashable, Sendable {
    /// What the system can suggest it for.
    enum Kind: Hashable, Sendable {
        case password
        case oneTimeCode
    }

    let kind: Kind
    /// Where the account is.
    let service: StoreService
    /// Who signs in; for codes, what the suggestion says.
    let user: String
    /// The entry.
    let name: EntryName

    /// Of these parts.
    init(_ kind: Kind, _ service: StoreService, user: String, name: EntryName) {
        self.kind = kind
        self.service = service
        self.user = user
        self.name = name
    }

    /// What the name of an entry alone says: nothing, or one identity.
    static func named(_ name: EntryName) -> [StoreIdentity] {
        let account = EntryAccount(name)
        guard let service = account.service else { return [] }
        guard account.isCode else { return [StoreIdentity(.password, service, user: account.user, name: name)] }
        return [.code(service, user: account.user, name: name)]
    }

    /// What an entry says of itself when it has been decrypted: services of `url:` lines besides that of its name, the
    /// user of its `user:` line, and whether it has codes.
    static func read(_ name: EntryName, _ contents: EntryContents) -> [StoreIdentity] {
        let account = EntryAccount(name)
        let user = contents.user ?? account.user
        var services = account.service.map { [$0] } ?? []
        services += contents.services.filter { !services.contains($0) }
        let hasPassword = (try? contents.password()) != nil
        return services.flatMap { service -> [StoreIdentity] in
            (hasPassword ? [StoreIdentity(.password, service, user: user, name: name)] : [])
                + (contents.link == nil ? [] : [.code(service, user: user, name: name)])
        }
    }

    private static func code(_ service: StoreService, user: String, name: EntryName) -> StoreIdentity {
        StoreIdentity(.oneTimeCode, service, user: user.isEmpty ? service.host : user, name: name)
    }

    // MARK: The system's form

    /// What the system holds; nil for what is not ours.
    init?(_ identity: any ASCredentialIdentity) {
        guard let name = identity.recordIdentifier.flatMap(EntryName.init),
            let service = StoreService(address: identity.serviceIdentifier.identifier)
        else { return nil }
        if let code = identity as? ASOneTimeCodeCredentialIdentity {
            self.init(.oneTimeCode, service, user: code.label, name: name)
        } else {
            self.init(.password, service, user: identity.user, name: name)
        }
    }

    /// As the system is told about it.
    var forSystem: any ASCredentialIdentity {
        switch kind {
        case .password:
            ASPasswordCredentialIdentity(
                serviceIdentifier: service.identifier, user: user, recordIdentifier: name.text)
        case .oneTimeCode:
            ASOneTimeCodeCredentialIdentity(
                serviceIdentifier: service.identifier, label: user, recordIdentifier: name.text)
        }
    }
}
