package import AutoFillProtocol
import Glibc

/// One of a bundle's programs, as it is to be started.
package struct BundleProgram: Hashable, Sendable {
    /// The program.
    package let path: String
    /// What it is: ``Role/providerExtension`` or ``Role/providerService``.
    package let role: Role
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

/// Starts programs as processes with a clean environment, in a session of their own.
package struct ProcessLauncher: BundleLauncher {
    private let environment: [String: String]

    /// A launcher that passes on where the person's files lie and which language they read, and nothing else.
    package init(environment: [String: String]) {
        self.environment = environment.filter { name, _ in
            ["HOME", "PATH", "LANG"].contains(name) || name.hasPrefix("XDG_")
        }
    }

    package func launch(_ program: BundleProgram) throws(ProtocolError) -> (any LaunchedProcess, OwnedDescriptor) {
        let (ours, theirs) = try LocalSocket.pair()
        return (try ChildProcess(path: program.path, environment: environment, channel: theirs), ours)
    }
}
