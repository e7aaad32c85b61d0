import AutoFillProtocol
import Testing

@testable import BrowserHost

@Suite struct HostInvocationTests {
    @Test func acceptsTheExtensionInChromium() throws {
        #expect(try HostInvocation(arguments: [BrowserExtension.chromiumOrigin]) == .chromium)
        #expect(try HostInvocation(arguments: [BrowserExtension.chromiumOrigin, "--parent-window=0"]) == .chromium)
    }

    @Test func acceptsTheExtensionInFirefox() throws {
        let arguments = ["/usr/lib/mozilla/native-messaging-hosts/x.json", BrowserExtension.firefoxIdentifier]
        #expect(try HostInvocation(arguments: arguments) == .firefox)
    }

    @Test(arguments: [
        [], [""], ["chrome-extension://aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/"], [BrowserExtension.chromiumOrigin + "x"],
        [String(BrowserExtension.chromiumOrigin.dropLast())], [BrowserExtension.chromiumIdentifier],
        ["/x.json"], ["/x.json", "someone@else.example"], ["/x.json", BrowserExtension.firefoxIdentifier + "x"],
        ["moz-extension://\(BrowserExtension.firefoxIdentifier)/"],
    ])
    func refusesEveryOtherExtension(arguments: [String]) {
        #expect(throws: HostFailure(.refused, "")) { try HostInvocation(arguments: arguments) }
    }
}
