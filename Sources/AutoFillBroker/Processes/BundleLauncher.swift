package import AutoFillProtocol
import Glibc

/// One of a bundle's programs, as it is to be started.
package struct BundleProgram: Hashable, Sendable {
    /// Whether its author looks at it.
    package enum Debugging: Hashable, Sendable {
        case none
        /// A debugger may be attached to it at any time.
        case allowed
        /// The same, and it does nothing until a debugger is attached and lets it go on.
        case stopped
    }

    /// The program.
    package let path: String
    /// What it is: ``Role/providerExtension`` or ``Role/providerService``.
    package let role: Role
    /// Whether its author looks at it.
    package var debugging = Debugging.none
}

/// A started program: what the broker needs of a process.
package protocol LaunchedProcess: Sendable {
    /// The process, as the kernel numbers it.
    var processIdentifier: Int32 { get }
    /// Calls `body` once with the status of waitpid(2) when it ends, or at once when it has.
    func onExit(_ body: @escaping @Sendable (CInt) -> Void)
    /// Sends a signal.
    func send(signal: CInt)
}

extension ChildProcess: LaunchedProcess {}

/// Starts programs of bundles. A seam: tests put extensions into their own process.
package protocol BundleLauncher: Sendable {
    /// Starts `program`, with the other end of the returned socket as its descriptor 3.
    ///
    /// - Throws: ``ProtocolError`` with the code `system`.
    func launch(_ program: BundleProgram) throws(ProtocolError) -> (any LaunchedProcess, OwnedDescriptor)
}

/// Starts programs as processes with a clean environment, in a session of their own, with a limit on their memory.
/// Whatever such a program leaves running in its process group ends with it.
package struct ProcessLauncher: BundleLauncher {
    /// The most bytes of writable memory (RLIMIT_DATA) of an extension, which answers one request after another.
    package static let extensionMemory = 1 << 30
    /// Those of a service, which may derive keys and hold what it stores.
    package static let serviceMemory = 4 << 30
    /// The argument with which the broker's own program becomes one that stops, and then the program named after it.
    static let stoppedArgument = "--stopped"

    private let environment: [String: String]

    /// A launcher that passes on where the person's files lie and which language they read, and nothing else.
    package init(environment: [String: String]) {
        self.environment = environment.filter { name, _ in
            ["HOME", "PATH", "LANG"].contains(name) || name.hasPrefix("XDG_")
        }
    }

    package func launch(_ program: BundleProgram) throws(ProtocolError) -> (any LaunchedProcess, OwnedDescriptor) {
        let (ours, theirs) = try LocalSocket.pair()
        var environment = environment
        if program.debugging != .none { environment[ProcessHardening.debuggedVariable] = "1" }
        var path = program.path
        var arguments: [String] = []
        if program.debugging == .stopped {
            guard let own = KeywayPaths.ownProgram() else { throw .system("readlink /proc/self/exe", errno) }
            (path, arguments) = (own, [Self.stoppedArgument, program.path])
        }
        let process = try ChildProcess(
            path: path, arguments: arguments, environment: environment, channel: theirs, endsGroup: true)
        process.limit(memory: program.role == .providerService ? Self.serviceMemory : Self.extensionMemory)
        return (process, ours)
    }

    /// What the broker's program does when it is started with ``stoppedArgument``: waits until a debugger is attached,
    /// and becomes the program at `path`. It is a new process image by then, which holds nothing of the broker's memory;
    /// a signal could not stop it as well, since debuggers would deliver it again.
    static func becomeStopped(_ path: String) -> Never {
        ProcessHardening.allowDebuggers()
        while !isTraced {
            var channel = pollfd(fd: 3, events: 0, revents: 0)
            // Whoever started it has let go of it.
            if poll(&channel, 1, 20) != 0 { exit(EXIT_FAILURE) }
        }
        let name = strdup(path)
        var arguments = [name, nil]
        execv(path, &arguments)
        EventLog.standardError("\(path) cannot be run: \(SystemCall.describe(errno))")
        exit(127)
    }

    /// Whether a debugger is attached to this process (proc(5)).
    private static var isTraced: Bool {
        let file = open("/proc/self/status", O_RDONLY | O_CLOEXEC)
        guard file >= 0, let bytes = try? FileContents.read(OwnedDescriptor(file), limit: 1 << 16) else { return false }
        return !String(decoding: bytes, as: UTF8.self).contains("TracerPid:\t0\n")
    }
}
