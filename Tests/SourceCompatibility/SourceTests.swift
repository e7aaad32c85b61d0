import AuthenticationServices
import Testing

/// That the sources beside this file compile is the test; a few of them also run here, without a broker.
@MainActor
@Suite("Source compatibility")
struct SourceTests {
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

    @Test func theGuideShowsCodeThatCompiles() throws {
        let here = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let code = try String(contentsOf: here.appending(path: "GuideProvider.swift"), encoding: .utf8)
        let guide = try String(contentsOf: here.appending(path: "../../Docs/providers.md"), encoding: .utf8)
        #expect(guide.contains("```swift\n\(code)```"), "Docs/providers.md holds GuideProvider.swift word for word")
    }
}
