import Dispatch
import Glibc

/// Hears from login1 when the person's session is locked and when the machine goes to sleep.
///
/// It needs neither: without a system bus or without login1 it says so once and stays silent. While the machine is
/// about to sleep it holds a delay lock until what it told about the sleep has been done.
// SAFETY: `bus` and `delay` are touched on `queue` only.
package final class LoginMonitor: @unchecked Sendable {
    private static let service = "org.freedesktop.login1"
    private static let session = "org.freedesktop.login1.Session"
    private static let sessions = "/org/freedesktop/login1/session"
    private static let properties = "org.freedesktop.DBus.Properties"
    private static let manager = BusObject(
        service: service, path: "/org/freedesktop/login1", interface: "org.freedesktop.login1.Manager")

    private let address: String?
    private let user: UInt32
    private let onEvent: @Sendable (LoginEvent) async -> Void
    private let report: @Sendable (String) -> Void
    private let queue = DispatchQueue(label: "org.keyway.login-monitor")
    private var bus: SystemBus?
    private var delay: Int32 = -1

    /// A monitor of the sessions of `user`. Nothing is opened before ``start()``.
    ///
    /// - Parameters:
    ///   - address: where the bus is, in the syntax of D-Bus; the system bus where it is missing.
    ///   - onEvent: what to do; the machine's sleep waits until it returns.
    ///   - report: takes one sentence for the log: why nothing will be heard, for example.
    package init(
        address: String? = nil, user: UInt32 = getuid(), report: @escaping @Sendable (String) -> Void,
        onEvent: @escaping @Sendable (LoginEvent) async -> Void
    ) {
        self.address = address
        self.user = user
        self.report = report
        self.onEvent = onEvent
    }

    /// Connects and listens, on a queue of its own; returns at once.
    package func start() {
        queue.async { self.connect() }
    }

    /// Lets go of the bus; returns when nothing more will be told.
    package func stop() {
        queue.sync {
            bus?.stop()
            bus = nil
            releaseDelay()
        }
    }

    /// Returns when what ``start()`` began is done, for the tests.
    func waitUntilListening() {
        queue.sync {}
    }

    /// Whether login1 would wait for us now, for the tests.
    var holdsDelay: Bool { queue.sync { delay >= 0 } }

    private func connect() {
        do throws(LoginMonitorError) {
            let bus = try SystemBus(address: address, queue: queue)
            try subscribe(to: bus)
            self.bus = bus
            takeDelay()
            bus.listen { [weak self] in self?.ended($0) }
        } catch {
            report("login1 cannot be heard (\(error)): locks by command and by idle time only.")
        }
    }

    private func ended(_ error: LoginMonitorError) {
        bus = nil
        releaseDelay()
        report("The system bus is gone (\(error)): locks by command and by idle time only.")
    }

    // MARK: - Signals

    private func subscribe(to bus: SystemBus) throws(LoginMonitorError) {
        let signal = "type='signal',sender='\(Self.service)'"
        try bus.subscribe("\(signal),interface='\(Self.session)',member='Lock'") { [weak self] message in
            self?.locked(message.path)
        }
        try bus.subscribe(
            "\(signal),interface='\(Self.properties)',member='PropertiesChanged',"
                + "path_namespace='\(Self.sessions)',arg0='\(Self.session)'"
        ) { [weak self] message in
            guard (try? Self.saysLocked(message)) == true else { return }
            self?.locked(message.path)
        }
        try bus.subscribe("\(signal),interface='\(Self.manager.interface)',member='PrepareForSleep'") {
            [weak self] message in
            guard let begins = try? message.readBoolean() else { return }
            if begins { self?.prepareForSleep() } else { self?.takeDelay() }
        }
    }

    /// Whether a `PropertiesChanged` says that `LockedHint` is true now.
    private static func saysLocked(_ message: BusMessage) throws(LoginMonitorError) -> Bool {
        _ = try message.readString()
        guard try message.enter(BusType.array, "{sv}") else { return false }
        while try message.enter(BusType.entry, "sv") {
            if try message.readString() == "LockedHint" {
                guard try message.enter(BusType.variant, "b") else { return false }
                return try message.readBoolean()
            }
            try message.skip("v")
            try message.leave()
        }
        return false
    }

    private func locked(_ path: String) {
        guard isOurs(path) else { return }
        Task { [onEvent] in await onEvent(.sessionLocked) }
    }

    /// Whether the session belongs to the person; one that cannot be asked counts, since locking too often is safe.
    private func isOurs(_ path: String) -> Bool {
        guard let bus else { return true }
        let object = BusObject(service: Self.service, path: path, interface: Self.properties)
        let owner = try? bus.call(object, "Get", [Self.session, "User"]) { (answer) throws(LoginMonitorError) in
            guard try answer.enter(BusType.variant, "(uo)"), try answer.enter(BusType.structure, "uo") else {
                throw LoginMonitorError(.malformed, "the owner of a session")
            }
            return try answer.readNumber()
        }
        return owner == nil || owner == user
    }

    // MARK: - Sleep

    private func prepareForSleep() {
        Task { [onEvent] in
            await onEvent(.willSleep)
            queue.async { self.releaseDelay() }
        }
    }

    /// Asks login1 to hold the next sleep until the lock is released (`Inhibit`, mode `delay`).
    private func takeDelay() {
        guard delay < 0, let bus else { return }
        let arguments = ["sleep", "Keyway", "Locks the vault before the machine sleeps", "delay"]
        do throws(LoginMonitorError) {
            delay = try bus.call(Self.manager, "Inhibit", arguments) { (answer) throws(LoginMonitorError) in
                try answer.readDescriptor()
            }
        } catch {
            report("login1 gives no delay lock (\(error)): the vault may lock only after the machine has slept.")
        }
    }

    private func releaseDelay() {
        if delay >= 0 { close(delay) }
        delay = -1
    }
}
