extension ASImportableCredential {
    /// A link to another item; `item-reference` in the exchange format.
    public struct ItemReference: Codable, Hashable, Sendable {
        /// The item that is meant.
        public var reference: ASImportableLinkedItem

        /// A link to another item.
        public init(reference: ASImportableLinkedItem) {
            self.reference = reference
        }
    }
}
