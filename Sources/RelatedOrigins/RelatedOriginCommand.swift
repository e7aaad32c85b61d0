import AutoFillWire
import CCurl
import Glibc
import KeywaySystem

/// `keyway-related-origins`: fetches what one site says of its other origins, or of its apps, prints that on descriptor
/// 3, and ends.
package enum RelatedOriginCommand {
    /// The variable that leads names under `.test` to this machine, for tests; read by no program that is installed for
    /// everybody.
    static let variable = "KEYWAY_RELATED_ORIGINS"

    /// Fetches for the broker.
    ///
    /// - Returns: the exit status: 0, 1 for a site without such a document, 64 for wrong arguments.
    package static func run(_ arguments: [String]) -> CInt {
        let ofApps = arguments.count == 3 && arguments[1] == "--apps"
        guard arguments.count == 2 || ofApps else { return complain("[--apps] and the name of a site", 64) }
        if arguments[1] == "--version" {
            print("keyway-related-origins \(ProtocolVersion.release)")
            return 0
        }
        do {
            try ProcessHardening.apply()
            signal(SIGPIPE, SIG_IGN)
            curl_global_init(Int(CURL_GLOBAL_DEFAULT))
            let loopback = ProcessEnvironment.current[variable].flatMap { DocumentFetch.Loopback($0) }
            let fetch = DocumentFetch(loopback: loopback)
            let lines =
                if ofApps {
                    AppDocument.apps(in: try fetch.document(.apps, of: arguments[2]))
                } else {
                    RelatedOriginDocument.origins(in: try fetch.document(of: arguments[1]))
                }
            guard let lines else { return complain("the document names none", 1) }
            var text = lines.map { $0 + "\n" }.joined()
            return text.withUTF8 { WholeTransfer.write(UnsafeRawBufferPointer($0), to: 3) } ? 0 : 1
        } catch {
            return complain("\(error)", 1)
        }
    }

    private static func complain(_ message: String, _ status: CInt) -> CInt {
        let line = "keyway-related-origins: \(message)\n"
        _ = line.withCString { Glibc.write(STDERR_FILENO, $0, strlen($0)) }
        return status
    }
}
