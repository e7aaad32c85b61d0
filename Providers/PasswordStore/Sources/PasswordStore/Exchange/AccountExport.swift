import AuthenticationServices
import PassEntries

/// A store as another manager takes it over.
struct AccountExport {
    /// What the person reads of an entry that isn't carried, or only in part.
    private(set) var notices: [(name: String, reason: String)] = []
    private var items: [ASImportableItem] = []
    private var top = Folder()

    /// A folder, with the items in it by their identifiers.
    private struct Folder {
        var items: [Data] = []
        var folders: [String: Folder] = [:]

        mutating func add(_ item: Data, _ path: ArraySlice<String>) {
            guard let name = path.first else { return items.append(item) }
            folders[name, default: Folder()].add(item, path.dropFirst())
        }

        func collections(below path: String) -> [ASImportableCollection] {
            folders.sorted { $0.key < $1.key }.map { name, folder in
                let path = "\(path)/\(name)"
                return ASImportableCollection(
                    id: EntryItem.identifier("folder", path), created: nil, lastModified: nil, title: name,
                    subtitle: nil, items: folder.items.map { .init(item: $0, account: nil) },
                    subcollections: folder.collections(below: path))
            }
        }
    }

    /// How many items there are.
    var count: Int { items.count }

    /// Adds an entry.
    mutating func add(_ name: EntryName, _ contents: EntryContents) {
        guard let entry = EntryItem(name, contents) else {
            return leaveOut(name, "Some of it is no text, so it isn't carried.")
        }
        items.append(entry.item)
        top.add(entry.item.id, entry.folder[...])
        notices += entry.notices.map { (name.text, $0) }
    }

    /// Notes an entry that isn't carried.
    mutating func leaveOut(_ name: EntryName, _ reason: String) {
        notices.append((name.text, reason))
    }

    /// All of it.
    func data(at time: Date) -> ASExportedCredentialData {
        let account = ASImportableAccount(
            id: EntryItem.identifier("store", ""), userName: "", email: "", collections: top.collections(below: ""),
            items: items)
        return ASExportedCredentialData(
            accounts: [account], formatVersion: .v1, exporterRelyingPartyIdentifier: "password-store.keyway.org",
            exporterDisplayName: "Password Store", timestamp: time)
    }
}
