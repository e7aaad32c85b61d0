import Glibc

/// Pages of their own for one secret: locked where the limit allows, out of core dumps and children, wiped at the end.
// SAFETY: the bytes are written by the initialiser and only read afterwards.
final class LockedMemory: @unchecked Sendable {
    /// How many bytes the secret has.
    let count: Int
    private let pages: UnsafeMutableRawBufferPointer

    /// Memory for `count` bytes, filled by `initialize`.
    init(count: Int, initialize: (UnsafeMutableRawBufferPointer) -> Void) {
        self.count = count
        pages = Self.map(max(count, 1))
        initialize(UnsafeMutableRawBufferPointer(rebasing: pages[..<count]))
    }

    deinit {
        guard let base = pages.baseAddress else { return }
        explicit_bzero(base, pages.count)
        munmap(base, pages.count)
    }

    func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try body(UnsafeRawBufferPointer(rebasing: pages[..<count]))
    }

    private static func map(_ count: Int) -> UnsafeMutableRawBufferPointer {
        let page = Int(getpagesize())
        let length = (count + page - 1) / page * page
        let start = mmap(nil, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let start, start != MAP_FAILED else { preconditionFailure("no memory for a key") }
        // A key over the limit of locked memory still works; it is only not kept from the swap.
        _ = mlock(start, length)
        _ = madvise(start, length, MADV_DONTDUMP)
        _ = madvise(start, length, MADV_WIPEONFORK)
        return UnsafeMutableRawBufferPointer(start: start, count: length)
    }
}
