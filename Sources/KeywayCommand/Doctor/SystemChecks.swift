/// What the system gives to programs that keep secrets.
package struct SystemChecks {
    /// What one process needs to lock: keys, the buffer of a hidden field, guards around each. In bytes.
    package static let lockedMemoryNeeded: UInt64 = 1 << 20

    private let machine: any Machine

    /// Checks of `machine`.
    package init(machine: any Machine) {
        self.machine = machine
    }

    /// All of them.
    package func run() -> [Check] { [coreDumps, lockedMemory, loginManager] }

    private var coreDumps: Check {
        machine.limits.coreDump == 0
            ? Check("core-dumps", .ok, Strings.coreDumpsOff)
            : Check("core-dumps", .failed, Strings.coreDumpsOn)
    }

    private var lockedMemory: Check {
        guard let limit = machine.limits.lockedMemory else { return Check("locked-memory", .ok, Strings.noLimit) }
        guard limit < Self.lockedMemoryNeeded else {
            return Check("locked-memory", .ok, Strings.mayLock(limit >> 10))
        }
        return Check("locked-memory", .warning, Strings.mayLockTooLittle(limit >> 10), remedy: Strings.raiseLockLimit)
    }

    /// The vault hears from login1 when the session locks or the machine sleeps.
    private var loginManager: Check {
        let hasBus = machine.facts("/run/dbus/system_bus_socket") != nil
        let hasManager = machine.facts("/run/systemd/sessions")?.kind == .folder
        guard hasBus && hasManager else {
            return Check("login1", .warning, Strings.noLoginManager, remedy: Strings.lockByHand)
        }
        return Check("login1", .ok, Strings.loginManagerFound)
    }
}
