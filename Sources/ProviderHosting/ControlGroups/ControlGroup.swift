import Confinement
import KeywaySystem
import Synchronization

/// The control group of one program of a bundle and of all that it starts.
final class ControlGroup: Sendable {
    private struct State {
        var isOver = false
        var excess: String?
    }

    /// Its folder, for who is to be in it.
    let descriptor: OwnedDescriptor
    private let folder: String
    private let limits: SharedLimits
    private let onEnd: @Sendable () -> Void
    private let state = Mutex(State())
    /// Whether it is gone; held while it goes.
    private let ended = Mutex(false)

    /// The group at `folder`; `onEnd` removes it.
    init(
        _ folder: String, _ descriptor: OwnedDescriptor, _ limits: SharedLimits, onEnd: @escaping @Sendable () -> Void
    ) {
        self.descriptor = descriptor
        self.folder = folder
        self.limits = limits
        self.onEnd = onEnd
    }

    /// What the kernel ended the program for, in a clause; nil as long as it did not.
    var excess: String? { state.withLock { $0.isOver ? $0.excess : measured() } }

    /// Ends everything in it, whichever session, process group or parent it has by now.
    func kill() {
        state.withLock { if !$0.isOver { killAll() } }
    }

    /// Ends everything in it, and the group. When this returns, it has ended, also where another thread is about it: what
    /// hears of the program's end next counts on that.
    func end() {
        ended.withLock { isEnded in
            guard !isEnded else { return }
            state.withLock { state in
                (state.isOver, state.excess) = (true, measured())
                killAll()
            }
            onEnd()
            isEnded = true
        }
    }

    private func killAll() { try? ControlGroupFile.write("1", to: "\(folder)/cgroup.kill") }

    private func measured() -> String? {
        if ControlGroupFile.count("oom_kill", in: "\(folder)/memory.events") > 0 {
            // Of the two, this one counts what was beyond the limit of this group, and not of one above.
            return ControlGroupFile.count("oom", in: "\(folder)/memory.events.local") > 0
                ? "used more than \(limits.memory >> 20) MiB of memory in all its processes together"
                : "was ended as memory ran out, that of all processes of its provider "
                    + "(\(SharedLimits.ofBundle.memory >> 20) MiB) or that of the machine"
        }
        if ControlGroupFile.count("max", in: "\(folder)/pids.events") > 0 {
            return "needed more than \(limits.processes) processes and threads at a time"
        }
        return nil
    }
}
