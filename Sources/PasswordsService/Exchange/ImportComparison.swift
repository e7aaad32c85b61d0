import CredentialExchange
import KeywayCrypto
import KeywaySystem
import PasswordsProtocol
import SecretDocuments
import Vault
import VaultExchange

/// Compares items of a document with what the vault has, one after another.
final class ImportComparison {
    /// An item of the vault with its secrets.
    typealias Contents = (summary: StoredSummary, body: ItemBody, sections: [ItemSection])

    /// How an item of the document stands to the vault.
    enum Verdict {
        case new(ImportedItem)
        /// All of it is there.
        case duplicate(StoredSummary?, sameAs: Int?, notices: [String])
        /// The account is there with something else; without that, where this document has changed it already.
        case conflict(ImportedItem, StoredSummary, Contents?)
        case refused(String)
    }

    private let vault: UnlockedVault
    /// The items by what their accounts are found by; hashes that are the same are told apart by a second look.
    private var accounts: [Int: [ItemID]] = [:]
    private var passkeys: [[UInt8]: ItemReader.Holder] = [:]
    /// The items of the document so far, by their fingerprints.
    private var seen: [ItemFingerprint.Mark: Int] = [:]
    /// How many places for items the vault has, and how many of them were looked at.
    private let entries: Int
    private var learned = 0
    /// What the last item is found by, once it counts.
    private var last: (mark: ItemFingerprint.Mark, index: Int, passkeys: [[UInt8]])?
    /// The items whose secrets may be compared; nil for all.
    private let comparable: Set<ItemID>?
    /// The items whose secrets were compared.
    private(set) var compared: Set<ItemID> = []
    /// The items that were changed since the comparison began, as they were before.
    private var changed: [ItemID: StoredSummary] = [:]

    /// A comparison with the vault as it is now; nothing of it is known yet.
    ///
    /// - Parameter comparable: the items whose secrets may be compared; nil for all. Of others nothing is said but that
    ///   they are there.
    /// - Throws: `locked`.
    init(_ vault: UnlockedVault, comparable: Set<ItemID>? = nil) throws(VaultError) {
        self.vault = vault
        self.comparable = comparable
        entries = try vault.entryCount
    }

    /// Looks at the next `count` items of the vault, which must stay as it is until the comparison has ended.
    ///
    /// - Returns: whether there are more of them.
    /// - Throws: `locked`.
    func learn(_ count: Int) throws(VaultError) -> Bool {
        let end = min(learned + count, entries)
        try vault.forEachSummary(in: learned..<end) { (item) throws(VaultError) in
            for passkey in item.passkeys { passkeys[passkey.credentialID] = .stored(item.id) }
            guard item.passkey == nil, item.hidden == nil else { return }
            for name in Self.names(item.title, item.userName, item.addresses) {
                accounts[name, default: []].append(item.id)
            }
        }
        learned = end
        return learned < entries
    }

    /// Who has a passkey already.
    private func holder(of credentialID: [UInt8]) -> ItemReader.Holder? { passkeys[credentialID] }

    /// Tells that an item is not what it was.
    func note(changed item: StoredSummary) { changed[item.id] = item }

    /// The last item is in the vault now, or would be: what says the same after it says it again.
    func accept() {
        guard let last else { return }
        seen[last.mark] = last.index
        for credentialID in last.passkeys { passkeys[credentialID] = .document }
        self.last = nil
    }

    /// How an item stands to the vault, and to the items of the document before it that were accepted.
    ///
    /// - Throws: what the vault does: `damaged`, `locked`.
    func verdict(on item: DocumentItems.Item, of document: DocumentItems) throws(VaultError) -> Verdict {
        last = nil
        if let first = seen[item.mark] { return .duplicate(nil, sameAs: first, notices: []) }
        let imported: ImportedItem
        do throws(VaultExchangeError) {
            imported = try read(item, of: document).get()
        } catch {
            return .refused(error.detail)
        }
        last = (item.mark, item.index, imported.credentialIDs)
        if !imported.hasContent, let holder = imported.holders.first {
            return .duplicate(try vault.summary(of: holder), sameAs: nil, notices: imported.notices)
        }
        return try compare(imported)
    }

    private func read(
        _ item: DocumentItems.Item, of document: DocumentItems
    ) -> Result<ImportedItem, VaultExchangeError> {
        guard case .success(let imported) = item.read,
            imported.credentialIDs.contains(where: { holder(of: $0) != nil })
        else { return item.read }
        return document.read(item) { [self] in holder(of: $0) }
    }

    private func compare(_ imported: ImportedItem) throws(VaultError) -> Verdict {
        let draft = imported.draft
        guard draft.passkey == nil else { return .new(imported) }
        var (conflict, looked): ((summary: StoredSummary, contents: Contents?)?, Set<ItemID>) = (nil, [])
        for name in Self.names(draft.title, draft.userName, draft.addresses) {
            for id in accounts[name] ?? [] where looked.insert(id).inserted {
                if let former = changed[id] {
                    if former.userName == draft.userName, conflict == nil { conflict = (former, nil) }
                    continue
                }
                if let comparable, !comparable.contains(id) {
                    let summary = try vault.summary(of: id)
                    if summary.userName == draft.userName, conflict == nil { conflict = (summary, nil) }
                    continue
                }
                let contents = try vault.contents(of: id)
                guard contents.summary.userName == draft.userName else { continue }
                compared.insert(id)
                if imported.isContained(in: contents.summary, contents.body, contents.sections) {
                    return .duplicate(contents.summary, sameAs: nil, notices: imported.notices)
                }
                if conflict == nil, contents.summary.marks.use == draft.marks.use {
                    conflict = (contents.summary, contents)
                }
            }
        }
        // Two notes of one title are two notes: only of an account there is one.
        let isAccount = draft.password != nil && (!draft.userName.isEmpty || !draft.addresses.isEmpty)
        if isAccount, let conflict { return .conflict(imported, conflict.summary, conflict.contents) }
        return .new(imported)
    }

    /// What the account of an item is found by: its sites with its user name, or its title where it has none.
    private static func names(_ title: String, _ user: String, _ addresses: [String]) -> [Int] {
        var names: [Int] = []
        for place in addresses.isEmpty ? [.title(title)] : addresses.map(AccountPlace.init) {
            var hasher = Hasher()
            hasher.combine(place)
            hasher.combine(user)
            let name = hasher.finalize()
            if !names.contains(name) { names.append(name) }
        }
        return names
    }
}
