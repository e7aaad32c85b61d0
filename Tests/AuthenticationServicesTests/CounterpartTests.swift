import AuthenticationServices
import Testing

@MainActor
@Suite("Small counterparts of classes of Apple's systems")
struct CounterpartTests {
    @Test func anActivityCarriesWhatTheOtherNeeds() {
        let activity = NSUserActivity(activityType: "org.example.view")
        #expect(activity.activityType == "org.example.view" && activity.userInfo == nil && activity.title == nil)
        activity.addUserInfoEntries(from: ["a": 1, "b": 2])
        activity.addUserInfoEntries(from: ["b": 3])
        #expect(activity.userInfo?["a"] as? Int == 1 && activity.userInfo?["b"] as? Int == 3)
    }

    @Test func aWindowIsAnAnchor() {
        let window: ASPresentationAnchor = NSWindow()
        let controller = UIViewController()
        window.rootViewController = controller
        #expect(window.rootViewController === controller)
    }

    @Test func aContextOfNothingDoesNothing() {
        let context = NSExtensionContext()
        var said: [Bool] = []
        context.cancelRequest(withError: ASExtensionError(.failed))
        context.completeRequest(returningItems: nil) { said.append($0) }
        if let page = URL(string: "https://example.org") { context.open(page) { said.append($0) } }
        #expect(said == [false, false] && context.inputItems.isEmpty)
        #expect(UIViewController().extensionContext == nil)
    }

    @Test func errorsOfTheSystemHaveApplesNumbers() {
        let codes: [ASAuthorizationError.Code] = [
            .unknown, .canceled, .invalidResponse, .notHandled, .failed, .notInteractive, .matchedExcludedCredential,
            .credentialImport, .credentialExport, .preferSignInWithApple, .deviceNotConfiguredForPasskeyCreation,
        ]
        #expect(codes.map(\.rawValue) == Array(1000...1010))
        #expect(ASAuthorizationError.canceled == .canceled && ASAuthorizationError.failed.rawValue == 1004)
        #expect(ASAuthorizationErrorDomain == "com.apple.AuthenticationServices.AuthorizationError")
        let thrown: any Error = NSError(domain: ASAuthorizationErrorDomain, code: 1006)
        #expect((thrown as? ASAuthorizationError)?.code == .matchedExcludedCredential)
        #expect(thrown as? ASExtensionError == nil)
    }
}
