import AutoFillProtocol

/// How many refusals are listed: whoever is refused again and again must not push out what happened before.
struct RefusalBudget {
    /// The most in one window.
    static let most = 100
    /// How long a window lasts.
    static let window = Duration.seconds(3600)

    private var began: MonotonicTime?
    private var count = 0
    /// How many were not listed since the last ``settle()``.
    private var unlisted = 0

    /// Whether one more is listed.
    mutating func admits(now: MonotonicTime) -> Bool {
        if let began, now.since(began) < Self.window {
            count += 1
        } else {
            (began, count) = (now, 1)
        }
        if count > Self.most { unlisted += 1 }
        return count <= Self.most
    }

    /// How many were not listed; they are told of now.
    mutating func settle() -> Int {
        defer { unlisted = 0 }
        return unlisted
    }
}
