import BrokerTestSupport
import ClockTestSupport
import Foundation
import KeywaySystem
import Testing

@testable import AutoFillBroker

/// A real polkitd on a private bus, with the action that is shipped, rules of the test's own, and an agent of its own.
///
/// polkitd reads its files from fixed places and wants to be its own user: it runs in a user namespace where this user
/// is that one, and where folders of the test's lie in those places.
@Suite(.serialized, .timeLimit(.minutes(10))) struct PolkitCheckTests {
    private static func always(_ result: String) -> String {
        "polkit.addRule(function(action, subject) {\n"
            + "    if (action.id == 'org.keyway.verify-person') return polkit.Result.\(result);\n});\n"
    }

    private func bus(rule: String = "", installs: Bool = true, polkit: Bool = true) async throws -> PrivateBus {
        let bus = try await offThread {
            let bus = try #require(PrivateBus())
            try bus.writeConfiguration()
            let folder = bus.folder
            for name in ["actions", "rules", "none"] { try folder.folder(name) }
            let policy = "org.keyway.verify-person.policy"
            if installs {
                let shipped = testFile("../Packaging/polkit-1/actions/\(policy)")
                try folder.write(
                    try String(contentsOfFile: shipped, encoding: .utf8), to: "actions/\(policy)", mode: 0o644)
            }
            if !rule.isEmpty { try folder.write(rule, to: "rules/10-test.rules", mode: 0o644) }
            bus.start(
                Self.inside(folder) + [
                    "dbus-daemon", "--config-file=\(folder.path)/bus.conf", "--nofork", "--nopidfile",
                ])
            try #require(bus.poll { access("\(folder.path)/bus", F_OK) == 0 })
            guard polkit else { return bus }
            let shim = "\(folder.path)/same_groups.so"
            try #require(bus.run(["cc", "-shared", "-fPIC", "-o", shim, testFile("Buses/same_groups.c")]))
            bus.start(
                Self.inside(folder) + ["env", "LD_PRELOAD=\(shim)", "/usr/lib/polkit-1/polkitd", "--no-debug"])
            try #require(bus.has("org.freedesktop.PolicyKit1"))
            return bus
        }
        kept.keep(bus)
        return bus
    }

    private static func inside(_ folder: TemporaryFolder) -> [String] {
        let user = getpwnam("polkitd")
        let (uid, gid) = (user?.pointee.pw_uid ?? 0, user?.pointee.pw_gid ?? 0)
        return [
            "bwrap", "--unshare-user", "--uid", "\(uid)", "--gid", "\(gid)", "--dev-bind", "/",
            "/",
            "--bind", "\(folder.path)/actions", "/usr/share/polkit-1/actions",
            "--bind", "\(folder.path)/rules", "/etc/polkit-1/rules.d",
            "--bind", "\(folder.path)/none", "/usr/share/polkit-1/rules.d",
        ]
    }

    private static func agent(_ bus: PrivateBus, _ behaviour: String) async throws {
        let log = "\(bus.folder.path)/agent"
        bus.start(
            inside(bus.folder) + ["/usr/bin/python3", testFile("Buses/polkit_agent.py"), "\(getpid())", behaviour, log])
        try await eventually { bus.text("agent").contains("registered") }
    }

    /// What a test started lasts as long as the test.
    private let kept = Kept()
    private let presenter = FakePresenter { _ async throws(ProtocolError) in
        do { try await Task.sleep(for: .seconds(600)) } catch { throw ProtocolError(.cancelled, "taken back") }
        return .refused
    }
    private let clock = ManualClock()

    private func check(_ bus: PrivateBus) -> PolkitCheck { PolkitCheck(at: .address(bus.address), clock: clock) }

    private func verify(_ check: PolkitCheck) async -> ProtocolError? {
        await failure { try await check.verify(VerificationSubject(), through: presenter) }
    }

    @Test func whoeverPolkitAuthorizesIsVerified() async throws {
        let bus = try await self.bus(rule: Self.always("YES"))
        let check = check(bus)
        let state = await check.state()
        #expect(state.isAvailable && state.detail == nil, "\(state.detail ?? "")")
        let error = await verify(check)
        #expect(error == nil, "\(error?.message ?? "")")
        #expect(presenter.questions.withLock { $0.map(\.method) } == [.system])
    }

    @Test func whoeverPolkitRefusesIsNot() async throws {
        let bus = try await self.bus(rule: Self.always("NO"))
        let error = await verify(check(bus))
        #expect(error?.code == .notVerified)
        #expect(error?.message == "it was refused")
    }

    @Test func theAgentAsksAndItsRefusalCounts() async throws {
        let bus = try await self.bus()
        try await Self.agent(bus, "deny")
        #expect(await verify(check(bus))?.code == .notVerified)
        #expect(bus.text("agent").contains("asked org.keyway.verify-person: Keyway checks that it is you"))
    }

    @Test func whoeverClosesTheQuestionBacksOut() async throws {
        let bus = try await self.bus()
        try await Self.agent(bus, "dismiss")
        #expect(await verify(check(bus))?.code == .cancelled)
    }

    @Test func aCheckThatIsTakenBackTakesTheQuestionAway() async throws {
        let bus = try await self.bus()
        try await Self.agent(bus, "wait")
        let check = check(bus)
        let running = Task { await verify(check) }
        try await eventually { bus.text("agent").contains("asked") }
        running.cancel()
        #expect(await running.value?.code == .cancelled)
        try await eventually { bus.text("agent").contains("cancelled") }
    }

    @Test func backingOutAtThePresenterTakesTheQuestionAway() async throws {
        let bus = try await self.bus()
        try await Self.agent(bus, "wait")
        let refusing = FakePresenter { _ async throws(ProtocolError) in
            do { try await eventually { bus.text("agent").contains("asked") } } catch {}
            return .refused
        }
        let error = await failure { try await check(bus).verify(VerificationSubject(), through: refusing) }
        #expect(error?.code == .cancelled)
        try await eventually { bus.text("agent").contains("cancelled") }
    }

    @Test func aSessionWithoutAnAgentIsSaidAndTriedAgainLater() async throws {
        let bus = try await self.bus()
        let check = check(bus)
        #expect(await check.state().isAvailable)
        let error = await verify(check)
        #expect(error?.code == .notVerified && error?.message.contains("agent") == true)
        let state = await check.state()
        #expect(!state.isAvailable && state.detail?.contains("pkttyagent") == true)
        // It is the person's way to be verified all the same.
        #expect(state.obstacle == nil)
        clock.advance(by: .seconds(61))
        #expect(await check.state().isAvailable)
    }

    @Test func saysThatItsActionIsNotInstalled() async throws {
        let bus = try await self.bus(installs: false)
        let state = await check(bus).state()
        #expect(!state.isAvailable && state.detail?.contains("/usr/share/polkit-1/actions") == true)
        #expect(state.obstacle == .notSetUp)
    }

    @Test func saysThatPolkitDoesNotRun() async throws {
        let bus = try await self.bus(polkit: false)
        let state = await check(bus).state()
        #expect(!state.isAvailable && state.detail?.contains("Install the package polkitd") == true)
        #expect(state.obstacle == .missing)
        let none = await PolkitCheck(at: .address("unix:path=/nonexistent/bus"), clock: clock).state()
        #expect(!none.isAvailable && none.detail?.contains("no system bus") == true)
        #expect(none.obstacle == .missing)
    }
}
