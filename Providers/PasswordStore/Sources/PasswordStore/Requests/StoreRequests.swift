import AuthenticationServices
import PassEntries

/// What is asked of the provider, and how it is answered: with a conversation where the person may be asked, else
/// without.
@MainActor
struct StoreRequests {
    let store: PasswordStore
    let updates: IdentityUpdates
    /// The conversation with the person; nil when nothing may be shown.
    let person: Conversation?

    // MARK: One entry

    /// The account of one entry.
    ///
    /// - Throws: ``StoreError``, or `CancellationError`.
    func password(of record: String?) async throws -> (user: String, password: String) {
        let name = try Self.name(record)
        let contents = try await read(name)
        return (contents.user ?? EntryAccount(name).user, try contents.password())
    }

    /// The one-time code of one entry, and when the next one takes its place.
    ///
    /// - Throws: as ``password(of:)``.
    func code(of record: String?) async throws -> (code: String, validUntil: Date?) {
        let name = try Self.name(record)
        return try await withEntry(name) { contents in
            let now = UInt64(Date().timeIntervalSince1970)
            let code = try await store.code(of: contents, in: name, at: now)
            return (code, try store.endOfCode(of: contents, at: now).map { Date(timeIntervalSince1970: Double($0)) })
        }
    }

    /// Reads an entry, unless it is `known` already, for a change. Where somebody changed it in the meantime and it cannot be read again without the
    /// person, the person is asked again.
    func withEntry<Result: Sendable>(
        _ name: EntryName, known: EntryContents? = nil, _ body: (EntryContents) async throws -> Result
    ) async throws -> Result {
        var known = known
        while true {
            let contents = if let known { known } else { try await read(name) }
            known = nil
            do {
                return try await body(contents)
            } catch let error as StoreError where error.needsPerson && person != nil {
                continue
            }
        }
    }

    private static func name(_ record: String?) throws -> EntryName {
        guard let name = record.flatMap(EntryName.init) else { throw StoreError.notFound }
        return name
    }

    // MARK: A choice

    /// The entry that the person chooses; those for the services first.
    func choice(for services: [ASCredentialServiceIdentifier], codes: Bool = false) async throws -> EntryName {
        guard let person else { throw StoreError.locked }
        try store.check()
        let names = store.tree().entries
        _ = try? await updates.update(names)
        let remembered = await updates.remembered()
        let hasCode = { (name: EntryName) in
            (remembered[name] ?? StoreIdentity.named(name)).contains { $0.kind == .oneTimeCode }
        }
        // Of an entry that was never decrypted nobody knows whether it has a code: those that do come first.
        let sorted = codes ? names.filter(hasCode) + names.filter { !hasCode($0) } : names
        let services = codes || !services.isEmpty ? services : []
        var list = EntryList(sorted, for: services, remembered: remembered.mapValues { $0.map(\.service) })
        var event = try await person.ask(Screens.list(list))
        while true {
            switch event {
            case .chose(let row):
                if let index = Screens.index(ofRow: row), list.names.indices.contains(index) {
                    return list.names[index]
                }
                event = try await person.next()
            case .searched(let text):
                list = list.searched(text)
                person.tell(Screens.list(list))
                event = try await person.next()
            default: event = try await person.next()
            }
        }
    }

    /// Any line of any entry, which the person chooses.
    func text() async throws -> String {
        let name = try await choice(for: [])
        let contents = try await read(name)
        let parts = EntryPart.parts(of: contents)
        guard let person else { throw StoreError.locked }
        var event = try await person.ask(Screens.parts(name, parts))
        while true {
            if case .chose(let row) = event, let index = Screens.index(ofRow: row), parts.indices.contains(index) {
                guard let text = contents.bytes.text(parts[index].place) else {
                    throw StoreError.failed("That line is no text.")
                }
                return text
            }
            event = try await person.next()
        }
    }

    // MARK: Reading

    /// Decrypts an entry, with the person's passphrase where that is needed and may be asked for; and remembers what it
    /// says of itself.
    func read(_ name: EntryName) async throws -> EntryContents {
        let contents = try await decrypt(name)
        // No request waits for that, and nothing secret does.
        let identities = StoreIdentity.read(name, contents)
        Task { [updates] in await updates.learn(name, identities) }
        return contents
    }

    /// Decrypts an entry, with the person's passphrase where that is needed and may be asked for.
    func decrypt(_ name: EntryName) async throws -> EntryContents {
        do {
            return try await store.contents(of: name)
        } catch let error as StoreError {
            guard let person, error.needsPerson else { throw error }
            return try await unlock(name, error, person)
        }
    }

    private func unlock(_ name: EntryName, _ first: StoreError, _ person: Conversation) async throws -> EntryContents {
        var reason = first
        while true {
            var unlocking = GnuPG.Unlocking.never
            if reason == .needsCard || reason == .needsPinentry {
                _ = try await person.ask(Screens.unlockElsewhere(name, reason))
            } else {
                unlocking = .with(try await passphrase(name, reason == .wrongPassphrase ? reason.reason : nil, person))
            }
            person.tell(Screens.unlocking)
            do {
                return try await store.contents(of: name, unlocking)
            } catch let error as StoreError {
                guard error.needsPerson || error == .wrongPassphrase else { throw error }
                reason = error
            }
        }
    }

    /// What the person types, as it came: it is lent for one run of gpg and then wiped.
    private func passphrase(_ name: EntryName, _ error: String?, _ person: Conversation) async throws -> SecretBuffer {
        var event = try await person.ask(Screens.unlock(name, error: error))
        while true {
            if case .submitted(let values) = event, case .secret(let secret)? = values[Screens.passphraseField] {
                return try secret.withUnsafeBytes { SecretBuffer($0) }
            }
            event = try await person.next()
        }
    }
}
