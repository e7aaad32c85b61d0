/// The longest texts and lists that the extension takes (`Browser/src/protocol/host.js`), which counts in UTF-16 units
/// as JavaScript does. A message over them would end the conversation.
enum ExtensionBounds {
    static let text = 4096
    static let handle = 1024
    static let name = 256
    static let message = 1024
    static let command = 1024
    static let suggestions = 100
    static let providers = 100
}

extension String {
    /// As many whole characters from the start as `limit` UTF-16 units hold.
    func fitting(_ limit: Int) -> String {
        guard utf16.count > limit else { return self }
        var room = limit
        return String(
            prefix { character in
                room -= character.utf16.count
                return room >= 0
            })
    }
}
