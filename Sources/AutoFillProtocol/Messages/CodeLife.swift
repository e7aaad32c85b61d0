import KeywaySystem

/// How long a one-time code is good for, from when it ends: for whoever shows or fills it.
package enum CodeLife {
    /// A code with fewer seconds left than this, or as many, is not filled into a page: by the time that it is sent, it
    /// would be a former one.
    package static let short = 5

    /// Whole seconds from `now` to `end`, both in seconds since 1970; nil for an end that no code has, in the past or more
    /// than a day away: what a provider says is not believed.
    package static func secondsLeft(until end: Double, now: Double = CodeLife.now) -> Int? {
        let left = (end - now).rounded(.up)
        return (0...86_400).contains(left) ? Int(left) : nil
    }

    /// Seconds since 1970, by the clock of the machine.
    package static var now: Double { Double(SystemTimeSource().milliseconds) / 1000 }
}
