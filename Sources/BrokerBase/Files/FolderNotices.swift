import Dispatch
import Glibc
import KeywaySystem

/// Calls somebody when a file in one folder is put in place or removed (inotify(7)). Nothing runs until that happens.
package final class FolderNotices: Sendable {
    // SAFETY: a source of libdispatch may be used from any thread; its type only lacks the word.
    private struct Source: @unchecked Sendable {
        let source: any DispatchSourceRead
    }

    private static let events =
        UInt32(IN_MOVED_TO) | UInt32(IN_CREATE) | UInt32(IN_DELETE) | UInt32(IN_ATTRIB) | UInt32(IN_DELETE_SELF)
        | UInt32(IN_MOVE_SELF)

    private let source: Source

    /// Notices about `folder`; nil where the kernel gives none.
    package init?(folder: String, _ body: @escaping @Sendable () -> Void) {
        let number = inotify_init1(CInt(IN_NONBLOCK) | CInt(IN_CLOEXEC))
        guard number >= 0 else { return nil }
        let descriptor = OwnedDescriptor(number)
        guard inotify_add_watch(number, folder, Self.events) >= 0 else { return nil }
        let source = DispatchSource.makeReadSource(fileDescriptor: number, queue: .global())
        source.setEventHandler {
            // What it was is not asked: whoever is called looks for itself.
            var room = [UInt8](repeating: 0, count: 1 << 12)
            while read(descriptor.rawValue, &room, room.count) > 0 {}
            body()
        }
        source.setCancelHandler { _ = descriptor }
        self.source = Source(source: source)
        source.activate()
    }

    deinit { source.source.cancel() }
}
