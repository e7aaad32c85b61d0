import AuthenticationServices
import PassEntries

/// What an import from another manager would do to a store, before anything is written.
struct ImportPlan: Sendable {
    /// An entry that would be written.
    struct Entry: Sendable {
        let name: EntryName
        let contents: SecretBuffer
        /// Whether something else is there for the same account, or under the name that it would have.
        let isBesideAnother: Bool
    }

    /// How many items there are.
    private(set) var items = 0
    /// What would be written.
    private(set) var entries: [Entry] = []
    /// How many items say nothing that an entry doesn't say already.
    private(set) var duplicates = 0
    /// How many items have nothing that an entry can hold.
    private(set) var leftOut = 0
    /// What isn't carried, by the titles of the items.
    private(set) var notices: [(title: String, reason: String)] = []

    /// How many entries stand beside something that is there.
    var conflicts: Int { entries.count { $0.isBesideAnother } }

    /// The plan without those.
    var withoutConflicts: ImportPlan {
        var plan = self
        plan.entries = entries.filter { !$0.isBesideAnother }
        plan.notices += entries.filter(\.isBesideAnother).map {
            ($0.name.text, "It is left out: the store has another entry for it.")
        }
        return plan
    }

    /// Plans the import of `data` into a store that has the entries `names`.
    ///
    /// - Parameter read: decrypts an entry; nil for one that can't be read. It is asked only for those that an item could
    ///   be a duplicate of.
    /// - Throws: what `read` throws.
    init(
        _ data: ASExportedCredentialData, into names: [EntryName],
        reading read: @Sendable (EntryName) async throws -> EntryContents?
    ) async throws {
        var taken = Set(names)
        var accounts = Dictionary(grouping: names, by: AccountKey.init)
        var planned: [EntryName: SecretBuffer] = [:]
        for account in data.accounts {
            let folders = Folders(account.collections)
            for item in account.items {
                items += 1
                let composer = EntryComposer(item)
                let entry = ItemEntry(item, composer, folder: folders.folder(of: item.id), beside: names)
                notices += composer.notices.map { (item.title, $0) }
                guard let entry, entry.contents.count <= EntryContents.maximumBytes else {
                    leftOut += 1
                    if composer.notices.isEmpty || entry != nil {
                        notices.append((item.title, entry == nil ? "It is empty." : StoreError.tooLarge.reason))
                    }
                    continue
                }
                let key = AccountKey(entry.name)
                let others = Set(accounts[key] ?? []).union(taken.contains(entry.name) ? [entry.name] : [])
                var isThere = false
                for other in others.sorted() where !isThere {
                    let contents = if let own = planned[other] { EntryContents(own) } else { try await read(other) }
                    isThere = contents.map { Self.says($0, all: EntryContents(entry.contents)) } ?? false
                }
                guard !isThere else {
                    duplicates += 1
                    continue
                }
                guard let name = entry.free({ taken.contains($0) }) else {
                    leftOut += 1
                    notices.append((item.title, StoreError.exists.reason))
                    continue
                }
                taken.insert(name)
                accounts[key, default: []].append(name)
                planned[name] = entry.contents
                entries.append(.init(name: name, contents: entry.contents, isBesideAnother: !others.isEmpty))
            }
        }
    }

    /// Whose account an entry is, by its name; entries without a site are told apart by their names.
    private struct AccountKey: Hashable {
        let host: String
        let user: String
        let isCode: Bool

        init(_ name: EntryName) {
            let account = EntryAccount(name)
            host = account.service?.host ?? ""
            user = account.service == nil ? name.text : account.user
            isCode = account.isCode
        }
    }

    /// Whether an entry has the password and every line of another one; titles and tags don't count.
    static func says(_ entry: EntryContents, all other: EntryContents) -> Bool {
        guard (try? other.password()) == nil || (try? other.password()) == (try? entry.password()) else { return false }
        return lines(of: other).isSubset(of: lines(of: entry))
    }

    private static func lines(of contents: EntryContents) -> Set<String> {
        Set(
            contents.lines.compactMap { line in
                switch line {
                case .link(let place): contents.bytes.text(place)
                case .text(let place):
                    contents.bytes.text(place)?.trimmingCharacters(in: .whitespaces).nonEmpty
                case .field(let field):
                    EntryKeys.title.union(EntryKeys.tag).contains(field.key.lowercased())
                        ? nil : "\(field.key.lowercased()): \(contents.bytes.text(field.value) ?? "")"
                }
            })
    }
}

/// The folders that items are in. Of an item in several the first counts; what is deeper than 32 isn't looked at.
private struct Folders {
    private var paths: [Data: [String]] = [:]

    init(_ collections: [ASImportableCollection]) {
        walk(collections, [])
    }

    private mutating func walk(_ collections: [ASImportableCollection], _ path: [String]) {
        guard path.count < 32 else { return }
        for collection in collections {
            let path = path + [collection.title]
            for link in collection.items where paths[link.item] == nil { paths[link.item] = path }
            walk(collection.subcollections, path)
        }
    }

    func folder(of item: Data) -> [String] { paths[item] ?? [] }
}
