import VaultExchange

extension ItemLimits {
    /// What an item may hold wherever it comes from.
    static let vault = ItemLimits(
        titleCharacters: ItemBounds.titleCharacters, userCharacters: ItemBounds.userCharacters,
        addresses: ItemBounds.addresses, addressCharacters: ItemBounds.addressCharacters, tags: ItemBounds.tags,
        tagCharacters: ItemBounds.tagCharacters, fields: ItemBounds.fields,
        fieldNameCharacters: ItemBounds.fieldNameCharacters, fieldBytes: ItemBounds.fieldBytes,
        passwordBytes: ItemBounds.passwordBytes, notesBytes: ItemBounds.notesBytes)
}
