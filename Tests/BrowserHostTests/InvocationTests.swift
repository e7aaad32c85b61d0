import AutoFillProtocol
import Foundation
import Testing

@testable import BrowserHost

@Suite struct InvocationTests {
    @Test func acceptsTheExtensionInChromium() throws {
        #expect(try Invocation(arguments: [BrowserExtension.chromiumOrigin]) == .chromium)
        #expect(try Invocation(arguments: [BrowserExtension.chromiumOrigin, "--parent-window=0"]) == .chromium)
    }

    @Test func acceptsTheExtensionInFirefox() throws {
        let arguments = ["/usr/lib/mozilla/native-messaging-hosts/x.json", BrowserExtension.firefoxIdentifier]
        #expect(try Invocation(arguments: arguments) == .firefox)
    }

    @Test(arguments: [
        [], [""], ["chrome-extension://aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/"], [BrowserExtension.chromiumOrigin + "x"],
        [String(BrowserExtension.chromiumOrigin.dropLast())], [BrowserExtension.chromiumIdentifier],
        ["/x.json"], ["/x.json", "someone@else.example"], ["/x.json", BrowserExtension.firefoxIdentifier + "x"],
        ["moz-extension://\(BrowserExtension.firefoxIdentifier)/"],
    ])
    func refusesEveryOtherExtension(arguments: [String]) {
        #expect(throws: HostFailure(.refused, "")) { try Invocation(arguments: arguments) }
    }

    @Test func identifiersAreThoseOfTheManifest() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let data = try Data(contentsOf: root.appending(path: "Browser/manifest.json"))
        let manifest = try JSONDecoder().decode(Manifest.self, from: data)
        #expect(manifest.settings.gecko.id == BrowserExtension.firefoxIdentifier)
        let key = try #require(Data(base64Encoded: manifest.key))
        #expect(try chromiumIdentifier(of: key) == BrowserExtension.chromiumIdentifier)
    }

    @Test func hostNameIsThatOfTheExtension() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let script = try String(contentsOf: root.appending(path: "Browser/src/protocol/host.js"), encoding: .utf8)
        #expect(script.contains("hostName = '\(BrowserExtension.hostName)'"))
    }

    /// The first half of the key's SHA-256 in hexadecimal, with `a` to `p` as digits.
    private func chromiumIdentifier(of key: Data) throws -> String {
        let process = Process()
        let (input, output) = (Pipe(), Pipe())
        process.executableURL = URL(filePath: "/usr/bin/sha256sum")
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        try input.fileHandleForWriting.write(contentsOf: key)
        try input.fileHandleForWriting.close()
        let digest = try #require(try output.fileHandleForReading.readToEnd())
        return String(decoding: digest.prefix(32), as: UTF8.self).compactMap(\.hexDigitValue)
            .map { String(UnicodeScalar(UInt8(97 + $0))) }.joined()
    }

    private struct Manifest: Decodable {
        struct Settings: Decodable {
            struct Gecko: Decodable { let id: String }
            let gecko: Gecko
        }
        let key: String
        let settings: Settings

        private enum CodingKeys: String, CodingKey {
            case key
            case settings = "browser_specific_settings"
        }
    }
}
