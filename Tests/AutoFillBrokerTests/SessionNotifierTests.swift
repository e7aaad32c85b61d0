import AutoFillProtocol
import BrokerTestSupport
import Foundation
import Synchronization
import Testing

@testable import AutoFillBroker

/// The desktop's notifications on a private bus, played by python-dbusmock.
@Suite(.serialized, .timeLimit(.minutes(10))) struct SessionNotifierTests {
    private static let note = DesktopNote(
        title: "Passkey added", text: "for “<b>ada</b> & co”", undo: "Undo", elsewise: "Remove it.")

    /// What a test started lasts as long as the test.
    private let kept = Kept()

    /// - Parameter capabilities: what the desktop can do; nil for no desktop at all.
    private func bus(_ capabilities: String?) async throws -> PrivateBus {
        let bus = try await offThread {
            let bus = try #require(PrivateBus())
            try bus.writeConfiguration()
            bus.start(["dbus-daemon", "--config-file=\(bus.folder.path)/bus.conf", "--nofork", "--nopidfile"])
            try #require(bus.poll { access("\(bus.folder.path)/bus", F_OK) == 0 })
            guard let capabilities else { return bus }
            bus.start([
                "/usr/bin/python3", "-m", "dbusmock", "--system", "--logfile", "\(bus.folder.path)/log",
                "--template", "notification_daemon", "--parameters", #"{"capabilities": "\#(capabilities)"}"#,
            ])
            try #require(bus.has("org.freedesktop.Notifications"))
            return bus
        }
        kept.keep(bus)
        return bus
    }

    private func notifier(_ bus: PrivateBus) -> SessionNotifier {
        SessionNotifier { [address = bus.address] in address }
    }

    /// Has the desktop say something of one notification.
    private func emit(_ bus: PrivateBus, _ member: String, _ signature: String, _ values: [String]) async throws {
        let words = zip(signature, values).flatMap { [String($0), $1] }
        let isDone = try await offThread {
            bus.run(
                [
                    "busctl", "--address=\(bus.address)", "call", "org.freedesktop.Notifications",
                    "/org/freedesktop/Notifications", "org.freedesktop.DBus.Mock", "EmitSignal", "sssav",
                    "org.freedesktop.Notifications", member, signature, String(values.count),
                ] + words)
        }
        #expect(isDone)
    }

    private func shown(_ bus: PrivateBus) -> String {
        bus.text("log").split(separator: "\n").filter { $0.contains(" Notify ") }.joined(separator: "\n")
    }

    @Test func thePersonTakesItBackOnce() async throws {
        let bus = try await bus("body body-markup actions")
        let notifier = notifier(bus)
        let undone = Mutex(0)
        try await notifier.show(Self.note) { undone.withLock { $0 += 1 } }
        #expect(shown(bus).contains(#"["undo", "Undo"]"#))
        #expect(!shown(bus).contains("Remove it."))
        // Something else of it, and the same of another one.
        try await emit(bus, "ActionInvoked", "us", ["1", "default"])
        try await emit(bus, "ActionInvoked", "us", ["2", "undo"])
        #expect(undone.withLock { $0 } == 0 && notifier.openCount == 1)
        try await emit(bus, "ActionInvoked", "us", ["1", "undo"])
        try await emit(bus, "ActionInvoked", "us", ["1", "undo"])
        try await eventually { undone.withLock { $0 } == 1 && notifier.openCount == 0 }
    }

    @Test func namesAreNoMarkup() async throws {
        let bus = try await bus("body body-markup actions")
        try await notifier(bus).show(Self.note) {}
        #expect(shown(bus).contains("&lt;b&gt;ada&lt;/b&gt; &amp; co"))
        #expect(!shown(bus).contains("<b>"))
    }

    @Test func whereThereIsNoMarkupNamesAreAsTheyAre() async throws {
        let bus = try await bus("body actions")
        try await notifier(bus).show(Self.note) {}
        #expect(shown(bus).contains("<b>ada</b> & co"))
    }

    @Test func whereThereAreNoButtonsItSaysWhatToDo() async throws {
        let bus = try await bus("body")
        let notifier = notifier(bus)
        try await notifier.show(Self.note) {}
        #expect(shown(bus).contains("Remove it.") && !shown(bus).contains("undo"))
        #expect(notifier.openCount == 0)
    }

    @Test(arguments: [("2", 0), ("3", 0), ("1", 1)])
    func whatIsClosedIsNotWaitedFor(reason: String, left: Int) async throws {
        let bus = try await bus("body actions")
        let notifier = notifier(bus)
        try await notifier.show(Self.note) {}
        try await emit(bus, "NotificationClosed", "uu", ["1", reason])
        // The one after it shows that the first was heard.
        let undone = Mutex(false)
        try await notifier.show(Self.note) { undone.withLock { $0 = true } }
        try await emit(bus, "ActionInvoked", "us", ["2", "undo"])
        try await eventually { undone.withLock { $0 } && notifier.openCount == left }
    }

    @Test func fewStayOpen() async throws {
        let bus = try await bus("body actions")
        let notifier = notifier(bus)
        for _ in 0...SessionNotifier.mostOpen { try await notifier.show(Self.note) {} }
        #expect(notifier.openCount == SessionNotifier.mostOpen)
    }

    @Test func aDesktopWithoutNotificationsIsSaid() async throws {
        let bus = try await bus(nil)
        let error = await failure { try await self.notifier(bus).show(Self.note) {} }
        #expect(error?.message == "your desktop shows no notifications.")
    }

    @Test(arguments: ["unix:path=/nonexistent/bus", nil]) func aMissingBusIsSaid(address: String?) async {
        let error = await failure { try await SessionNotifier { address }.show(Self.note) {} }
        #expect(error?.message.hasPrefix("there is no bus of a desktop session") == true)
    }

    @Test func theBusIsWhereTheSessionSays() throws {
        let folder = try TemporaryFolder()
        #expect(SessionNotifier.address(["DBUS_SESSION_BUS_ADDRESS": "unix:path=/x"]) == "unix:path=/x")
        #expect(SessionNotifier.address(["XDG_RUNTIME_DIR": folder.path]) == nil)
        try folder.write("", to: "bus")
        let usual = SessionNotifier.address(["XDG_RUNTIME_DIR": folder.path, "DBUS_SESSION_BUS_ADDRESS": ""])
        #expect(usual == "unix:path=\(folder.path)/bus")
    }
}
