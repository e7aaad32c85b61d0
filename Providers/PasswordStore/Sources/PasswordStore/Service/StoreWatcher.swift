import Foundation

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
        while true {
            let settings = settings()
            let tree = StoreTree(root: settings.folder)
            watch.watch(tree.folders + Self.surroundings(settings))
            // A name may have come between the look and the watch.
            let names = StoreTree(root: settings.folder).entries
            var limit = Self.patience
            if published != Set(names) {
                published = publish(names) ? Set(names) : nil
                if published == nil { limit = Self.retry }
            }
            watch.wait(for: limit, quiet: Self.quiet)
        }
    }

    /// Where a store or its settings appear.
    private static func surroundings(_ settings: StoreSettings) -> [String] {
        let parents = [settings.folder, StoreSettings.path()].map { ($0 as NSString).deletingLastPathComponent }
        return parents + parents.map { ($0 as NSString).deletingLastPathComponent }
    }

    private func publish(_ names: [EntryName]) -> Bool {
        let done = DispatchSemaphore(value: 0)
        let answer = Answer()
        // This thread is the watcher's own: nobody else waits for it.
        Task {
            answer.isTaken = (try? await updates.update(names)) ?? false
            done.signal()
        }
        done.wait()
        return answer.isTaken
    }

    // SAFETY: written before the semaphore is signalled, read after it was waited for.
    private final class Answer: @unchecked Sendable {
        var isTaken = false
    }
}
