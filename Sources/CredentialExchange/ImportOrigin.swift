package import SecretDocuments

/// What the reader of other programs' exports says of an item where CXF has no place for it: an extension of Keyway's own,
/// in documents that go from there to who stores the items.
package struct ImportOrigin: Sendable, Equatable {
    /// The name of the extension, of items and of their account.
    package static let name = "keyway.org/import"
    /// The relying party identifier in the header of such a document.
    package static let exporter = "keyway.org"
    /// The label of the section of custom fields that are links for one-time codes which CXF cannot say otherwise.
    package static let codesLabel = "One-time codes"

    /// Where the entry stood in the file, in words: `line 12`.
    package var place = ""
    /// The folders that it lay in, the outermost first.
    package var folder: [String] = []
    /// Whether its password is for HTTP's own sign-in.
    package var isForHTTP = false
    /// What could not be taken over as it was, in words, without content.
    package var notices: [String] = []

    /// What is said of an item; nothing where that has no such extension.
    package init(_ item: ExchangeItem) {
        guard let found = Self.extension(of: item.object) else { return }
        place = found.publicText("place")
        folder = (found["folder"]?.elements ?? []).compactMap(\.publicText)
        isForHTTP = found["http"]?.boolean ?? false
        notices = (found["notices"]?.elements ?? []).compactMap(\.publicText)
    }

    /// What is said of an item, by its parts.
    package init(place: String, folder: [String] = [], isForHTTP: Bool = false, notices: [String] = []) {
        self.place = place
        self.folder = folder
        self.isForHTTP = isForHTTP
        self.notices = notices
    }

    /// Writes the extension; members without a value are left out.
    package func write<Failure>(to writer: JSONWriter<Failure>) throws(Failure) {
        try writer.object { (members) throws(Failure) in
            try members.add("name", text: Self.name)
            if !place.isEmpty { try members.add("place", text: place) }
            if !folder.isEmpty {
                try members.add("folder", each: folder) { (writer, name) throws(Failure) in try writer.text(name) }
            }
            if isForHTTP { try members.add("http", .boolean(true)) }
            if !notices.isEmpty {
                try members.add("notices", each: notices) { (writer, text) throws(Failure) in try writer.text(text) }
            }
        }
    }

    static func `extension`(of object: JSONObject) -> JSONObject? {
        object["extensions"]?.elements?.lazy.compactMap(\.object).first { $0.publicText("name") == name }
    }
}

/// What the reader of other programs' exports says of a whole file: an extension of the account in its document.
package struct ImportSummary: Sendable, Equatable {
    /// An entry that is left out.
    package struct Skipped: Sendable, Equatable {
        /// Where it stands: `line 12`, `item 3`.
        package let place: String
        /// Why it is left out, in words, without content.
        package let reason: String

        /// An entry that is left out.
        package init(place: String, reason: String) {
            self.place = place
            self.reason = reason
        }
    }

    /// The name of the file's format: `chrome-csv`.
    package var format: String
    /// What is left out.
    package var skipped: [Skipped]

    /// What is said of a file.
    package init(format: String, skipped: [Skipped]) {
        self.format = format
        self.skipped = skipped
    }

    /// What is said in an account; nil where that has no such extension.
    package init?(_ account: ExchangeAccount) {
        guard let found = ImportOrigin.extension(of: account.object) else { return nil }
        format = found.publicText("format")
        skipped = (found["skipped"]?.elements ?? []).compactMap(\.object).map {
            Skipped(place: $0.publicText("place"), reason: $0.publicText("reason"))
        }
    }

    /// Writes the extension.
    package func write<Failure>(to writer: JSONWriter<Failure>) throws(Failure) {
        try writer.object { (members) throws(Failure) in
            try members.add("name", text: ImportOrigin.name)
            try members.add("format", text: format)
            guard !skipped.isEmpty else { return }
            try members.add("skipped", each: skipped) { (writer, entry) throws(Failure) in
                try writer.object { (members) throws(Failure) in
                    try members.add("place", text: entry.place)
                    try members.add("reason", text: entry.reason)
                }
            }
        }
    }
}
