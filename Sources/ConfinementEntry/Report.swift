import Glibc

/// How the program says what came of it: a line of text, or nothing but a byte when all of it took. Whoever listens
/// learns from the kernel which process it was that spoke.
struct Report {
    /// The descriptor; standard error where it is nil.
    let descriptor: Int32?

    /// Says that all of it took. The descriptor does not pass on to the program.
    func ready() {
        guard let descriptor else { return }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = say("!", to: descriptor)
    }

    /// Says why it ends, and ends.
    func fail(_ text: String, status: CInt) -> Never {
        if let descriptor {
            _ = say(text, to: descriptor)
        } else {
            _ = say("keyway-confine: \(text)\n", to: STDERR_FILENO)
        }
        exit(status)
    }

    /// Waits until whoever listens says go; ends with them when they are gone.
    func waitForGo() {
        var byte: UInt8 = 0
        var count = -1
        repeat { count = read(descriptor ?? -1, &byte, 1) } while count < 0 && errno == EINTR
        if count != 1 { exit(EXIT_FAILURE) }
    }

    private func say(_ text: String, to descriptor: Int32) -> Bool {
        let bytes = Array(text.utf8)
        return write(descriptor, bytes, bytes.count) == bytes.count
    }
}
