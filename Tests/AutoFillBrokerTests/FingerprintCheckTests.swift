import BrokerTestSupport
import Foundation
import KeywaySystem
import Testing

@testable import AutoFillBroker

/// fprintd on a private bus, played by python-dbusmock.
@Suite(.serialized, .timeLimit(.minutes(10))) struct FingerprintCheckTests {
    private static let template = testFile("Buses/fprintd.py")

    private func bus(_ parameters: String? = "{}") async throws -> PrivateBus {
        let bus = try await offThread {
            let bus = try #require(PrivateBus())
            try bus.writeConfiguration()
            bus.start(["dbus-daemon", "--config-file=\(bus.folder.path)/bus.conf", "--nofork", "--nopidfile"])
            try #require(bus.poll { access("\(bus.folder.path)/bus", F_OK) == 0 })
            guard let parameters else { return bus }
            bus.start([
                "/usr/bin/python3", "-m", "dbusmock", "--system", "--logfile", "\(bus.folder.path)/log",
                "--template", Self.template, "--parameters", parameters,
            ])
            try #require(bus.has("net.reactivated.Fprint"))
            return bus
        }
        kept.keep(bus)
        return bus
    }

    /// What a test started lasts as long as the test.
    private let kept = Kept()
    private let presenter = FakePresenter { _ async throws(ProtocolError) in
        do { try await Task.sleep(for: .seconds(600)) } catch { throw ProtocolError(.cancelled, "taken back") }
        return .refused
    }

    private static func calls(_ bus: PrivateBus, _ member: String) -> Int {
        bus.text("log").split(separator: "\n").filter { $0.contains(" \(member)") }.count
    }

    @Test(
        arguments: [
            (nil, "fprintd isn't running"), (#"{"device": false}"#, "no fingerprint reader"),
            (#"{"fingers": []}"#, "fprintd-enroll"), ("{}", nil),
        ] as [(String?, String?)])
    func saysWhatIsMissing(parameters: String?, missing: String?) async throws {
        let bus = try await self.bus(parameters)
        let state = await FingerprintCheck(at: .address(bus.address)).state()
        #expect(state.isAvailable == (missing == nil))
        #expect(state.detail?.contains(missing ?? "") ?? (missing == nil))
        withExtendedLifetime(bus) {}
    }

    @Test func saysThatThereIsNoBus() async {
        let state = await FingerprintCheck(at: .address("unix:path=/nonexistent/bus")).state()
        #expect(!state.isAvailable && state.detail?.contains("no system bus") == true)
        #expect(state.obstacle == .missing)
    }

    @Test func aKnownFingerVerifies() async throws {
        let bus = try await self.bus(#"{"results": [["verify-match"]]}"#)
        try await FingerprintCheck(at: .address(bus.address)).verify(VerificationSubject(), through: presenter)
        #expect(presenter.questions.withLock { $0.map(\.method) } == [.fingerprint])
        try await eventually { Self.calls(bus, "Release") == 1 }
        #expect(Self.calls(bus, "VerifyStop") == 1)
    }

    @Test func whatCannotBeReadIsTriedAgain() async throws {
        let bus = try await self.bus(
            #"{"results": [["verify-retry-scan", "verify-swipe-too-short!"], ["verify-no-match"], ["verify-match"]]}"#
        )
        try await FingerprintCheck(at: .address(bus.address)).verify(VerificationSubject(), through: presenter)
        let errors = presenter.questions.withLock { $0.map(\.error) }
        #expect(errors == [nil, "Couldn’t read the fingerprint. Try again.", "The fingerprint was not recognised."])
    }

    @Test func anUnknownFingerDoesNotVerify() async throws {
        let bus = try await self.bus(#"{"results": [["verify-no-match"], ["verify-no-match"], ["verify-no-match"]]}"#)
        let error = await failure {
            try await FingerprintCheck(at: .address(bus.address)).verify(VerificationSubject(), through: presenter)
        }
        #expect(error?.code == .notVerified)
        try await eventually { Self.calls(bus, "Release") == 3 }
    }

    @Test(arguments: [("verify-disconnected", "disconnected"), ("verify-unknown-error", "failed")])
    func aReaderThatGoesAwayDoesNotVerify(result: String, words: String) async throws {
        let bus = try await self.bus(#"{"results": [["\#(result)"]]}"#)
        let error = await failure {
            try await FingerprintCheck(at: .address(bus.address)).verify(VerificationSubject(), through: presenter)
        }
        #expect(error?.code == .notVerified && error?.message.contains(words) == true)
    }

    @Test func aReaderInUseIsSaid() async throws {
        let bus = try await self.bus(#"{"claim_error": "AlreadyInUse"}"#)
        let error = await failure {
            try await FingerprintCheck(at: .address(bus.address)).verify(VerificationSubject(), through: presenter)
        }
        #expect(error?.code == .notVerified && error?.message.contains("Another program is using") == true)
    }

    @Test func backingOutGivesTheReaderBack() async throws {
        let bus = try await self.bus(#"{"results": [[]]}"#)
        let refusing = FakePresenter { _ in .refused }
        let error = await failure {
            try await FingerprintCheck(at: .address(bus.address)).verify(VerificationSubject(), through: refusing)
        }
        #expect(error?.code == .cancelled)
        try await eventually { Self.calls(bus, "Release") == Self.calls(bus, "Claim") }
    }

    @Test func cancellingGivesTheReaderBack() async throws {
        let bus = try await self.bus(#"{"results": [[]]}"#)
        let check = FingerprintCheck(at: .address(bus.address))
        let running = Task { await failure { try await check.verify(VerificationSubject(), through: presenter) } }
        try await eventually { Self.calls(bus, "VerifyStart") == 1 }
        running.cancel()
        #expect(await running.value?.code == .cancelled)
        try await eventually { Self.calls(bus, "Release") == 1 }
    }

    /// A bus lets everybody send signals to one connection, and libsystemd lets them pass for those of the service.
    @Test func aFingerThatAnotherProgramReportsVerifiesNobody() async throws {
        let bus = try await self.bus(#"{"results": [[]]}"#)
        let check = FingerprintCheck(at: .address(bus.address))
        let running = Task { await failure { try await check.verify(VerificationSubject(), through: presenter) } }
        try await eventually { Self.calls(bus, "VerifyStart") == 1 }
        let (object, device) = ("/net/reactivated/Fprint/Device/0", "net.reactivated.Fprint.Device")
        let isForged = try await offThread {
            bus.run([
                "/usr/bin/python3", testFile("Buses/forged_signal.py"), bus.address, object, device, "VerifyStatus",
                "verify-match", "true",
            ])
        }
        #expect(isForged)
        // What fprintd itself says comes after it.
        let isSaid = try await offThread {
            bus.run([
                "busctl", "--address=\(bus.address)", "call", "net.reactivated.Fprint", object,
                "org.freedesktop.DBus.Mock", "EmitSignal", "sssav", device, "VerifyStatus", "sb", "2", "s",
                "verify-disconnected", "b", "true",
            ])
        }
        #expect(isSaid)
        #expect(await running.value?.code == .notVerified)
    }

    @Test func aBusThatGoesAwayDoesNotVerify() async throws {
        let bus = try await self.bus(#"{"results": [[]]}"#)
        let check = FingerprintCheck(at: .address(bus.address))
        let running = Task { await failure { try await check.verify(VerificationSubject(), through: presenter) } }
        try await eventually { Self.calls(bus, "VerifyStart") == 1 }
        bus.end()
        #expect(await running.value?.code == .notVerified)
    }
}

/// A file of the tests.
func testFile(_ name: String) -> String {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().path + "/" + name
}

/// Runs what blocks where it keeps no task from running.
func offThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        Thread { continuation.resume(with: Result { try body() }) }.start()
    }
}
