import AutoFillProtocol
import AutoFillWire
import BrokerTestSupport
import Foundation
import KeywaySystem
import Synchronization
import Testing

@testable import AutoFillBroker

/// Every client here is this process: the program that runs the tests plays the app.
struct ApplicationTests {
    private let program: String
    private let fixture: BrokerFixture

    init() throws {
        program = try #require(KeywayPaths.ownProgram())
        fixture = try BrokerFixture(
            FakeBundles { _, _ in try password() },
            information: ["KeywayApplications": [program], "KeywayGroup": "group.test.vault"])
    }

    private func approve(_ isApproved: Bool = true, _ path: String? = nil) async throws -> InstalledProvider {
        let terminal = try await fixture.client(.terminal)
        defer { terminal.close() }
        return try await terminal.call(
            ApproveApplication.self,
            .init(identifier: BrokerFixture.provider, path: path ?? program, isApproved: isApproved)
        ).provider
    }

    private func enable(_ isEnabled: Bool = true, _ identifier: String = BrokerFixture.provider) async throws {
        let terminal = try await fixture.client(.terminal)
        defer { terminal.close() }
        _ = try await terminal.call(SetProviderEnabled.self, .init(identifier: identifier, isEnabled: isEnabled))
    }

    private func listed() async throws -> InstalledProvider {
        let terminal = try await fixture.client(.terminal)
        defer { terminal.close() }
        return try #require(try await terminal.call(ListProviders.self, Nothing()).providers.first)
    }

    private func save(_ app: Connection) async throws {
        _ = try await app.call(
            WriteIdentities.self, .init(operation: .save, identities: [BrokerFixture.identity()]))
    }

    private func state(_ app: Connection) async throws -> Bool {
        try await app.call(IdentityStoreState.self, Nothing()).isEnabled
    }

    // MARK: - Approval

    @Test func appIsTurnedAwayUntilThePersonApprovedIt() async throws {
        try await enable()
        let app = try await fixture.client(.application)
        #expect(try await listed().applications == [.init(path: program, isApproved: false, isRequested: false)])
        #expect(try await !state(app))
        #expect(await failure { try await save(app) }?.code == .disabled)
        #expect(try await listed().applications == [.init(path: program, isApproved: false, isRequested: true)])

        #expect(try await approve().applications == [.init(path: program, isApproved: true, isRequested: false)])
        #expect(try await state(app))
        try await save(app)
        let browser = try await fixture.client()
        #expect(try await browser.suggestions().map(\.user) == ["ada"])
    }

    @Test func approvalIsTakenBack() async throws {
        try await enable()
        _ = try await approve()
        let app = try await fixture.client(.application)
        #expect(try await state(app))
        #expect(try await approve(false).applications.first?.isApproved == false)
        #expect(try await !state(app))
        #expect(await failure { try await save(app) }?.code == .disabled)
    }

    @Test func turningOffTakesApprovalsBack() async throws {
        try await enable()
        _ = try await approve()
        try await enable(false)
        try await enable()
        #expect(try await listed().applications.first?.isApproved == false)
    }

    @Test func appOfAProviderThatIsOffIsTurnedAway() async throws {
        let app = try await fixture.client(.application)
        #expect(try await !state(app))
        #expect(await failure { try await save(app) }?.code == .disabled)
        #expect(await failure { _ = try await approve() }?.code == .noProvider)
    }

    @Test func onlyWhatTheBundleNamesCanBeApproved() async throws {
        try await enable()
        let error = await failure { _ = try await approve(true, "/usr/bin/true") }
        #expect(error?.code == .notFound)
        #expect(error?.message.contains(program) == true)
    }

    @Test func terminalsAreToldOnce() async throws {
        try await enable()
        let notices = Mutex<[String]>([])
        var methods = MethodTable()
        methods.on(BrokerNotice.self) { notice, _ in notices.withLock { $0.append(notice.text) } }
        let app = try await fixture.client(.application)
        for _ in 0..<3 { _ = try await state(app) }
        let terminal = try await fixture.client(.terminal, methods)
        try await eventually { !notices.withLock(\.isEmpty) }
        _ = try await state(app)
        _ = try await terminal.call(ListProviders.self, Nothing())
        #expect(notices.withLock(\.count) == 1)
        #expect(notices.withLock { $0.first }?.contains("keyway providers approve test.vault \(program)") == true)
    }

    @Test func storeIsNotForBrowsersAndTerminals() async throws {
        try await enable()
        for role in [Role.browser, .terminal] {
            let client = try await fixture.client(role)
            #expect(await failure { try await save(client) }?.code == .notAllowed)
        }
    }

    @Test func whatAnAppBeganIsForgottenWithIt() async throws {
        try await enable()
        _ = try await approve()
        let app = try await fixture.client(.application)
        let part = WriteIdentities.Parameters(
            operation: .save, identities: [BrokerFixture.identity()], write: nil, isLast: false)
        let write = try #require(try await app.call(WriteIdentities.self, part).write)
        app.close()
        let again = try await fixture.client(.application)
        let rest = WriteIdentities.Parameters(operation: .save, identities: [], write: write, isLast: true)
        #expect(await failure { _ = try await again.call(WriteIdentities.self, rest) } != nil)
        #expect(try await !again.call(IdentityStoreState.self, Nothing()).supportsIncrementalUpdates)
    }

    // MARK: - Whose program

    @Test func programBelongsToOneProviderOnly() async throws {
        try await enable()
        try TestBundle.install(in: fixture.folder, ["KeywayApplications": [program]], name: "other")
        let error = await failure { try await enable(true, "test.other") }
        #expect(error?.code == .refused)
        #expect(error?.message.contains(program) == true)
        try await enable(false)
        try await enable(true, "test.other")
    }

    @Test func anotherNameOfTheSameProgramIsTheSameProgram() async throws {
        try await enable()
        let link = fixture.folder.path + "/link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: program)
        try TestBundle.install(in: fixture.folder, ["KeywayApplications": [link]], name: "other")
        #expect(await failure { try await enable(true, "test.other") }?.code == .refused)
    }

    @Test func anotherProgramIsNobodysApp() async throws {
        let other = try BrokerFixture(
            FakeBundles { _, _ in try password() }, information: ["KeywayApplications": ["/usr/bin/true"]])
        try await other.provide([])
        let app = try await other.client(.application)
        #expect(try await !state(app))
        let terminal = try await other.client(.terminal)
        let provider = try await terminal.call(ListProviders.self, Nothing()).providers.first
        #expect(provider?.applications == [.init(path: "/usr/bin/true", isApproved: false, isRequested: false)])
    }

    // MARK: - The group

    @Test func groupFolderIsForTheApprovedAppAlone() async throws {
        try await enable()
        let app = try await fixture.client(.application)
        let group = GroupContainer.Parameters(group: "group.test.vault")
        #expect(await failure { _ = try await app.call(GroupContainer.self, group) }?.code == .disabled)
        _ = try await approve()
        let path = try await app.call(GroupContainer.self, group).path
        #expect(path == fixture.folder.path + "/.local/share/keyway/groups/group.test.vault")
        try PrivateFolder.check(path)
        let other = GroupContainer.Parameters(group: "group.test.other")
        #expect(await failure { _ = try await app.call(GroupContainer.self, other) }?.code == .refused)
    }

    // MARK: - Asking to be turned on

    @Test func appThatAsksIsAnsweredWhenThePersonDecides() async throws {
        let app = try await fixture.client(.application)
        async let answer = app.call(RequestEnabling.self, Nothing()).isEnabled
        try await eventually { try await listed().isRequested }
        try await enable()
        #expect(try await answer)
        #expect(try await !listed().isRequested)
        #expect(try await app.call(RequestEnabling.self, Nothing()).isEnabled)
    }

    @Test func appThatAsksIsToldThatNobodyAnswered() async throws {
        let app = try await fixture.client(.application)
        async let answer = app.call(RequestEnabling.self, Nothing()).isEnabled
        try await fixture.clock.waitForSleeper(of: .seconds(60))
        fixture.clock.advance(by: .seconds(60))
        #expect(try await !answer)
        #expect(try await listed().isRequested)
    }

    @Test func appMayNotAskAgainWithinTenSeconds() async throws {
        let app = try await fixture.client(.application)
        let first = Task { try await app.call(RequestEnabling.self, Nothing()).isEnabled }
        try await fixture.clock.waitForSleeper(of: .seconds(60))
        let errors = Mutex<[ProtocolError.Code?]>([])
        let tooSoon = Task {
            let error = await failure { _ = try await app.call(RequestEnabling.self, Nothing()) }
            errors.withLock { $0.append(error?.code) }
        }
        try await eventually { errors.withLock { $0 == [.busy] } }
        await tooSoon.value
        fixture.clock.advance(by: .seconds(10))
        let second = Task { try await app.call(RequestEnabling.self, Nothing()).isEnabled }
        try await fixture.clock.waitForSleeper(of: .seconds(60))
        try await enable(false)
        #expect(try await !first.value)
        #expect(try await !second.value)
    }

    @Test func ofSeveralThatNameItTheSystemsIsMeant() async throws {
        try TestBundle.install(in: fixture.folder, ["KeywayApplications": [program]], name: "other")
        let app = try await fixture.client(.application)
        #expect(await failure { _ = try await app.call(RequestEnabling.self, Nothing()) }?.code == .disabled)
        try TestBundle.install(
            in: fixture.folder, ["KeywayApplications": [program]], name: "whole", root: "system")
        async let answer = app.call(RequestEnabling.self, Nothing()).isEnabled
        try await eventually {
            let terminal = try await fixture.client(.terminal)
            defer { terminal.close() }
            let providers = try await terminal.call(ListProviders.self, Nothing()).providers
            return providers.filter(\.isRequested).map(\.reference.identifier) == ["test.whole"]
        }
        try await enable(true, "test.whole")
        #expect(try await answer)
    }

    @Test func programThatNoBundleNamesMayNotAsk() async throws {
        let other = try BrokerFixture(FakeBundles { _, _ in try password() })
        let app = try await other.client(.application)
        #expect(await failure { _ = try await app.call(RequestEnabling.self, Nothing()) }?.code == .disabled)
    }
}
