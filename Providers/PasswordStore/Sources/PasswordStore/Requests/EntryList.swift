import AuthenticationServices
import PassEntries

/// Entries to choose from.
struct EntryList {
    /// All of them.
    let names: [EntryName]
    /// The places of those that are for the service.
    let matches: [Int]
    /// The service, as people know it.
    let serviceName: String?
    /// Who asks.
    private let services: [ASCredentialServiceIdentifier]
    /// What the system remembers of entries beside what their names say.
    private let remembered: [EntryName: [StoreService]]
    /// The places of those that hold the words of a search.
    private(set) var found: [Int]
    /// What was searched for.
    private(set) var search = ""

    /// The entries `names`; those whose services, by their names or by what the system remembers, are asked for come
    /// first.
    init(
        _ names: [EntryName], for services: [ASCredentialServiceIdentifier] = [],
        remembered: [EntryName: [StoreService]] = [:]
    ) {
        self.names = names
        self.services = services
        self.remembered = remembered
        found = Array(names.indices)
        serviceName = services.first.map { $0.displayName ?? $0.identifier }
        matches =
            services.isEmpty
            ? []
            : names.indices.filter { index in
                Self.places(of: names[index], remembered).contains { $0.fits(services) }
            }
    }

    /// Where the account of an entry is, as far as that is known: the place closest to who asks, where it has several.
    func service(of index: Int) -> StoreService? {
        let places = Self.places(of: names[index], remembered)
        return places.first { $0.fits(services) } ?? places.first
    }

    private static func places(of name: EntryName, _ remembered: [EntryName: [StoreService]]) -> [StoreService] {
        (EntryAccount(name).service.map { [$0] } ?? []) + (remembered[name] ?? [])
    }

    /// The list when `text` stands in the search field: entries whose names hold all of its words.
    func searched(_ text: String) -> EntryList {
        var list = self
        list.search = text
        let words = text.lowercased().split(whereSeparator: \.isWhitespace)
        list.found = names.indices.filter { index in
            let name = names[index].text.lowercased()
            return words.allSatisfy { name.contains($0) }
        }
        return list
    }
}

/// Something of an entry that can be inserted as text.
struct EntryPart {
    /// What it is called.
    let label: String
    /// Where it stands.
    let place: Range<Int>

    /// The parts of an entry: the password, and every line with a key.
    static func parts(of contents: EntryContents) -> [EntryPart] {
        var parts = contents.fields.map { EntryPart(label: $0.key, place: $0.value) }
        if (try? contents.password()) != nil {
            parts.insert(EntryPart(label: "Password", place: contents.firstLine), at: 0)
        }
        return parts
    }
}
