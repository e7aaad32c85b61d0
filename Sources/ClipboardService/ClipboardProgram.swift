import Glibc
import KeywayCrypto
import KeywaySystem

/// The program `keyway-clipboard`: puts one secret on the clipboard, says so on descriptor 3, and clears the clipboard
/// after a while, if the secret is still there. The secret comes as a sealed memory file on descriptor 4.
package enum ClipboardProgram {
    /// What it says once the secret can be pasted.
    static let copied = "copied\n"

    /// The longest that a secret may stay, in seconds.
    private static let longest = 3600

    /// Runs for who started it.
    ///
    /// - Returns: the exit status: 0, 64 for wrong arguments, 65 for a secret that is too long, 69 without a display, 77
    ///   where the compositor lets no program copy that has no window, 70 for anything else.
    package static func run(_ arguments: [String]) -> CInt {
        // Who asked for it, or pastes it, may be gone.
        signal(SIGPIPE, SIG_IGN)
        guard arguments.count == 2, let seconds = Int(arguments[1]), (1...longest).contains(seconds) else {
            return complain("it is started by keyway, with the number of seconds that a secret stays", EX_USAGE)
        }
        do {
            try ProcessHardening.apply()
            InheritedEnvironment.scrub()
            let secret = try secret()
            let owner = try owner()
            try ClipboardStay(owner: owner).run(secret, milliseconds: seconds * 1000) { say(copied) }
            return EXIT_SUCCESS
        } catch let error as ClipboardError {
            return complain("\(error)", status(of: error.code))
        } catch {
            return complain((error as? ProtocolError)?.message ?? "\(error)", EX_SOFTWARE)
        }
    }

    private static func secret() throws(ProtocolError) -> SecretBytes {
        let memory = try SealedMemory(received: OwnedDescriptor(4))
        return try SecretBytes(count: memory.count) { (room) throws(ProtocolError) in try memory.read(into: room) }
    }

    /// The clipboard of the compositor, if that lets us have it; otherwise that of the X server beside it, which GNOME's
    /// shares with all programs.
    private static func owner() throws(ClipboardError) -> any ClipboardOwner {
        var reason = ClipboardError(.noDisplay, "no variable names one")
        if InheritedEnvironment.isSet("WAYLAND_DISPLAY") {
            do { return try WaylandClipboard() } catch { reason = error }
        }
        if InheritedEnvironment.isSet("DISPLAY") {
            do {
                return try XClipboard()
            } catch {
                if reason.code == .noDisplay { reason = error }
            }
        }
        throw reason
    }

    private static func status(of code: ClipboardError.Code) -> CInt {
        switch code {
        case .noDisplay: EX_UNAVAILABLE
        case .notAllowed: EX_NOPERM
        case .tooLong: EX_DATAERR
        case .failed: EX_SOFTWARE
        }
    }

    /// Tells who started it, who then ends; the channel is closed, for nothing else is said.
    private static func say(_ text: String) {
        let channel = OwnedDescriptor(3)
        let bytes = Array(text.utf8)
        _ = bytes.withUnsafeBytes { WholeTransfer.write($0, to: channel.rawValue) }
    }

    private static func complain(_ message: String, _ status: CInt) -> CInt {
        let line = "keyway-clipboard: \(message)\n"
        _ = line.withCString { Glibc.write(STDERR_FILENO, $0, strlen($0)) }
        return status
    }
}
