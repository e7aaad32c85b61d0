import CPSL
import Glibc

/// The public suffix list: the names under which anybody can register a domain. The only user of libpsl.
package final class PublicSuffixes: Sendable {
    // SAFETY: libpsl never changes a loaded list, and its look-ups keep their state on the stack.
    private nonisolated(unsafe) let list: OpaquePointer?
    /// Changes when another list is in use, so that what was derived from it can be derived again.
    package let fingerprint: String

    /// One list for the whole process, read when it is first asked.
    package static let system = PublicSuffixes()

    /// The newest list that this machine has: the distribution's, or the one inside libpsl.
    package init() {
        list = psl_latest(nil)
        var status = stat()
        let file = psl_dist_filename().map { String(cString: $0) } ?? ""
        let modified = stat(file, &status) == 0 ? status.st_mtim.tv_sec : 0
        let builtin = psl_builtin_sha1sum().map { String(cString: $0) } ?? ""
        fingerprint = "\(builtin) \(file) \(modified)"
    }

    deinit {
        // Does nothing for the list inside the library.
        psl_free(list)
    }

    /// The part of a host name that somebody registered, such as `example.co.uk`.
    ///
    /// - Parameter host: lower-case ASCII without a dot at the end.
    /// - Returns: nil for a public suffix itself and for a single label.
    package func registrableDomain(of host: String) -> String? {
        guard let list else { return nil }
        return host.withCString { text in
            // The answer points into `text`.
            psl_registrable_domain(list, text).map { String(cString: $0) }
        }
    }
}
