/// Hears how far a document was gone through, which lies in memory only where it is read: what is before may go.
package typealias PassedBytes = (Range<Int>) -> Void

/// Refuses a document that is too long or no UTF-8.
///
/// - Parameters:
///   - longest: the longest one, in bytes.
///   - passed: hears of each part that was looked at.
/// - Returns: the document without a byte order mark.
/// - Throws: ``DocumentError``: `tooLarge`, `notUTF8`.
package func checkedText(
    _ bytes: UnsafeRawBufferPointer, longest: Int = DocumentLimits.longestDocument, passed: PassedBytes? = nil
) throws(DocumentError) -> UnsafeRawBufferPointer {
    guard bytes.count <= longest else {
        throw DocumentError(
            .tooLarge, "the file has more than \(longest >> 20) MiB",
            DocumentPlace(line: 1, offset: 0))
    }
    var start = 0
    while start < bytes.count {
        let end = bytes.characterEnd(before: start + windowSize)
        do {
            let part = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
            _ = try UTF8Span(validating: part.bindMemory(to: UInt8.self).span)
        } catch {
            throw DocumentError(
                .notUTF8, "the text isn't UTF-8", DocumentPlace(offset: start + error.byteOffsets.lowerBound, in: bytes)
            )
        }
        passed?(start..<end)
        start = end
    }
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    return bytes.starts(with: mark) ? UnsafeRawBufferPointer(rebasing: bytes[mark.count...]) : bytes
}

/// How much of a document is gone through before what was passed is told, in bytes.
let windowSize = 4 << 20

extension UnsafeRawBufferPointer {
    /// The last place up to `end` where no character of UTF-8 is cut; `end` where there is none near.
    fileprivate func characterEnd(before end: Int) -> Int {
        guard end < count else { return count }
        for place in stride(from: end, to: end - 4, by: -1) where self[place] & 0xC0 != 0x80 { return place }
        return end
    }
}
