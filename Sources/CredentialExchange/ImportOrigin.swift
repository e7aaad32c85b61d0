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
    /// The account that it was an item of, by its identifier in the file; nil for an entry of another format than CXF, whose
    /// identifier is one of the document's alone.
    package var account: String?
    /// The collections that it lay in.
    package var places: [ExchangePlace] = []
    /// Whether its password is for HTTP's own sign-in.
    package var isForHTTP = false
    /// Whether its password is for forms alone, as exports of Keyway's own say it.
    package var isForForms = false
    /// What could not be taken over as it was, in words, without content.
    package var notices: [String] = []

    /// What is said of an item; nothing where that has no such extension.
    package init(_ item: ExchangeItem) {
        guard let found = Self.extension(of: item.object) else { return }
        place = found.publicText("place")
        account = found["account"]?.publicText
        places = (found["collections"]?.elements ?? []).compactMap(\.object).compactMap { ExchangePlace($0) }
        folder = (found["folder"]?.elements ?? []).compactMap(\.publicText)
        if folder.isEmpty { folder = places.first?.titles ?? [] }
        isForHTTP = found["http"]?.boolean ?? false
        isForForms = found.publicText("use") == Self.forms
        notices = (found["notices"]?.elements ?? []).compactMap(\.publicText)
    }

    /// What is said of an item, by its parts.
    package init(place: String, folder: [String] = [], isForHTTP: Bool = false, notices: [String] = []) {
        self.place = place
        self.folder = folder
        self.isForHTTP = isForHTTP
        self.notices = notices
    }

    /// What is left of it in a file of somebody's: the rest is for the reader to say.
    package var ofTheItem: ImportOrigin {
        var origin = ImportOrigin(place: "", isForHTTP: isForHTTP)
        origin.isForForms = isForForms
        return origin
    }

    /// What ``isForForms`` is in the document.
    package static let forms = "forms"

    /// Whether an extension of an item is this one.
    package static func isName(of extension: JSONValue) -> Bool {
        `extension`.object?.text("name")?.isText(name) == true
    }

    /// Writes the extension; members without a value are left out.
    package func write<Failure>(to writer: JSONWriter<Failure>) throws(Failure) {
        try writer.object { (members) throws(Failure) in
            try members.add("name", text: Self.name)
            if !place.isEmpty { try members.add("place", text: place) }
            if let account { try members.add("account", text: account) }
            if !places.isEmpty {
                try members.add("collections", each: places) { (writer, place) throws(Failure) in
                    try writer.value(.object(place.object()))
                }
            } else if !folder.isEmpty {
                try members.add("folder", each: folder) { (writer, name) throws(Failure) in try writer.text(name) }
            }
            if isForHTTP { try members.add("http", .boolean(true)) }
            if isForForms { try members.add("use", text: Self.forms) }
            if !notices.isEmpty {
                try members.add("notices", each: notices) { (writer, text) throws(Failure) in try writer.text(text) }
            }
        }
    }

    static func `extension`(of object: JSONObject) -> JSONObject? {
        object["extensions"]?.elements?.first(where: isName)?.object
    }
}

extension ExchangeItem {
    /// Writes the item as it was read, with what is said of it in place of what it says so itself.
    package func write<Failure>(saying origin: ImportOrigin, to writer: JSONWriter<Failure>) throws(Failure) {
        try writer.object { (members) throws(Failure) in
            for member in object.members where member.name != "extensions" {
                try members.add(member.name, member.value)
            }
            let others = (object["extensions"]?.elements ?? []).filter { !ImportOrigin.isName(of: $0) }
            try members.add("extensions") { (writer) throws(Failure) in
                try writer.raw("[")
                for other in others {
                    try writer.value(other)
                    try writer.raw(",")
                }
                try origin.write(to: writer)
                try writer.raw("]")
            }
        }
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
