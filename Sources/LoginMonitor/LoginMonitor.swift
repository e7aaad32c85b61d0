import Dispatch
import Glibc
package import SystemBus

/// Hears from login1 when the person's session is locked and when the machine goes to sleep.
///
/// It needs neither: without a system bus or without login1 it says so once and stays silent. While the machine is
/// about to sleep it holds a delay lock until what it told about the sleep has been done.
// SAFETY: `bus`, `delay` and `told` are touched on `queue` only.
package final class LoginMonitor: @unchecked Sendable {
    static let service = "org.freedesktop.login1"
    static let session = "org.freedesktop.login1.Session"
    private static let sessions = "/org/freedesktop/login1/session"
    static let properties = "org.freedesktop.DBus.Properties"
    static let manager = BusObject(
        service: service, path: "/org/freedesktop/login1", interface: "org.freedesktop.login1.Manager")

    private let place: BusPlace
    private let user: UInt32
    private let otherwise: String
    private let onEvent: @Sendable (LoginEvent) async -> Void
    private let report: @Sendable (String) -> Void
    let queue = DispatchQueue(label: "org.keyway.login-monitor")
    private(set) var bus: BusConnection?
    private var delay: Int32 = -1
    /// What is done about the last event: the next one waits for it, since a lock and an unlock must not change places.
    private var told: Task<Void, Never>?

    /// A monitor of the sessions of `user`. Nothing is opened before ``start()``.
    ///
    /// - Parameters:
    ///   - place: the bus on which login1 is.
    ///   - otherwise: what that means, in a few words.
    ///   - onEvent: what to do; the machine's sleep and the next event wait until it returns.
    ///   - report: takes one sentence for the log: why nothing will be heard, for example.
    package init(
        at place: BusPlace = .system, user: UInt32 = getuid(), report: @escaping @Sendable (String) -> Void,
        otherwise: String = "locks by command and by idle time only",
        onEvent: @escaping @Sendable (LoginEvent) async -> Void
    ) {
        self.place = place
        self.user = user
        self.report = report
        self.otherwise = otherwise
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
        do throws(BusError) {
            let bus = try BusConnection(place, queue: queue)
            try subscribe(to: bus)
            self.bus = bus
            takeDelay()
            bus.listen { [weak self] in self?.ended($0) }
        } catch {
            report("login1 cannot be heard (\(error)): \(otherwise).")
        }
    }

    private func ended(_ error: BusError) {
        bus = nil
        releaseDelay()
        report("The system bus is gone (\(error)): \(otherwise).")
    }

    // MARK: - Signals

    private func subscribe(to bus: BusConnection) throws(BusError) {
        try bus.subscribe(to: Self.service, "interface='\(Self.session)',member='Lock'") { [weak self] message in
            self?.tell(.sessionLocked, of: message.path)
        }
        try bus.subscribe(to: Self.service, "interface='\(Self.session)',member='Unlock'") { [weak self] message in
            self?.tell(.sessionUnlocked, of: message.path)
        }
        try bus.subscribe(
            to: Self.service,
            "interface='\(Self.properties)',member='PropertiesChanged',"
                + "path_namespace='\(Self.sessions)',arg0='\(Self.session)'"
        ) { [weak self] message in
            guard let isLocked = try? Self.lockedHint(in: message) else { return }
            self?.tell(isLocked ? .sessionLocked : .sessionUnlocked, of: message.path)
        }
        try bus.subscribe(to: Self.service, "interface='\(Self.manager.interface)',member='PrepareForSleep'") {
            [weak self] message in
            guard let begins = try? message.readBoolean() else { return }
            if begins { self?.prepareForSleep() } else { self?.takeDelay() }
        }
    }

    /// What a `PropertiesChanged` says of `LockedHint`; nil where it says nothing of it.
    private static func lockedHint(in message: BusMessage) throws(BusError) -> Bool? {
        _ = try message.readString()
        guard try message.enter(BusType.array, "{sv}") else { return nil }
        while try message.enter(BusType.entry, "sv") {
            if try message.readString() == "LockedHint" {
                guard try message.enter(BusType.variant, "b") else { return nil }
                return try message.readBoolean()
            }
            try message.skip("v")
            try message.leave()
        }
        return nil
    }

    private func tell(_ event: LoginEvent, of path: String) {
        guard isOurs(path) else { return }
        tell(event)
    }

    private func tell(_ event: LoginEvent, then done: @escaping @Sendable () -> Void = {}) {
        told = Task { [told, onEvent] in
            await told?.value
            await onEvent(event)
            done()
        }
    }

    /// Whether the session belongs to the person; one that cannot be asked counts, since locking too often is safe.
    private func isOurs(_ path: String) -> Bool {
        guard let bus else { return true }
        let object = BusObject(service: Self.service, path: path, interface: Self.properties)
        let owner = try? bus.call(object, "Get", [.string(Self.session), .string("User")]) {
            (answer) throws(BusError) in
            guard try answer.enter(BusType.variant, "(uo)"), try answer.enter(BusType.structure, "uo") else {
                throw BusError(.malformed, "the owner of a session")
            }
            return try answer.readNumber()
        }
        return owner == nil || owner == user
    }

    // MARK: - State

    /// Whether a session of the person says that it is locked now; false where nobody can tell.
    package func isSessionLocked() async -> Bool {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: (try? self.hasLockedSession()) ?? false) }
        }
    }

    /// The sessions of the person; none where nobody can tell. On the queue only.
    func sessionPaths() throws(BusError) -> [String] {
        guard let bus else { return [] }
        return try bus.call(Self.manager, "ListSessions") { (answer) throws(BusError) in
            var paths: [String] = []
            guard try answer.enter(BusType.array, "(susso)") else { return paths }
            while try answer.enter(BusType.structure, "susso") {
                _ = try answer.readString()
                let owner = try answer.readNumber()
                try answer.skip("ss")
                let path = try answer.readPath()
                if owner == user { paths.append(path) }
                try answer.leave()
            }
            return paths
        }
    }

    private func hasLockedSession() throws(BusError) -> Bool {
        guard let bus else { return false }
        let paths = try sessionPaths()
        for path in paths {
            let object = BusObject(service: Self.service, path: path, interface: Self.properties)
            // A session that ended just now is not locked.
            let isLocked = try? bus.call(object, "Get", [.string(Self.session), .string("LockedHint")]) {
                (answer) throws(BusError) in
                guard try answer.enter(BusType.variant, "b") else { return false }
                return try answer.readBoolean()
            }
            if isLocked == true { return true }
        }
        return false
    }

    // MARK: - Sleep

    private func prepareForSleep() {
        tell(.willSleep) {
            self.queue.async { self.releaseDelay() }
        }
    }

    /// Asks login1 to hold the next sleep until the lock is released (`Inhibit`, mode `delay`).
    private func takeDelay() {
        guard delay < 0, let bus else { return }
        let arguments = ["sleep", "Keyway", "Locks the vault before the machine sleeps", "delay"].map(BusValue.string)
        do throws(BusError) {
            delay = try bus.call(Self.manager, "Inhibit", arguments) { (answer) throws(BusError) in
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
