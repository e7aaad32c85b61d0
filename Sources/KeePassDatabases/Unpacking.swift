import CZlib
import KeywayCrypto

/// Takes content piece by piece and hands it on in another form.
protocol ContentSink: AnyObject {
    /// Takes bytes.
    func take(_ bytes: UnsafeRawBufferPointer) throws(KeePassError)
    /// Takes the end.
    func end() throws(KeePassError)
}

/// Takes the files of a database, one after another in the order of their numbers.
package protocol KeePassFileTaker: AnyObject {
    /// A file begins.
    func begin()
    /// Its next bytes.
    func add(_ bytes: UnsafeRawBufferPointer)
    /// It ends.
    func end()
}

/// Unpacks one file that stands in a document, packed by gzip, and stops at the limit of databases.
package final class KeePassUnpacking {
    private let unpacking: Unpacking

    /// An unpacking whose pieces `take` gets.
    ///
    /// - Throws: ``KeePassError``: `failed`.
    package init(_ take: @escaping (UnsafeRawBufferPointer) -> Void) throws(KeePassError) {
        unpacking = try Unpacking(most: KeePassLimits().mostUnpacked, to: Pieces(take))
    }

    /// Takes packed bytes.
    ///
    /// - Throws: ``KeePassError``: `damaged`, `tooLarge`.
    package func take(_ bytes: UnsafeRawBufferPointer) throws(KeePassError) { try unpacking.take(bytes) }

    /// Takes the end.
    ///
    /// - Throws: ``KeePassError``: `damaged` where it isn't the end of what was packed.
    package func end() throws(KeePassError) { try unpacking.end() }

    private final class Pieces: ContentSink {
        private let body: (UnsafeRawBufferPointer) -> Void
        init(_ body: @escaping (UnsafeRawBufferPointer) -> Void) { self.body = body }
        func take(_ bytes: UnsafeRawBufferPointer) { body(bytes) }
        func end() {}
    }
}

/// Unpacks gzip, and stops at a limit.
final class Unpacking: ContentSink {
    private let stream: UnsafeMutablePointer<z_stream>
    private let next: any ContentSink
    private let most: Int
    private var total = 0
    private var isAtEnd = false
    private let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)

    init(most: Int, to next: any ContentSink) throws(KeePassError) {
        (self.most, self.next) = (most, next)
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        // Of gzip alone, with the largest window.
        guard inflateInit2_(stream, MAX_WBITS + 16, ZLIB_VERSION, CInt(MemoryLayout<z_stream>.size)) == Z_OK else {
            throw .failed
        }
    }

    deinit {
        // The window, which holds the last that was unpacked, is given back as it is: the allocator is the library's.
        inflateEnd(stream)
        stream.deallocate()
        wipe(room)
        room.deallocate()
    }

    func take(_ bytes: UnsafeRawBufferPointer) throws(KeePassError) {
        // The library only reads there.
        stream.pointee.next_in = UnsafeMutablePointer(mutating: bytes.octets)
        stream.pointee.avail_in = UInt32(bytes.count)
        while !isAtEnd, try unpackOn() {}
        guard !isAtEnd || stream.pointee.avail_in == 0 else { throw .damaged }
    }

    /// Unpacks as much as there is room for, and returns whether there may be more.
    private func unpackOn() throws(KeePassError) -> Bool {
        stream.pointee.next_out = room.octets
        stream.pointee.avail_out = UInt32(room.count)
        let status = inflate(stream, Z_NO_FLUSH)
        guard status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR else { throw .damaged }
        isAtEnd = status == Z_STREAM_END
        let count = room.count - Int(stream.pointee.avail_out)
        total += count
        guard total <= most else {
            throw KeePassError(.tooLarge, "the database unpacks to more than \(most >> 20) MiB")
        }
        try next.take(UnsafeRawBufferPointer(rebasing: room[..<count]))
        return stream.pointee.avail_out == 0
    }

    func end() throws(KeePassError) {
        guard isAtEnd else { throw .cut }
        try next.end()
    }
}

/// Packs by gzip.
enum Packing {
    /// The bytes, packed.
    static func pack(_ bytes: UnsafeRawBufferPointer) throws(KeePassError) -> SecretBuffer {
        var stream = z_stream()
        guard
            deflateInit2_(
                &stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
                CInt(MemoryLayout<z_stream>.size)) == Z_OK
        else { throw .failed }
        defer { deflateEnd(&stream) }
        let packed = SecretBuffer(capacity: bytes.count / 4)
        stream.next_in = UnsafeMutablePointer(mutating: bytes.octets)
        stream.avail_in = UInt32(clamping: bytes.count)
        var status = Z_OK
        while status == Z_OK {
            _ = packed.append(upTo: 1 << 16) { room in
                stream.next_out = room.octets
                stream.avail_out = UInt32(room.count)
                status = deflate(&stream, Z_FINISH)
                return room.count - Int(stream.avail_out)
            }
        }
        guard status == Z_STREAM_END else { throw .failed }
        return packed
    }
}
