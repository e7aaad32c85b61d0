import Foundation

/// A pipe whose ends no other program inherits.
final class ProgramPipe {
    private(set) var reading: CInt
    private(set) var writing: CInt

    /// A new pipe. Its ends are numbered above those that a program is given.
    ///
    /// - Throws: ``StoreError/failed(_:)`` when the process has too many descriptors.
    init() throws(StoreError) {
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else { throw .failed("There are no descriptors left.") }
        reading = fcntl(ends[0], F_DUPFD_CLOEXEC, 10)
        writing = fcntl(ends[1], F_DUPFD_CLOEXEC, 10)
        close(ends[0])
        close(ends[1])
        guard reading >= 0, writing >= 0 else { throw .failed("There are no descriptors left.") }
    }

    deinit {
        if reading >= 0 { close(reading) }
        if writing >= 0 { close(writing) }
    }

    /// Closes the reading end.
    func closeReading() {
        if reading >= 0 { close(reading) }
        reading = -1
    }

    /// Closes the writing end.
    func closeWriting() {
        if writing >= 0 { close(writing) }
        writing = -1
    }

    /// Makes reads and writes of one end return at once.
    static func doNotBlock(_ end: CInt) {
        _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
}

/// What was read from a pipe, up to a limit; wiped when it goes.
final class ProgramOutput {
    private var memory: UnsafeMutableRawBufferPointer
    private(set) var count = 0
    private let limit: Int
    /// Whether there was more than the limit.
    private(set) var isTooLarge = false

    /// Nothing yet; takes `limit` bytes at most.
    init(limit: Int) {
        self.limit = limit
        memory = .allocateLocked(byteCount: min(limit, 1 << 12) + 1)
    }

    deinit {
        memory.wipeAndDeallocate()
    }

    /// Reads what is there.
    ///
    /// - Returns: false at the end.
    func read(from descriptor: CInt) -> Bool {
        while true {
            if count == memory.count { grow() }
            let read = Glibc.read(descriptor, memory.baseAddress?.advanced(by: count), memory.count - count)
            if read > 0 {
                count += read
                guard count <= limit else {
                    isTooLarge = true
                    return false
                }
            } else if read == 0 {
                return false
            } else if errno != EINTR {
                return errno == EAGAIN
            }
        }
    }

    /// What was read, as a secret.
    func secret() -> SecretBuffer {
        SecretBuffer(memory[..<min(count, limit)])
    }

    /// What was read, as text.
    func text() -> String {
        String(decoding: memory[..<min(count, limit)], as: UTF8.self)
    }

    private func grow() {
        let larger = UnsafeMutableRawBufferPointer.allocateLocked(byteCount: min(memory.count * 4, limit + 1))
        larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: memory[..<count]))
        memory.wipeAndDeallocate()
        memory = larger
    }
}
