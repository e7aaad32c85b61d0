import Synchronization

/// Between the threads that show something and the one that draws: the newest presentation, and whether it is over.
final class Mailbox: Sendable {
    struct Content {
        var newest: Presentation?
        var isClosed = false
        var onEnd: [@Sendable () -> Void] = []
        var hasEnded = false
    }

    private let content = Mutex(Content())

    func post(_ presentation: Presentation) {
        content.withLock { $0.newest = presentation }
    }

    func close() {
        content.withLock { $0.isClosed = true }
    }

    /// The presentation that nobody has taken yet, and whether it is over.
    func take() -> (newest: Presentation?, isClosed: Bool) {
        content.withLock { content in
            defer { content.newest = nil }
            return (content.newest, content.isClosed)
        }
    }

    /// Calls `body` when drawing has ended, or at once when it has.
    func whenEnded(_ body: @escaping @Sendable () -> Void) {
        let hasEnded = content.withLock { content in
            if !content.hasEnded { content.onEnd.append(body) }
            return content.hasEnded
        }
        if hasEnded { body() }
    }

    func end() {
        let waiting = content.withLock { content in
            content.hasEnded = true
            defer { content.onEnd = [] }
            return content.onEnd
        }
        for body in waiting { body() }
    }
}
