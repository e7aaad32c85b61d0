import Glibc

/// A document that lies in a file which was mapped into memory, and which nobody can change.
package enum MappedText {
    /// What lets the pages go that were read of such a mapping, so that they count as memory of this process only while they
    /// are needed: who reads on there finds the same.
    ///
    /// - Parameter bytes: a mapping that is shared with its file, from its beginning.
    package static func releasing(_ bytes: UnsafeRawBufferPointer) -> PassedBytes {
        { part in
            let page = Int(getpagesize())
            let (first, end) = ((part.lowerBound + page - 1) / page * page, part.upperBound / page * page)
            guard let start = bytes.baseAddress, part.lowerBound >= 0, first < end, end <= bytes.count else { return }
            madvise(UnsafeMutableRawPointer(mutating: start + first), end - first, MADV_DONTNEED)
        }
    }
}
