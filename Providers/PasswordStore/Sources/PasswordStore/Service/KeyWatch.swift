import Foundation
import PassEntries
import Synchronization

/// Notices that a locked key was unlocked elsewhere, by `pass show` in a terminal for example: a request that waits in a
/// browser then goes on.
final class KeyWatch: Sendable {
    /// How long somebody may take to unlock it.
    private static let patience = Duration.seconds(600)
    private static let pause = Duration.seconds(1)

    private let settings: @Sendable () -> StoreSettings
    private let tell: @Sendable () -> Void
    private let watch = Mutex<Task<Void, Never>?>(nil)

    /// Calls `tell` when a watched entry can be read.
    init(settings: @escaping @Sendable () -> StoreSettings = { .current() }, tell: @escaping @Sendable () -> Void) {
        self.settings = settings
        self.tell = tell
    }

    /// Looks again and again whether gpg can read an entry; the newest only. What it reads is wiped unread.
    func watch(_ name: EntryName) {
        watch.withLock { watch in
            watch?.cancel()
            watch = Task { [settings, tell] in
                let deadline = ContinuousClock.now + Self.patience
                while .now < deadline, (try? await Task.sleep(for: Self.pause)) != nil {
                    do {
                        _ = try await PasswordStore(settings()).contents(of: name)
                        return tell()
                    } catch let error as StoreError where error.needsPerson {
                        continue
                    } catch {
                        return
                    }
                }
            }
        }
    }
}
