import Foundation
import PassEntries

/// Watches the store and tells the system of entries that come and go: by `pass`, by `git pull`, by hand.
struct StoreWatcher: Sendable {
    /// How long names must be still before they are read.
    private static let quiet = Duration.milliseconds(200)
    /// How long until a look for what no watch told: network file systems tell nothing.
    private static let patience = Duration.seconds(60)
    /// How long until another try when the system could not take what it was told.
    private static let retry = Duration.seconds(2)

    private let settings: @Sendable () -> StoreSettings
    private let updates: IdentityUpdates

    /// A watcher of the store that `settings` name at each look.
    init(_ system: any SystemIdentities, settings: @escaping @Sendable () -> StoreSettings = { .current() }) {
        updates = IdentityUpdates(system)
        self.settings = settings
    }

    /// Watches for as long as the process lives. Blocks its thread.
    func run() -> Never {
        let watch = FolderWatch()
        var published: Set<EntryName>?
        var pause = Self.retry
        while true {
            let settings = settings()
            watch.watch(StoreTree(root: settings.folder).folders + Self.surroundings(settings))
            // Read once the watch is set: a name may have come before it.
            let names = StoreTree(root: settings.folder).entries
            // What the system holds may have been wiped, by the system itself.
            if published != Set(names) || wait(for: { await updates.isWiped() }) {
                let isTaken = wait { (try? await updates.update(names)) ?? false }
                published = isTaken ? Set(names) : nil
                // The system is busy for as long as the person's session is locked.
                pause = isTaken ? Self.retry : min(pause * 2, Self.patience)
            }
            watch.wait(for: published == nil ? pause : Self.patience, quiet: Self.quiet)
        }
    }

    /// Where a store or its settings appear.
    private static func surroundings(_ settings: StoreSettings) -> [String] {
        let parents = [settings.folder, StoreSettings.path()].map { ($0 as NSString).deletingLastPathComponent }
        return parents + parents.map { ($0 as NSString).deletingLastPathComponent }
    }

    /// Waits for an answer. This thread is the watcher's own: nobody else waits for it.
    private func wait(for body: @escaping @Sendable () async -> Bool) -> Bool {
        let done = DispatchSemaphore(value: 0)
        let answer = Answer()
        Task {
            answer.isYes = await body()
            done.signal()
        }
        done.wait()
        return answer.isYes
    }

    // SAFETY: written before the semaphore is signalled, read after it was waited for.
    private final class Answer: @unchecked Sendable {
        var isYes = false
    }
}
