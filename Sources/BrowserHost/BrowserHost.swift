import AutoFillClient
import AutoFillWire
import Glibc
import KeywaySystem

/// `keyway-browser-host`: the native-messaging host between one browser and the broker.
package enum BrowserHost {
    /// Answers the extension on standard input and output until the browser closes them.
    ///
    /// - Returns: the program's exit status: 0, or 1 for a stranger and for a stream that broke off.
    package static func run(arguments: [String]) -> Int32 {
        ProgramGroup.putAside()
        do {
            switch try HostInvocation(arguments: Array(arguments.dropFirst())) {
            case .version:
                print("keyway-browser-host \(ProtocolVersion.release)")
                return 0
            case .chromium, .firefox:
                try protect()
                return try converse(try door())
            }
        } catch {
            return complain(error.message)
        }
    }

    private static func protect() throws(HostFailure) {
        signal(SIGPIPE, SIG_IGN)
        InheritedEnvironment.scrub()
        do {
            try ProcessHardening.apply()
        } catch {
            throw HostFailure(.refused, "Passwords are not safe in this process: \(error.message)")
        }
    }

    private static func door() throws(HostFailure) -> BrokerDoor {
        do {
            return try BrokerDoor.current()
        } catch {
            throw HostFailure(error)
        }
    }

    private static func converse(_ broker: any BrokerConnecting) throws(HostFailure) -> Int32 {
        let limits = WireLimits()
        let output = FrameOutput(descriptor: try claimStandardOutput())
        let session = HostSession(output: output, broker: broker, limits: limits)
        let end = FrameInput.read(descriptor: STDIN_FILENO, limit: limits.frameBytes, session.receive)
        session.end()
        return end == .complete ? 0 : complain("The browser's message broke off.")
    }

    /// Takes the pipe to the browser away from descriptor 1, which a broker that is started from here would inherit:
    /// it must neither write there nor keep the pipe open after this program.
    private static func claimStandardOutput() throws(HostFailure) -> CInt {
        let pipe = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
        guard pipe >= 0, dup2(STDERR_FILENO, STDOUT_FILENO) >= 0 else {
            throw HostFailure(.refused, "Standard output and standard error must be open.")
        }
        return pipe
    }

    private static func complain(_ message: String) -> Int32 {
        let line = "keyway-browser-host: \(message)\n"
        _ = line.withCString { write(STDERR_FILENO, $0, strlen($0)) }
        return 1
    }
}
