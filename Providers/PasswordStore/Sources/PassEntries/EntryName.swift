/// The name of an entry as `pass` takes it: its file's path in the store, without `.gpg`.
public struct EntryName: Hashable, Comparable, Sendable {
    /// The name, such as `Web/example.com/ada`.
    public let text: String

    /// A name, if it is one: no way out of the store (`..`), no empty part, nothing that no file can be called.
    public init?(_ text: String) {
        guard text.utf8.count <= 4000, !text.utf8.contains(0) else { return nil }
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." && $0.utf8.count <= 250 }) else { return nil }
        self.text = text
    }

    /// The folders and the last part.
    public var parts: [Substring] { text.split(separator: "/") }

    /// The last part.
    public var last: Substring { parts.last ?? "" }

    /// The name of the folder; empty for an entry that lies in none.
    public var folder: String { text.lastIndex(of: "/").map { String(text[..<$0]) } ?? "" }

    /// By their text.
    public static func < (one: EntryName, other: EntryName) -> Bool { one.text < other.text }
}
