import Dispatch
import Glibc
import KeywaySystem
import SystemBus

/// Tells the person something by the desktop's notifications (`org.freedesktop.Notifications`, version 1.2 of their
/// specification), on the bus of the session.
// SAFETY: `open` is touched on `queue` only.
final class SessionNotifier: DesktopNotifier, @unchecked Sendable {
    /// The most that can still be taken back; the oldest can no more.
    static let mostOpen = 8
    /// How long one stands there before the desktop puts it away, in milliseconds.
    private static let duration: Int32 = 60_000
    /// The name of the one action; the person reads its label.
    private static let action = "undo"
    /// Why a notification was closed, where it may still be chosen from the desktop's list.
    private static let expired: UInt32 = 1

    private static let service = "org.freedesktop.Notifications"
    private static let notifications = BusObject(
        service: service, path: "/org/freedesktop/Notifications", interface: service)

    /// One notification, and the connection that hears of it: desktops take away those whose sender is gone.
    // SAFETY: touched on `queue` only, like the connection.
    private final class Shown: @unchecked Sendable {
        let bus: BusConnection
        var number: UInt32 = 0
        /// Who answers for the notifications: nobody else says what the person chose.
        var desktop = ""

        init(_ bus: BusConnection) {
            self.bus = bus
        }
    }

    private let address: @Sendable () -> String?
    private let queue = DispatchQueue(label: "org.keyway.notifications")
    private var open: [Shown] = []

    /// On the bus at `address`, in the syntax of D-Bus, which is asked anew each time.
    init(address: @escaping @Sendable () -> String?) {
        self.address = address
    }

    /// On the session's bus, as `environment` names it, or at its usual place.
    convenience init(environment: [String: String]) {
        self.init { Self.address(environment) }
    }

    /// Where the session's bus is; nil where that is not known.
    static func address(_ environment: [String: String]) -> String? {
        if let address = environment["DBUS_SESSION_BUS_ADDRESS"], !address.isEmpty { return address }
        guard let runtime = environment["XDG_RUNTIME_DIR"], access("\(runtime)/bus", F_OK) == 0 else { return nil }
        return "unix:path=\(runtime)/bus"
    }

    func show(_ note: DesktopNote, undo: @escaping @Sendable () -> Void) async throws(ProtocolError) {
        let failure = await withCheckedContinuation { (continuation: CheckedContinuation<String?, Never>) in
            queue.async {
                do throws(BusError) {
                    try self.present(note, undo)
                    continuation.resume(returning: nil)
                } catch {
                    continuation.resume(returning: Self.words(error))
                }
            }
        }
        if let failure { throw ProtocolError(.system, failure) }
    }

    private static func words(_ error: BusError) -> String {
        if error.code == .noBus { return "there is no bus of a desktop session (\(error.detail))." }
        return error.isNobodyThere ? "your desktop shows no notifications." : "\(error.detail)."
    }

    private func present(_ note: DesktopNote, _ undo: @escaping @Sendable () -> Void) throws(BusError) {
        guard let address = address() else { throw BusError(.noBus, "its address is not known") }
        let shown = Shown(try BusConnection(.address(address), queue: queue))
        let abilities = try shown.bus.call(Self.notifications, "GetCapabilities") { (answer) throws(BusError) in
            try answer.readStrings()
        }
        let label = abilities.contains("actions") ? note.undo : nil
        // Before it is shown: the person may be quick.
        if label != nil { try follow(shown, undo) }
        let text = label == nil ? "\(note.text) \(note.elsewise)" : note.text
        let arguments: [BusValue] = [
            .string("Keyway"), .number(0), .string("dialog-password"), .string(note.title),
            .string(abilities.contains("body-markup") ? Self.escaped(text) : text),
            .texts(label.map { [Self.action, $0] } ?? []),
            .variants([:]), .integer(Self.duration),
        ]
        (shown.number, shown.desktop) = try shown.bus.call(Self.notifications, "Notify", arguments) {
            (answer) throws(BusError) in (try answer.readNumber(), answer.sender)
        }
        guard label != nil else { return }
        for old in open.dropLast(Self.mostOpen - 1) { old.bus.stop() }
        open = open.suffix(Self.mostOpen - 1) + [shown]
        // What arrived while the call waited is handed over now.
        shown.bus.listen { [weak self, weak shown] _ in self?.open.removeAll { $0 === shown } }
    }

    private func follow(_ shown: Shown, _ undo: @escaping @Sendable () -> Void) throws(BusError) {
        let signal = "interface='\(Self.service)'"
        try shown.bus.subscribe(to: Self.service, "\(signal),member='ActionInvoked'") {
            [weak self, weak shown] message in
            guard let self, let shown, self.isOf(shown, message), (try? message.readString()) == Self.action else {
                return
            }
            if self.end(shown) { undo() }
        }
        try shown.bus.subscribe(to: Self.service, "\(signal),member='NotificationClosed'") {
            [weak self, weak shown] message in
            guard let self, let shown, self.isOf(shown, message), (try? message.readNumber()) != Self.expired else {
                return
            }
            _ = self.end(shown)
        }
    }

    /// Whether the desktop says something of that notification.
    private func isOf(_ shown: Shown, _ message: BusMessage) -> Bool {
        message.sender == shown.desktop && (try? message.readNumber()) == shown.number
    }

    /// Nothing more is heard of it; false where that was so already.
    private func end(_ shown: Shown) -> Bool {
        guard open.contains(where: { $0 === shown }) else { return false }
        open.removeAll { $0 === shown }
        // Not while the library is at its messages.
        queue.async { shown.bus.stop() }
        return true
    }

    /// How many can still be taken back, for the tests.
    var openCount: Int { queue.sync { open.count } }

    /// Text as desktops read it that know markup.
    private static func escaped(_ text: String) -> String {
        text.reduce(into: "") { result, character in
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            default: result.append(character)
            }
        }
    }
}
