/// Waits. A seam: tests turn the clock.
@MainActor
package protocol SheetTimer {
    /// Calls `body` after `milliseconds`, once.
    func after(milliseconds: UInt32, _ body: @escaping @MainActor () -> Void)
}

/// Keeps the button that says yes shut until the person has had the time to see what it is about: no page can open a
/// question under a click or a key that was meant for something else.
@MainActor
package final class Consideration {
    /// How long it takes, in milliseconds.
    package static let time: UInt32 = 700
    /// Of how many waits that is made, one after the other. Any program of the person can stop this one for a while
    /// (SIGSTOP): time that went by meanwhile is no time to see anything, and clicks of that time come all at once.
    private static let steps: UInt32 = 7

    private let timer: any SheetTimer
    private let onChange: @MainActor (Bool) -> Void
    /// Counts the questions, so that only the wait for the newest opens anything.
    private var generation = 0
    private var isAsking = false

    /// Whether yes counts now.
    package private(set) var isOver = false

    /// Tells `onChange` whenever ``isOver`` may have changed.
    package init(timer: any SheetTimer, onChange: @escaping @MainActor (Bool) -> Void) {
        self.timer = timer
        self.onChange = onChange
    }

    /// A question stands there from now on, or is looked at again.
    package func begin() {
        end()
        isAsking = true
        wait(steps: Self.steps, generation)
    }

    private func wait(steps: UInt32, _ current: Int) {
        timer.after(milliseconds: Self.time / Self.steps) { [weak self] in
            guard let self, generation == current else { return }
            guard steps == 1 else { return wait(steps: steps - 1, current) }
            isOver = true
            onChange(true)
        }
    }

    /// The same, if one stands there.
    package func beginAgain() {
        if isAsking { begin() }
    }

    /// None stands there any more.
    package func end() {
        generation += 1
        isAsking = false
        isOver = false
        onChange(false)
    }
}
