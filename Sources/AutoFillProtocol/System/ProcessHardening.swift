import CSys
import Glibc

/// What every process of ours that meets secrets or accounts does first.
package enum ProcessHardening {
    /// No core dump, no ptrace, no reading of the memory by the same user, and files closed to others.
    ///
    /// - Throws: ``ProtocolError`` with the code `system`: such a process must not go on.
    package static func apply() throws(ProtocolError) {
        umask(0o077)
        try SystemCall.check("prctl") { csys_harden() }
    }
}
