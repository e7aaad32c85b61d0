import KeywaySystem

/// A secret of a credential: text that was given, or the memory file that it came in, which becomes text when somebody
/// asks for that.
enum HeldSecret: Sendable {
    case text(String)
    /// UTF-8.
    case sealed(SealedMemory)

    /// The text; empty, with a line in the log, for a memory file that cannot be read. `what` calls it there.
    func text(_ what: String) -> String {
        switch self {
        case .text(let text): return text
        case .sealed(let memory):
            do {
                return try memory.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
            } catch {
                Log.line("a \(what) cannot be read: \(error)")
                return ""
            }
        }
    }

    /// The memory file; nil for what was given as text.
    var memory: SealedMemory? {
        if case .sealed(let memory) = self { memory } else { nil }
    }
}
