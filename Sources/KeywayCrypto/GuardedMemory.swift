import CSodium
import Glibc
import Synchronization

/// Guarded memory: between inaccessible pages, locked where the limit allows, kept from children that do not become
/// another program, zero when it is handed out, and wiped when it is given back.
///
/// What fits into one page gets a page that was used before, if one is at hand: making and removing a guarded page takes
/// the kernel ten calls, and a vault that imports needs a dozen of them for each item. Such a page stays guarded and locked,
/// and was wiped before it is used again.
enum GuardedMemory {
    /// How many pages wait to be used again, at most: 1 MiB, an eighth of what a person may usually lock.
    private static let most = 256
    private static let canaryCount = 16
    /// Pages at the start of what the library handed out, all zero.
    // SAFETY: each pointer is in the list or with one owner.
    private static let waiting = Mutex(Waiting())

    private struct Waiting: @unchecked Sendable {
        var pages: [UnsafeMutableRawPointer] = []
    }

    /// What the library's own canary leaves of a page.
    private static let pageCount = Int(getpagesize()) - canaryCount
    /// Stands before each secret in a page, so that what was written there is noticed.
    private static let canary: SIMD2<UInt64> = {
        var drawn = SIMD2<UInt64>()
        withUnsafeMutableBytes(of: &drawn) { randombytes_buf($0.octets, $0.count) }
        return drawn
    }()

    /// Room for that many bytes, all zero; they end where the inaccessible page begins.
    ///
    /// - Precondition: the system has memory left, as with every Swift allocation.
    static func allocate(_ count: Int) -> UnsafeMutableRawPointer {
        Sodium.prepare()
        guard fitsPage(count) else { return make(count) }
        let page = waiting.withLock { $0.pages.popLast() } ?? make(pageCount)
        let start = page + (pageCount - count)
        (start - canaryCount).storeBytes(of: canary.x, as: UInt64.self)
        (start - canaryCount / 2).storeBytes(of: canary.y, as: UInt64.self)
        return start
    }

    /// Takes back, and wipes, what ``allocate(_:)`` handed out for that many bytes.
    static func free(_ start: UnsafeMutableRawPointer, _ count: Int) {
        guard fitsPage(count) else { return sodium_free(start) }
        let isWhole =
            (start - canaryCount).loadUnaligned(as: UInt64.self) == canary.x
            && (start - canaryCount / 2).loadUnaligned(as: UInt64.self) == canary.y
        // As the library does: somebody wrote before the beginning.
        guard isWhole else { abort() }
        sodium_memzero(start - canaryCount, count + canaryCount)
        let page = start - (pageCount - count)
        let isKept = waiting.withLock { waiting in
            guard waiting.pages.count < most else { return false }
            waiting.pages.append(page)
            return true
        }
        if !isKept { sodium_free(page) }
    }

    private static func fitsPage(_ count: Int) -> Bool { count <= pageCount - canaryCount }

    private static func make(_ count: Int) -> UnsafeMutableRawPointer {
        // The library ignores a failed mlock(2) by design: the memory is then guarded and wiped, not locked.
        guard count >= 0, let room = sodium_malloc(count) else {
            preconditionFailure("no memory for \(count) secret bytes")
        }
        sodium_memzero(room, count)
        keepFromChildren(room, count)
        return room
    }

    /// A child that does not become another program finds zeros there.
    private static func keepFromChildren(_ room: UnsafeMutableRawPointer, _ count: Int) {
        // The library's own pages: they begin at the page of the canary, which is 16 bytes long, before the bytes.
        let page = UInt(getpagesize())
        let start = (UInt(bitPattern: room) - 16) & ~(page - 1)
        _ = madvise(
            UnsafeMutableRawPointer(bitPattern: start), Int(UInt(bitPattern: room) - start) + count, MADV_WIPEONFORK)
    }
}
