import Testing

@testable import LoginMonitor

@Suite(.serialized) struct LoginSessionTests {
    private func monitor(_ address: String) -> LoginMonitor {
        let monitor = LoginMonitor(at: .address(address), user: 1000, report: { _ in }, onEvent: { _ in })
        monitor.start()
        return monitor
    }

    private func desktop() -> LoginSession {
        var session = LoginSession()
        (session.kind, session.isActive, session.seat) = ("wayland", true, "seat0")
        return session
    }

    @Test(arguments: ["x11", "wayland", "mir"])
    func aDesktopThatThePersonSitsBeforeIsSeen(kind: String) {
        var session = desktop()
        session.kind = kind
        #expect(session.isSeen)
    }

    @Test(arguments: ["tty", "unspecified", "web", ""])
    func whatHasNoWindowsIsNotSeen(kind: String) {
        var session = desktop()
        session.kind = kind
        #expect(!session.isSeen)
    }

    @Test func whatNobodySitsBeforeIsNotSeen() {
        var (locked, remote, behind, seatless) = (desktop(), desktop(), desktop(), desktop())
        locked.isLocked = true
        remote.isRemote = true
        behind.isActive = false
        seatless.seat = ""
        for session in [locked, remote, behind, seatless] { #expect(!session.isSeen) }
    }

    @Test func withoutABusNobodyKnows() async {
        let monitor = monitor("unix:path=/nonexistent/bus")
        #expect(await monitor.sessions() == nil)
        monitor.stop()
    }

    @Test func theSessionsOfThePersonAreReadAsTheyAreNow() async throws {
        let bus = try #require(MockBus())
        try #require(bus.addSession("c1", of: 1000) && bus.addSession("c2", of: 1001))
        let monitor = monitor(bus.address)
        let found = try #require(await monitor.sessions())
        #expect(found.count == 1)
        #expect(found[0].kind == "test")
        #expect(found[0].seat == "seat0")
        try #require(bus.change("c1", [("Type", "s", ["wayland"])]))
        #expect(await monitor.sessions() == [desktop()])
        try #require(bus.change("c1", [("Display", "s", [":7"])]))
        #expect(await monitor.sessions()?.first?.display == ":7")
        try #require(bus.change("c1", [("LockedHint", "b", ["true"])]))
        #expect(await monitor.sessions()?[0].isLocked == true)
        try #require(bus.change("c1", [("Remote", "b", ["true"]), ("Active", "b", ["false"])]))
        let last = try #require(await monitor.sessions()?.first)
        #expect(last.isRemote && !last.isActive)
        monitor.stop()
    }

    @Test func whereLogin1IsGoneNobodyKnows() async throws {
        let bus = try #require(MockBus())
        let monitor = monitor(bus.address)
        #expect(await monitor.sessions() == [])
        bus.end()
        #expect(await monitor.sessions() == nil)
        monitor.stop()
    }
}
