import AuthenticationServices
import PassEntries

/// Takes over what another manager hands to the store, and hands over what is in it.
@MainActor
struct StoreExchange {
    /// What was done.
    struct Account {
        /// How many items arrived, or were handed over.
        var items: Int
        /// What wasn't carried, or only in another form.
        var notices: [(item: String, reason: String)]
    }

    let requests: StoreRequests
    let person: Conversation

    private var store: PasswordStore { requests.store }

    // MARK: Import

    /// Writes what is sound in `data` into the store, once the person has seen what becomes of it and agreed.
    ///
    /// - Throws: ``StoreError``: nothing was written then; `CancellationError` where the person backs out.
    func take(_ data: ASExportedCredentialData) async throws -> Account {
        try store.check()
        person.tell(ExchangeScreens.comparing)
        var plan = try await ImportPlan(data, into: store.tree().entries) { name in
            do {
                return try await requests.decrypt(name)
            } catch is StoreError {
                // What can't be read is another entry.
                return nil
            }
        }
        let exporter = ExchangeScreens.line(data.exporterDisplayName)
        var event = try await person.ask(ExchangeScreens.preview(plan, from: exporter))
        while true {
            if case .activated(ExchangeScreens.store) = event { break }
            if case .activated(ExchangeScreens.storeNew) = event {
                plan = plan.withoutConflicts
                break
            }
            event = try await person.next()
        }
        let entries = plan.entries
        if !entries.isEmpty {
            try await store.insert(entries, from: exporter) { count in
                await person.tell(ExchangeScreens.writing(count, of: entries.count))
            }
            await requests.updates.learn(new: entries.map { ($0.name, EntryContents($0.contents)) })
        }
        var notices = plan.notices.map { (item: $0.title, reason: $0.reason) }
        notices += entries.filter(\.isBesideAnother).map {
            ($0.name.text, "It has this name, since the store has another entry for the account.")
        }
        if plan.duplicates > 0 {
            notices.append(("", ExchangeScreens.duplicates(plan.duplicates)))
        }
        return Account(items: entries.count, notices: notices)
    }

    // MARK: Export

    /// Decrypts everything that can be read.
    ///
    /// - Throws: ``StoreError`` where there is no store; `CancellationError` where the person backs out.
    func collect() async throws -> AccountExport {
        try store.check()
        let names = store.tree().entries
        var export = AccountExport()
        for (index, name) in names.enumerated() {
            person.tell(ExchangeScreens.reading(index, of: names.count))
            do {
                export.add(name, try await requests.decrypt(name))
            } catch let error as StoreError {
                export.leaveOut(name, "\(error.reason) It isn't carried.")
            }
            try Task.checkCancellation()
        }
        return export
    }

    /// Shows what can't be handed over, and returns when the person goes on all the same.
    ///
    /// - Throws: `CancellationError` where they back out.
    func confirm(_ export: AccountExport) async throws {
        var event = try await person.ask(ExchangeScreens.losses(export))
        while true {
            if case .activated(ExchangeScreens.store) = event { return }
            event = try await person.next()
        }
    }
}
