package import BrokerBase
import Confinement
import Dispatch
import Glibc
package import KeywaySystem
import Synchronization

/// The part of the system's control groups (cgroup v2) that is handed to the broker, in which each bundle has a group of
/// its own, and each of its programs one in that:
///
///     keywayd.service/                      handed over (`Delegate=` of the unit)
///         broker/                           the broker, and programs of Keyway's
///         provider-IDENTIFIER/              limits of the bundle
///             extension-1/, service-2/ …    limits of one program and all that it starts
package final class ControlGroups: Sendable {
    /// Controllers that count what is limited.
    static let controllers = ["memory", "pids"]
    private static let own = "broker"
    private static let mark = "provider-"
    private static let queue = DispatchQueue(label: "org.keyway.control-groups")
    /// How long whoever was killed may take to be gone, before it is looked at again, at first and at most.
    private static let pause = (first: 10, longest: 1000)
    /// How often it is looked at before that is given up.
    private static let looks = 60

    private struct State {
        var number = 0
        /// How many groups of programs each bundle has.
        var running: [String: Int] = [:]
    }

    private let folder: String
    let kernel: any ControlGroupKernel
    private let log: EventLog
    private let state = Mutex(State())

    /// Takes over the group at `folder`, in which nothing but this process may run: this process goes into one below it,
    /// and what a broker before this one has left there is ended.
    ///
    /// - Throws: ``ProtocolError``, whose message says why there are no groups.
    init(taking folder: String, _ kernel: any ControlGroupKernel, log: EventLog) throws(ProtocolError) {
        (self.folder, self.kernel, self.log) = (folder, kernel, log)
        guard kernel.isHandedOver(folder) else { throw Self.none("no control group was delegated to keywayd") }
        let there = ControlGroupFile.read("\(folder)/cgroup.controllers").split { $0 == " " || $0 == "\n" }
        let missing = Self.controllers.filter { !there.contains($0[...]) }
        guard missing.isEmpty else {
            throw Self.none("the control group of keywayd doesn't count \(missing.joined(separator: " and "))")
        }
        let own = "\(folder)/\(Self.own)"
        do throws(ProtocolError) {
            try kernel.make(own)
            guard access("\(own)/cgroup.kill", F_OK) == 0 else { throw ProtocolError.system("cgroup.kill", ENOENT) }
            try ControlGroupFile.write("0", to: "\(own)/cgroup.procs")
            try handOn(folder)
        } catch {
            // Where it was before.
            try? ControlGroupFile.write("0", to: "\(folder)/cgroup.procs")
            _ = kernel.remove(own)
            throw Self.none("the control group of keywayd can't be divided (\(error.message))")
        }
        for name in Folder.entries(folder) where name.hasPrefix(Self.mark) { clear("\(folder)/\(name)") }
    }

    /// Takes over the group of this process.
    ///
    /// - Throws: ``ProtocolError``, whose message says why there are no groups.
    package static func take(log: EventLog) throws(ProtocolError) -> ControlGroups {
        guard let place = OwnControlGroup.current() else { throw none("this system has no cgroup v2") }
        return try ControlGroups(taking: place.folder, SystemControlGroups(), log: log)
    }

    private static func none(_ reason: String) -> ProtocolError {
        ProtocolError(
            .notFound, "Each process of a provider has its own limits on memory and processes: \(reason).")
    }

    // MARK: - Groups of programs

    /// A group for one program of the bundle `identifier`, with nothing in it.
    ///
    /// - Parameter part: what the program is, in a word.
    /// - Throws: ``ProtocolError`` with the code `system`.
    func begin(
        _ part: String, of identifier: String, _ limits: SharedLimits
    ) throws(ProtocolError) -> ControlGroup {
        let bundle = "\(folder)/\(Self.mark)\(identifier)"
        let number = state.withLock { state in
            state.running[bundle, default: 0] += 1
            state.number += 1
            return state.number
        }
        let place = "\(bundle)/\(part)-\(number)"
        do throws(ProtocolError) {
            try kernel.make(bundle)
            try limit(bundle, .ofBundle)
            try handOn(bundle)
            try kernel.make(place)
            try limit(place, limits)
            // Half a program is none: what the kernel ends for want of memory it ends with all that belongs to it.
            try ControlGroupFile.write("1", to: "\(place)/memory.oom.group")
            let descriptor = try SystemCall.check("open \(place)") { open(place, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
            return ControlGroup(place, OwnedDescriptor(descriptor), limits) { self.remove(place, of: bundle) }
        } catch {
            remove(place, of: bundle)
            throw error
        }
    }

    private func limit(_ folder: String, _ limits: SharedLimits) throws(ProtocolError) {
        try ControlGroupFile.write("\(limits.memory)", to: "\(folder)/memory.max")
        // What is written out to the disk is out of the limit. Kernels without that have no such file.
        if access("\(folder)/memory.swap.max", F_OK) == 0 {
            try ControlGroupFile.write("0", to: "\(folder)/memory.swap.max")
        }
        try ControlGroupFile.write("\(limits.processes)", to: "\(folder)/pids.max")
    }

    private func handOn(_ folder: String) throws(ProtocolError) {
        let text = Self.controllers.map { "+\($0)" }.joined(separator: " ")
        try ControlGroupFile.write(text, to: "\(folder)/cgroup.subtree_control")
    }

    // MARK: - Removing them

    /// Removes a group in which everything was killed, as soon as that is gone, and its bundle's with the last of them.
    private func remove(_ place: String, of bundle: String, look: Int = 0) {
        guard kernel.remove(place) else {
            guard look < Self.looks else { return log("what runs in \(place) does not end") }
            let pause = min(Self.pause.first << min(look, 10), Self.pause.longest)
            return Self.queue.asyncAfter(deadline: .now() + .milliseconds(pause)) {
                self.remove(place, of: bundle, look: look + 1)
            }
        }
        state.withLock { state in
            state.running[bundle, default: 1] -= 1
            guard state.running[bundle] == 0 else { return }
            state.running[bundle] = nil
            _ = kernel.remove(bundle)
        }
    }

    /// Ends what another broker left there.
    private func clear(_ bundle: String) {
        try? ControlGroupFile.write("1", to: "\(bundle)/cgroup.kill")
        // The kernel's own files have a dot in their names.
        let left = Folder.entries(bundle).filter { !$0.contains(".") }
        let numbers = left.compactMap { $0.split(separator: "-").last.flatMap { Int($0) } }
        state.withLock { state in
            state.running[bundle] = left.count
            // What takes its time to end shares its name with nobody.
            state.number = max(state.number, numbers.max() ?? 0)
        }
        for name in left { remove("\(bundle)/\(name)", of: bundle) }
        _ = kernel.remove(bundle)
    }
}
