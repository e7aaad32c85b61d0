import AutoFillProtocol
import AutoFillWire
import Glibc
import KeywayCrypto
import KeywaySystem
import Testing

@testable import BrowserHost

@Suite struct CredentialReplyTests {
    private func reply(
        user: String = "ada", password: [UInt8], fields: Set<FillChoice.Field> = [.username, .password]
    ) throws -> JSON {
        let credential = try FakeBroker.credential(user: user, password: password)
        let reply = try CredentialReply(credential, fields: fields, id: 7)
        let message = try Message(reply.json.withUnsafeBytes(Array.init))
        #expect(message.id == 7)
        return try #require(message.result)
    }

    @Test(arguments: [
        "", "hunter2", #"quote " and \ backslash"#, "line\nfeed\tand \u{0} nul \u{1f}", "ünï–€–🔑", "</script>",
        String(repeating: "long ", count: 10_000),
    ])
    func writesEveryPasswordAsItIs(password: String) throws {
        #expect(
            try reply(user: String(password.prefix(4096)), password: Array(password.utf8)) == [
                "user": .text(String(password.prefix(4096))), "password": .text(password),
            ])
    }

    @Test func everyCharacterOfASCIISurvives() throws {
        let all = String(String.UnicodeScalarView((0..<128).compactMap(UnicodeScalar.init)))
        #expect(try reply(password: Array(all.utf8))["password"]?.text == all)
    }

    @Test func givesOnlyWhatWasAskedFor() throws {
        #expect(try reply(password: [0x78], fields: [.username]) == ["user": "ada"])
        #expect(try reply(password: [0x78], fields: [.password]) == ["password": "x"])
    }

    @Test(arguments: [[0xff], [0xc3], [0xed, 0xa0, 0x80], [0x61, 0x80, 0x62]])
    func refusesAPasswordThatIsNoText(password: [UInt8]) {
        #expect(throws: HostFailure(.providerFailed, "")) { try reply(password: password) }
    }

    @Test func refusesAPasswordOverTheLimitOfTheExtension() throws {
        #expect(throws: HostFailure(.providerFailed, "")) {
            try reply(password: [UInt8](repeating: 0x61, count: 65_537))
        }
    }

    @Test func refusesAUserNameOverTheLimitOfTheExtension() throws {
        // 2,049 characters, 4,098 units of UTF-16.
        let long = String(repeating: "🔑", count: 2049)
        #expect(throws: HostFailure(.providerFailed, "")) { try reply(user: long, password: [0x61]) }
        #expect(try reply(user: long, password: [0x61], fields: [.password]) == ["password": "a"])
    }

    @Test func refusesADescriptorThatIsNoSealedMemory() throws {
        let file = OwnedDescriptor(open("/dev/null", O_RDONLY))
        let credential = Fill.Result(user: "ada", password: Attachment(file), provider: FakeBroker.provider)
        #expect(throws: HostFailure(.providerFailed, "")) {
            _ = try CredentialReply(credential, fields: [.password], id: 1)
        }
    }

    @Test func sendingWipesTheMessage() throws {
        let credential = try FakeBroker.credential(user: "ada", password: Array("secret".utf8))
        let reply = try CredentialReply(credential, fields: [.password], id: 1)
        let sink = OwnedDescriptor(open("/dev/null", O_WRONLY))
        FrameOutput(descriptor: sink.rawValue).send(.secret(reply.json))
        #expect(reply.json.count == 0)
    }
}
