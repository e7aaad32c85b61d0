import AuthenticationServices
import AutoFillProtocol
import AutoFillWire
import KeywaySystem
import Testing

/// That the sources beside this file compile is the test; a few of them also run here, without a broker of the system.
@MainActor
@Suite("Source compatibility", .timeLimit(.minutes(5)))
struct SourceTests {
    /// A broker to which this process is nobody's provider, and which answers no app. Without it, one would be started
    /// that waits for the person whose machine this is.
    private static let broker: Result<Connection, any Error> = Result {
        let (ours, theirs) = try LocalSocket.pair()
        var methods = MethodTable()
        methods.on(WriteIdentities.self) { _, _ in throw ProtocolError(.disabled, "This is no provider.") }
        let broker = Connection(
            descriptor: ours, peer: .unknown(Greeting(accepts: [.application], name: "keywayd")), methods: methods)
        broker.start()
        let end = Connection(descriptor: theirs, peer: .known(.broker))
        end.start()
        BrokerLink.process.greet(over: end, as: .application)
        return broker
    }

    init() throws {
        _ = try Self.broker.get()
    }

    @Test func controllersWorkWithoutASystemAroundThem() {
        let controller = CredentialProviderViewController()
        controller.loadViewIfNeeded()
        controller.prepareCredentialList(for: [])
        controller.interface(didReceive: .chose(row: "7"))
        #expect(controller.title == "Accounts")
        guard case .list(let list) = controller.interface else {
            Issue.record("no list")
            return
        }
        #expect(list.sections.flatMap(\.rows).map(\.title) == ["ada"])
    }

    @Test func initialisersOfUIKitAreThere() {
        #expect(InitialisedProvider(nibName: nil, bundle: nil).store === AccountStore.shared)
        #expect(InitialisedProvider().store === AccountStore.shared)
    }

    @Test func aStoreWithoutASystemTakesNothing() async {
        let updates = IdentityUpdates()
        await #expect(throws: Never.self) { try await updates.update() }
        #expect(await !updates.knows("example.org"))
        await #expect {
            try await updates.system.saveCredentialIdentities(updates.store.allIdentities)
        } throws: { error in
            (error as? ASCredentialIdentityStoreError)?.code == .storeDisabled
        }
    }

    @Test func statesCanBeMadeUp() {
        let state: ASCredentialIdentityStoreState = MockState()
        #expect(state.isEnabled && state.supportsIncrementalUpdates)
    }

    @Test(arguments: ["GuideProvider", "GuideApplication", "GuideService", "GuideServicePermission", "GuideExchange"])
    func theGuideShowsCodeThatCompiles(name: String) throws {
        let here = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let code = try String(contentsOf: here.appending(path: "\(name).swift"), encoding: .utf8)
        let guide = try String(contentsOf: here.appending(path: "../../Docs/providers.md"), encoding: .utf8)
        #expect(guide.contains("```swift\n\(code)```"), "Docs/providers.md holds \(name).swift word for word")
    }

    @Test func movingAwayEndsInTheErrorOfTheAPI() async throws {
        let moving = MovingAway()
        await #expect { try await moving.export() } throws: { ($0 as? ASAuthorizationError)?.code == .credentialExport }
        let activity = NSUserActivity(activityType: ASCredentialExchangeActivity)
        try await moving.application(continuing: activity)
        activity.addUserInfoEntries(from: [ASCredentialImportToken: UUID()])
        await #expect {
            try await moving.application(continuing: activity)
        } throws: { error in
            (error as? ASAuthorizationError)?.code == .credentialImport
        }
        #expect(moving.imported == nil)
    }

    @Test func signingInEndsInTheErrorOfTheAPI() async {
        let model = SignInModel()
        await withCheckedContinuation { told in model.signIn { told.resume() } }
        #expect(model.problem == .notHandled && model.sent.isEmpty)
        await #expect {
            try await UpgradeView().upgrade(model) { _, _ in Issue.record("nothing is sent") }
        } throws: { error in
            do { throw error } catch ASAuthorizationError.notHandled { return true } catch { return false }
        }
        await #expect(throws: ASAuthorizationError.self) { try await UpgradeView().forget("ada") }
    }
}
