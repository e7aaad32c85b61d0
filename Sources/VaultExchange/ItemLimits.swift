/// What one item may hold, as whoever keeps the vault decides: the most characters, bytes or pieces of each part.
package struct ItemLimits: Sendable {
    package var titleCharacters: Int
    package var userCharacters: Int
    package var addresses: Int
    package var addressCharacters: Int
    package var tags: Int
    package var tagCharacters: Int
    package var fields: Int
    package var fieldNameCharacters: Int
    package var fieldBytes: Int
    package var passwordBytes: Int
    package var notesBytes: Int

    /// Limits by their parts.
    package init(
        titleCharacters: Int, userCharacters: Int, addresses: Int, addressCharacters: Int, tags: Int,
        tagCharacters: Int, fields: Int, fieldNameCharacters: Int, fieldBytes: Int, passwordBytes: Int,
        notesBytes: Int
    ) {
        self.titleCharacters = titleCharacters
        self.userCharacters = userCharacters
        self.addresses = addresses
        self.addressCharacters = addressCharacters
        self.tags = tags
        self.tagCharacters = tagCharacters
        self.fields = fields
        self.fieldNameCharacters = fieldNameCharacters
        self.fieldBytes = fieldBytes
        self.passwordBytes = passwordBytes
        self.notesBytes = notesBytes
    }
}
