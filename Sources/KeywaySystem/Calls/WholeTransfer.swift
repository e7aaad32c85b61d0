import Glibc

/// Reads and writes that go on until everything is done: one call may do less than it was asked, or be interrupted.
package enum WholeTransfer {
    /// Writes all of `bytes`: where the descriptor stands, or at `offset` of a file.
    ///
    /// - Returns: false when it could not; `errno` says why then.
    package static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: CInt, at offset: Int? = nil) -> Bool {
        var done = 0
        while let base = bytes.baseAddress, done < bytes.count {
            let count =
                offset.map { pwrite(descriptor, base + done, bytes.count - done, off_t($0 + done)) }
                ?? Glibc.write(descriptor, base + done, bytes.count - done)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return false }
            done += count
        }
        return true
    }

    /// Copies all of a file, from its beginning, to where `target` stands.
    ///
    /// - Parameter limit: more bytes than this are a failure (`EFBIG`).
    /// - Returns: false when it could not; `errno` says why then.
    package static func copy(from source: CInt, to target: CInt, limit: Int = .max) -> Bool {
        var done = 0
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
        defer { room.deallocate() }
        while true {
            guard let count = read(into: room, from: source, at: done) else { return false }
            if count == 0 { return true }
            done += count
            guard done <= limit else {
                errno = EFBIG
                return false
            }
            guard write(UnsafeRawBufferPointer(rebasing: room[..<count]), to: target) else { return false }
        }
    }

    /// Whether two files hold the same bytes; false also where one cannot be read.
    package static func isSame(_ one: CInt, _ other: CInt) -> Bool {
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 19, alignment: 16)
        defer { room.deallocate() }
        let first = UnsafeMutableRawBufferPointer(rebasing: room[..<(1 << 18)])
        let second = UnsafeMutableRawBufferPointer(rebasing: room[(1 << 18)...])
        var done = 0
        while true {
            guard let count = read(into: first, from: one, at: done),
                read(into: second, from: other, at: done) == count,
                let start = first.baseAddress, let otherStart = second.baseAddress,
                memcmp(start, otherStart, count) == 0
            else { return false }
            if count == 0 { return true }
            done += count
        }
    }

    /// Reads from a socket or pipe until the other side has said all, however slowly it comes.
    ///
    /// - Returns: how many bytes there were; nil where they fill `room`, where the end did not come within `patience`, and
    ///   where reading failed.
    package static func readToEnd(
        into room: UnsafeMutableRawBufferPointer, from descriptor: CInt, within patience: Duration
    ) -> Int? {
        let start = MonotonicTime.now
        var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        var done = 0
        while let base = room.baseAddress, done < room.count {
            let rest = (patience - MonotonicTime.now.since(start)) / .milliseconds(1)
            guard rest > 0 else { return nil }
            let ready = poll(&state, 1, CInt(rest.rounded(.up)))
            if ready < 0 && errno == EINTR { continue }
            guard ready > 0 else { return nil }
            let count = Glibc.read(descriptor, base + done, room.count - done)
            if count == 0 { return done }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return nil }
            done += count
        }
        return nil
    }

    /// Reads until `room` is full or nothing comes any more: where the descriptor stands, or at `offset` of a file.
    ///
    /// - Returns: how many bytes there were; nil when it failed, and `errno` says why.
    package static func read(
        into room: UnsafeMutableRawBufferPointer, from descriptor: CInt, at offset: Int? = nil
    ) -> Int? {
        var done = 0
        while let base = room.baseAddress, done < room.count {
            let count =
                offset.map { pread(descriptor, base + done, room.count - done, off_t($0 + done)) }
                ?? Glibc.read(descriptor, base + done, room.count - done)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { return nil }
            if count == 0 { break }
            done += count
        }
        return done
    }
}
