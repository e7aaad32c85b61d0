import Dispatch
import Glibc
import KeywaySystem

/// What a program of the system prints.
enum ProgramOutput {
    /// The most that is read, in bytes.
    private static let limit = 1 << 18

    /// The lines that `program` prints; none when it cannot be run, fails or takes too long.
    ///
    /// - Parameter patience: how many milliseconds it may print nothing and not end.
    static func lines(
        of program: String, _ arguments: [String], _ environment: [String: String], patience: CInt = 3000
    ) async -> [Substring] {
        guard let (ours, child) = try? start(program, arguments, environment) else { return [] }
        let text = await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: readAll(ours, patience)) }
        }
        child.send(signal: SIGKILL)
        return text.split(separator: "\n")
    }

    /// Starts the program. Its end of the socket is closed here when this returns, so that its end is heard.
    private static func start(
        _ program: String, _ arguments: [String], _ environment: [String: String]
    ) throws(ProtocolError) -> (OwnedDescriptor, ChildProcess) {
        let (ours, theirs) = try LocalSocket.pair()
        let child = try ChildProcess(
            // Whoever starts a program gives it a descriptor 3 and no output: the shell puts one in place of the other.
            path: "/bin/sh", arguments: ["-c", #"exec "$0" "$@" >&3 3>&- 2>/dev/null"#, program] + arguments,
            environment: environment, channel: theirs)
        return (ours, child)
    }

    private static func readAll(_ descriptor: OwnedDescriptor, _ patience: CInt) -> String {
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 4096)
        var state = pollfd(fd: descriptor.rawValue, events: Int16(POLLIN), revents: 0)
        while bytes.count < limit, poll(&state, 1, patience) > 0 {
            let count = read(descriptor.rawValue, &part, part.count)
            guard count > 0 else { break }
            bytes += part[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
