extension ASImportableCredential {
    /// A text; `note` in the exchange format.
    public struct Note: Codable, Hashable, Sendable {
        /// The text; lines apart by a line feed.
        public var content: ASImportableEditableField

        /// A text.
        public init(content: ASImportableEditableField) {
            self.content = content
        }
    }
}
