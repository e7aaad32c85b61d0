import Glibc
import KeywaySystem
import Synchronization
import Vault

/// The document that a conversation has compared with the vault last, and whose secrets it may compare it with: who imports
/// what was just compared learns nothing more, and is not asked again.
final class ComparedDocument: Sendable {
    // The memory file stays open: no other one gets its number meanwhile, and a sealed one does not change.
    private let last = Mutex<(document: SealedDocument, items: Set<ItemID>)?>(nil)

    /// From now on `document` may be compared with the secrets of `items`.
    func allow(_ document: SealedDocument, _ items: Set<ItemID>) { last.withLock { $0 = (document, items) } }

    /// The items with whose secrets it may be compared; nil for another document.
    func items(of document: SealedDocument) -> Set<ItemID>? {
        last.withLock { last in
            guard let last, Self.isSame(last.document.descriptor, document.descriptor) else { return nil }
            return last.items
        }
    }

    private static func isSame(_ one: OwnedDescriptor, _ other: OwnedDescriptor) -> Bool {
        var (first, second) = (stat(), stat())
        return fstat(one.rawValue, &first) == 0 && fstat(other.rawValue, &second) == 0
            && first.st_dev == second.st_dev && first.st_ino == second.st_ino
    }
}
