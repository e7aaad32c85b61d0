import SheetInterface

/// Waits until a test says that the time has come.
@MainActor
final class ManualTimer: SheetTimer {
    private(set) var waiting: [(milliseconds: UInt32, body: @MainActor () -> Void)] = []

    func after(milliseconds: UInt32, _ body: @escaping @MainActor () -> Void) {
        waiting.append((milliseconds, body))
    }

    func fire(_ index: Int) { waiting[index].body() }

    /// Lets that wait come to its end, and all that follow, one after the other.
    func run(from index: Int) {
        var next = index
        while next < waiting.count {
            fire(next)
            next += 1
        }
    }
}
