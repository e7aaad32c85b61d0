import AuthenticationServices
import PassEntries

extension StoreRequests {
    // MARK: Saving

    /// Keeps a password: as a new entry, or in the entry that is for its account, after the person said so.
    ///
    /// - Throws: ``StoreError``; `locked` where the person must be asked and may not.
    func save(_ offer: OfferedPassword) async throws {
        try store.check()
        let names = store.tree().entries
        let place = SavePlace(service: offer.service, user: offer.user)
        if let pending = PendingEntries.shared.take(offer.session), names.contains(pending.name) {
            // The same form once more: now its user is known.
            let name = pending.name
            let contents = place.contents(offer.password, title: offer.title, in: name)
            let isReplaced = try await store.replace(
                contents, of: name, ifStill: pending.version, message: Self.editMessage(name))
            // Whoever changed the entry since owns it: it is one like any other then.
            if isReplaced { return await updates.learn(name, EntryContents(contents)) }
        }
        if let existing = place.existing(in: names, remembered: await updates.remembered()) {
            return try await change(existing, to: offer.password)
        }
        guard let name = place.newName(in: names) else { throw StoreError.badName }
        let contents = place.contents(offer.password, title: offer.title, in: name)
        let version = try await store.insert(contents, as: name)
        if offer.isPending, let version { PendingEntries.shared.add(offer.session, name, version) }
        await updates.learn(name, EntryContents(contents))
    }

    private func change(_ name: EntryName, to password: String) async throws {
        let contents = try await read(name)
        guard (try? contents.password()) != password else { return }
        guard let person else { throw StoreError.locked }
        var event = try await person.ask(Screens.replace(name))
        while true {
            if case .activated(action: Screens.goOn) = event { break }
            event = try await person.next()
        }
        let changed = try await withEntry(name, known: contents) { contents in
            try await store.update(name, known: contents, message: Self.editMessage(name)) { contents in
                let changed = contents.replacingPassword(SecretBuffer(password.utf8))
                return (changed, changed)
            }
        }
        await updates.learn(name, EntryContents(changed))
    }

    private static func editMessage(_ name: EntryName) -> String {
        "Edit password for \(name.text) using Keyway."
    }

    // MARK: Configuration

    /// Lets the person choose the store's folder.
    ///
    /// - Throws: `CancellationError`, or what Foundation throws when the choice cannot be kept.
    func configure() async throws {
        guard let person else { throw StoreError.locked }
        var typed = store.settings.folder
        var problem: String?
        while true {
            let event = try await person.ask(Screens.folder(typed, error: problem))
            guard case .submitted(let values) = event, case .text(let text)? = values[Screens.textField] else {
                continue
            }
            typed = text
            let chosen = PasswordStore(store.settings.with(folder: store.settings.absolute(text)))
            do throws(StoreError) {
                try chosen.check()
            } catch {
                problem = error.reason
                continue
            }
            if chosen.settings.folder != store.settings.folder { try StoreSettings.setFolder(chosen.settings.folder) }
            return try await updates.replace(chosen.tree().entries)
        }
    }
}

/// A password that a form was sent with.
struct OfferedPassword: Sendable {
    let service: ASCredentialServiceIdentifier
    let user: String
    let password: String
    let title: String?
    /// The same for everything about one form.
    let session: String
    /// Whether the form was not sent yet, so that more about it follows.
    let isPending: Bool
}

/// Entries for forms that were not sent yet: what follows about the same form belongs there, too.
@MainActor
final class PendingEntries {
    /// Those of this process, which lives as long as requests follow one another.
    static let shared = PendingEntries()
    private static let maximumCount = 20
    private var entries: [(session: String, name: EntryName, version: EntryVersion)] = []

    /// Remembers the entry of a form, and what was written into it.
    func add(_ session: String, _ name: EntryName, _ version: EntryVersion) {
        entries = (entries + [(session, name, version)]).suffix(Self.maximumCount)
    }

    /// The entry of a form, once.
    func take(_ session: String) -> (name: EntryName, version: EntryVersion)? {
        entries.firstIndex { $0.session == session }.map { entries.remove(at: $0) }.map { ($0.name, $0.version) }
    }
}
