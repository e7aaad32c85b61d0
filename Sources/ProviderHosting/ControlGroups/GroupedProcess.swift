import Glibc
import KeywaySystem

/// A program with its control group, where there are control groups: the group ends with the program.
final class GroupedProcess: LaunchedProcess {
    private let child: ChildProcess
    private let group: ControlGroup?

    /// Starts the program by `start`, which is told the folder of the group.
    ///
    /// - Throws: what `start` throws; the group is gone then.
    init(
        in group: ControlGroup?, _ start: (OwnedDescriptor?) throws(ProtocolError) -> ChildProcess
    ) throws(ProtocolError) {
        self.group = group
        do throws(ProtocolError) {
            child = try start(group?.descriptor)
        } catch {
            group?.end()
            throw error
        }
        // Also where nobody else wants to know.
        if let group { child.onExit { _ in group.end() } }
    }

    var processIdentifier: Int32 { child.processIdentifier }
    var exitStatus: CInt? { child.exitStatus }
    var excess: String? { group?.excess }

    func onExit(_ body: @escaping @Sendable (CInt) -> Void) {
        child.onExit { [group] status in
            // What it left is gone, and what it took too much of known, before anybody hears of it.
            group?.end()
            body(status)
        }
    }

    func send(signal: CInt) {
        if signal == SIGKILL { group?.kill() }
        child.send(signal: signal)
    }
}
