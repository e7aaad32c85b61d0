import CSys
import Glibc

/// An exclusive advisory lock on a file, held until this object goes away or its process ends.
package final class FileLock: Sendable {
    private let descriptor: OwnedDescriptor

    /// Takes the lock of the file `path`, which is made (mode 0600) when it is missing; nil when somebody else holds it.
    ///
    /// - Throws: ``ProtocolError`` with the code `system` when the file cannot be opened.
    package init?(path: String) throws(ProtocolError) {
        let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW
        descriptor = OwnedDescriptor(try SystemCall.check("open \(path)") { open(path, flags, mode_t(0o600)) })
        guard csys_lock(descriptor.rawValue, 0) == 0 else {
            guard errno == EWOULDBLOCK else { throw .system("flock \(path)", errno) }
            return nil
        }
    }

    /// Gives the lock back now. A process that ends gives it back last, when the kernel has let go of all that it had.
    package func release() {
        // A lock of flock(2) is the open file's, which this is the only descriptor of.
        _ = flock(descriptor.rawValue, LOCK_UN)
    }
}
