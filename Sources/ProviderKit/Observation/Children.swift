import CObservation
import Glibc

/// Processes that the kit answers for: those it started, and those they left behind.
enum Children {
    /// From now on, what a program leaves behind becomes a child of this process.
    static func adoptOrphans() {
        _ = cobservation_adopt_orphans()
    }

    /// Every process below this one.
    static func ofThisProcess() -> [ProcessTable.Entry] {
        let all = ProcessTable.running()
        var found: [ProcessTable.Entry] = []
        var parents: Set<Int32> = [getpid()]
        while !parents.isEmpty {
            let next = all.filter { parents.contains($0.parent) }
            found += next
            parents = Set(next.map(\.processIdentifier))
        }
        return found
    }
}
