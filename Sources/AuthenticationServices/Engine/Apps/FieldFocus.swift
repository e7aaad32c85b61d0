import Foundation

/// Which controllers offer suggestions at fields: those whose AutoFill-assisted requests wait.
@MainActor
final class FieldFocus {
    /// The fields of this process.
    static let process = FieldFocus()

    private struct Waiting {
        let number: Int
        let offer: @MainActor () async -> Void
    }

    private var waiting: [Waiting] = []
    private var next = 0
    private var isOffering = false

    /// Calls `offer` whenever a field gets the focus that takes a user name or a password, until ``remove(_:)``.
    func add(_ offer: @escaping @MainActor () async -> Void) -> Int {
        next += 1
        waiting.append(Waiting(number: next, offer: offer))
        return next
    }

    /// Ends what ``add(_:)`` began.
    func remove(_ number: Int) {
        waiting.removeAll { $0.number == number }
    }

    /// A field with this content has the focus now.
    ///
    /// - Returns: the offer that this begins; nil where nobody waits, or one is before the person already.
    @discardableResult
    func begin(_ content: UITextContentType?) -> Task<Void, Never>? {
        let fitting: [UITextContentType] = [.username, .emailAddress, .password]
        guard let content, fitting.contains(content), !isOffering, let last = waiting.last else { return nil }
        isOffering = true
        return Task {
            await last.offer()
            isOffering = false
        }
    }
}
