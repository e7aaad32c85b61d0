/// What goes wrong with a password store. Nothing in it is secret.
enum StoreError: Error, Equatable {
    /// The key's passphrase is needed, and the agent does not have it.
    case locked
    /// That was not the passphrase.
    case wrongPassphrase
    /// gpg-agent was told not to take a passphrase from anybody but a pinentry.
    case needsPinentry
    /// The key lies on a smartcard, whose PIN only a pinentry asks for.
    case needsCard
    /// None of the entry's keys is the person's.
    case noSecretKey
    /// What gpg made of a file is not what was encrypted.
    case damaged
    /// More bytes than an entry may have.
    case tooLarge
    /// There is no such entry.
    case notFound
    /// There is one already.
    case exists
    /// A name that is none, or that leads out of the store.
    case badName
    /// There is no folder, or `pass init` was never run there.
    case noStore(String)
    /// gpg cannot encrypt to this recipient.
    case unusableRecipient(String)
    /// The signature of a `.gpg-id` is missing, or not of one of the signing keys.
    case badSignature(String)
    /// The first line is no password that can be filled in.
    case noPassword
    /// The entry has no one-time code, or none that can be computed.
    case noCode(String)
    /// A program is not installed.
    case missingProgram(String)
    /// A program did not do its work.
    case failed(String)

    /// Whether the person must do something before an entry can be read.
    var needsPerson: Bool { [.locked, .needsCard, .needsPinentry].contains(self) }

    /// A sentence for the person.
    var reason: String {
        switch self {
        case .locked: "The key is locked."
        case .wrongPassphrase: "That is not the passphrase."
        case .needsPinentry: "gpg-agent takes the passphrase from its own pinentry only."
        case .needsCard: "The key is on a smartcard, and its PIN is asked for by gpg's own pinentry."
        case .noSecretKey: "The entry is encrypted to keys that are not yours."
        case .damaged: "The entry is damaged: gpg cannot read it."
        case .tooLarge: "The entry is larger than \(EntryContents.maximumBytes >> 20) MiB."
        case .notFound: "There is no such entry any more."
        case .exists: "There is an entry of that name already."
        case .badName: "That is no name for an entry."
        case .noStore(let folder): "There is no password store in \(folder). Make one in a terminal: pass init KEY"
        case .unusableRecipient(let key): "gpg cannot encrypt to \(key): the key is unknown, expired or not trusted."
        case .badSignature(let file): "\(file) is not signed by one of the signing keys."
        case .noPassword: "The entry has no password that can be filled in."
        case .noCode(let reason): reason
        case .missingProgram(let name): "\(name) is not installed."
        case .failed(let reason): reason
        }
    }
}
