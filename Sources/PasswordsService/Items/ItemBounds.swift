import AutoFillWire
import KeywaySystem

/// What one item may hold. Whoever asks for more gets `invalidParameters` with the field's name, never its content.
enum ItemBounds {
    static let titleCharacters = 300
    static let userCharacters = 300
    static let addresses = 50
    static let addressCharacters = 2000
    static let tags = 50
    static let tagCharacters = 100
    static let fields = 40
    static let fieldNameCharacters = 300
    static let fieldBytes = 64 << 10
    static let passwordBytes = 16 << 10
    static let notesBytes = 1 << 20
    static let fileNameBytes = 255
    static let masterPasswordBytes = 4 << 10

    /// Checks the title: one that is only white space is none.
    static func title(_ text: String) throws(ProtocolError) -> String {
        let text = try self.text(text, "title", limit: titleCharacters)
        guard !text.isEmpty else { throw ProtocolError(.invalidParameters, "The title is empty: an item needs one.") }
        return text
    }

    /// Checks the user name.
    static func user(_ text: String) throws(ProtocolError) -> String {
        try self.text(text, "user name", limit: userCharacters)
    }

    /// Checks all addresses.
    static func addresses(_ texts: [String]) throws(ProtocolError) -> [String] {
        try list(texts, "address", limit: addresses, characters: addressCharacters)
    }

    /// Checks all tags.
    static func tags(_ texts: [String]) throws(ProtocolError) -> [String] {
        try list(texts, "tag", limit: tags, characters: tagCharacters)
    }

    /// Checks the name of a field.
    static func fieldName(_ text: String) throws(ProtocolError) -> String {
        let text = try self.text(text, "name of a field", limit: fieldNameCharacters)
        guard !text.isEmpty else { throw ProtocolError(.invalidParameters, "The name of a field is empty.") }
        return text
    }

    /// Checks the name of a file: a label, never a path.
    static func fileName(_ text: String) throws(ProtocolError) -> String {
        let text = try self.text(text, "name of the file", limit: fileNameBytes)
        guard !text.isEmpty, text.utf8.count <= fileNameBytes else {
            throw ProtocolError(
                .invalidParameters, "The name of the file is empty or has more than \(fileNameBytes) bytes.")
        }
        return text
    }

    /// Checks how many fields there are.
    static func fieldCount(_ count: Int) throws(ProtocolError) {
        guard count <= fields else {
            throw ProtocolError(.invalidParameters, "There are \(count) fields; at most \(fields) are kept.")
        }
    }

    private static func list(
        _ texts: [String], _ name: String, limit: Int, characters: Int
    ) throws(ProtocolError) -> [String] {
        guard texts.count <= limit else {
            throw ProtocolError(
                .invalidParameters, "There are \(texts.count) values for \"\(name)\"; at most \(limit) are kept.")
        }
        var checked: [String] = []
        for text in texts {
            let text = try self.text(text, name, limit: characters)
            if !text.isEmpty && !checked.contains(text) { checked.append(text) }
        }
        return checked
    }

    private static func text(_ text: String, _ name: String, limit: Int) throws(ProtocolError) -> String {
        let text = text.trimmed
        // Characters may hold any number of scalars; the bytes are what storage and frames pay for.
        guard text.count <= limit, text.utf8.count <= limit * 4 else {
            throw ProtocolError(
                .invalidParameters, "The \(name) has \(text.count) characters; at most \(limit) are kept.")
        }
        guard !text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7f }) else {
            throw ProtocolError(.invalidParameters, "The \(name) holds control characters, such as a line break.")
        }
        return text
    }
}
