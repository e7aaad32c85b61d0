/// A text of an item that can be inserted into a field.
enum ItemText: Hashable, Sendable {
    case notes
    /// The custom field at this place.
    case field(Int)
    /// The member at this place of a section.
    case member(section: Int, Int)
}

/// The texts of one item, by name; what they say stays in the vault until one is chosen.
struct ItemTexts: Sendable {
    /// One of them.
    struct Entry: Sendable {
        let text: ItemText
        /// What the person calls it.
        let name: String
        /// Whether interfaces hide what it says.
        let isHidden: Bool
    }

    /// The item.
    let record: String
    /// Its title.
    let title: String
    /// All of them, notes first.
    let entries: [Entry]
}
