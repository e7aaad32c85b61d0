import AutoFillProtocol
import KeywaySystem

/// How many entries of one kind are listed in a time: whoever causes the same again and again must not push out what
/// happened before.
struct EntryBudget {
    /// How long a window lasts.
    static let window = Duration.seconds(3600)

    /// The most entries of `event` in one window. A person refuses and changes little, and fills more.
    static func most(_ event: HistoryEntry.Event) -> Int {
        switch event {
        case .fill, .registration, .save, .list, .show: 1000
        case .refusal, .approval, .change, .exchange: 100
        }
    }

    private let most: Int
    private var began: MonotonicTime?
    private var count = 0

    /// How many were not listed in this window.
    var unlisted: Int { max(0, count - most) }

    /// A budget for `event`.
    init(_ event: HistoryEntry.Event) {
        most = Self.most(event)
    }

    /// Whether one more is listed; after ``finish(now:)``.
    mutating func admits(now: MonotonicTime) -> Bool {
        began = began ?? now
        count += 1
        return count <= most
    }

    /// Counts what an earlier broker wrote in the last window: it is no way to a new budget to end the broker.
    ///
    /// - Returns: how many of this window's still fit.
    mutating func count(earlier: Int, now: MonotonicTime) -> Int {
        began = began ?? now
        count += earlier
        return max(0, most - earlier)
    }

    /// Ends a window that is over: how many were not listed in it.
    mutating func finish(now: MonotonicTime) -> Int {
        guard let began, now.since(began) >= Self.window else { return 0 }
        defer { (self.began, count) = (nil, 0) }
        return unlisted
    }
}

extension HistoryEntry.Event {
    /// What several of it are called.
    var plural: String {
        switch self {
        case .fill: "fills"
        case .registration: "passkeys created"
        case .save: "passwords saved"
        case .refusal: "refusals"
        case .approval: "approvals"
        case .change: "changes"
        case .list: "lists shown"
        case .show: "accounts shown"
        case .exchange: "exchanges"
        }
    }
}
