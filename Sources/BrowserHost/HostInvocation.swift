import AutoFillProtocol

/// Which browser started this program, and for which extension: the arguments of native messaging.
///
/// Chromium passes the extension's origin, Firefox the path of the host's manifest and the extension's id. The browser
/// already holds the host's manifest against the extension; this is the second look, in case the manifest was changed.
enum HostInvocation: Hashable, Sendable {
    /// Chromium and its relatives.
    case chromium
    /// Firefox and its relatives.
    case firefox
    /// Somebody asks for the release.
    case version

    /// Reads the arguments after the program's name.
    ///
    /// - Throws: ``HostFailure`` with the kind `refused` for any other extension, and for no extension at all.
    init(arguments: [String]) throws(HostFailure) {
        guard let first = arguments.first else {
            throw HostFailure(.refused, "A browser starts this program for its extension; there is nothing to do here.")
        }
        if first == "--version" {
            self = .version
        } else if first.contains("://") {
            guard first == BrowserExtension.chromiumOrigin else { throw Self.stranger }
            self = .chromium
        } else {
            guard arguments.count > 1, arguments[1] == BrowserExtension.firefoxIdentifier else { throw Self.stranger }
            self = .firefox
        }
    }

    private static let stranger = HostFailure(.refused, "This program answers the extension of Keyway and no other.")
}
