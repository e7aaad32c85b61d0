import AuthenticationServices
import Testing

/// That the source beside this file compiles in language mode 5, without a warning, is the test.
@MainActor
@Suite("Source compatibility of Swift 5")
struct SwiftFiveTests {
    @Test func helpersOffTheMainActorReachTheirController() {
        let provider = SwiftFiveProvider()
        provider.loadViewIfNeeded()
        provider.prepareCredentialList(for: [])
        #expect(provider.presentedViewController is UIAlertController)
        provider.router.cancel()
    }
}
