import AutoFillProtocol
import AutoFillWire
import FoundationEssentials
import KeywayCrypto
import Testing
import WebAuthnValues

@testable import BrowserHost

/// What the extension may say of passkeys.
@Suite struct PasskeyRequestTests {
    private static let page = #""url":"https://login.a.example:8443/x","private":true"#
    private static let assertion = #"{"challenge":"AQID","allowed":["BAUG"],"userVerification":"required"}"#
    private static let registration = #"""
        {"challenge":"AQID","user":{"id":"AQ","name":"ada","displayName":"Ada"},"algorithms":[-7],"excluded":[],
        "userVerification":"preferred"}
        """#

    private func call(_ method: String, _ params: String) throws -> HostRequest.Call {
        let json = #"{"jsonrpc":"2.0","id":9,"method":"\#(method)","params":\#(params)}"#
        return try HostRequest(frame: Array(json.utf8), limits: WireLimits()).call.get()
    }

    private func get(_ request: String, _ more: String = "") throws -> GetParameters {
        guard case .get(let asked) = try call("passkeys.get", #"{\#(Self.page),"request":\#(request)\#(more)}"#) else {
            throw HostFailure.malformed("no get")
        }
        return asked
    }

    private func create(_ request: String, _ more: String = "") throws -> CreateParameters {
        let params = #"{\#(Self.page),"isConditional":false,"request":\#(request)\#(more)}"#
        guard case .create(let asked) = try call("passkeys.create", params) else {
            throw HostFailure.malformed("no create")
        }
        return asked
    }

    @Test func readsWhatIsToBeSigned() throws {
        let asked = try get(Self.assertion, #","handle":"h1","top":"https://b.example""#)
        #expect(asked.handle == "h1")
        #expect(asked.frame.top == "https://b.example")
        #expect(asked.frame.page.isPrivate)
        #expect(asked.request.challenge == Data([1, 2, 3]))
        #expect(asked.request.allowed == [Data([4, 5, 6])])
        #expect(asked.request.userVerification == .required)
    }

    @Test func theClientDataIsWrittenHereForWhoeverTheBrowserNamed() throws {
        let asked = try get(Self.assertion, #","top":"https://b.example""#)
        let data = asked.frame.clientData(.get, [1, 2, 3])
        #expect(
            String(decoding: data.json, as: UTF8.self)
                == #"{"type":"webauthn.get","challenge":"AQID","origin":"https://login.a.example:8443","#
                + #""crossOrigin":true,"topOrigin":"https://b.example"}"#)
        let alone = try get(Self.assertion).frame.clientData(.create, [1])
        #expect(
            String(decoding: alone.json, as: UTF8.self)
                == #"{"type":"webauthn.create","challenge":"AQ","origin":"https://login.a.example:8443","#
                + #""crossOrigin":false}"#)
        let parameters = try asked.request.parameters(asked.frame, data)
        #expect(parameters.assertion.clientDataHash == Data(Digest.sha256(data.json)))
    }

    @Test func withoutANameTheRelyingPartyIsThePagesHost() throws {
        let asked = try get(Self.assertion)
        #expect(
            try asked.request.parameters(asked.frame, asked.frame.clientData(.get, [])).relyingParty
                == "login.a.example")
        let made = try create(Self.registration)
        #expect(
            made.request.registration(made.frame, made.frame.clientData(.create, [])).relyingParty == "login.a.example")
        let named = try get(
            #"{"challenge":"","relyingParty":"a.example","allowed":[],"userVerification":"discouraged"}"#)
        #expect(
            try named.request.parameters(named.frame, named.frame.clientData(.get, [])).relyingParty == "a.example")
        for (url, host) in [
            ("http://localhost:8080/", "localhost"), ("https://[::1]:8443/x", "["), ("https://a.b", "a.b"),
        ] {
            #expect(AskingFrame(page: Page(url: url, isPrivate: false)).host == host)
        }
    }

    @Test func readsWhatExtensionsAreAsked() throws {
        let inputs = #"""
            {"prf":{"eval":{"first":"AQ","second":""},"evalByCredential":{"BAUG":{"first":"Ag"}}},
            "largeBlob":{"write":"AQID"}}
            """#
        let asked = try get(
            #"{"challenge":"AQID","allowed":["BAUG"],"userVerification":"preferred","extensions":\#(inputs)}"#)
        let input = try #require(try asked.request.extensions.broker())
        #expect(input.prf?.values == PRFValues(first: Data([1]), second: Data()))
        #expect(
            input.prf?.byCredential == [
                PRFCredentialValues(credentialID: Data([4, 5, 6]), values: PRFValues(first: Data([2])))
            ])
        guard case .write(let blob) = input.largeBlob else {
            Issue.record("nothing to write")
            return
        }
        #expect(try blob.sealedMemory().withUnsafeBytes { Array($0) } == [1, 2, 3])
        let none = try get(Self.assertion)
        #expect(try none.request.extensions.broker() == nil)
    }

    private static let wrongRequests = [
        #"{}"#, #"[]"#, #"{"challenge":"AQID","allowed":[]}"#,
        #"{"challenge":"A","allowed":[],"userVerification":"required"}"#,
        #"{"challenge":"AQ==","allowed":[],"userVerification":"required"}"#,
        #"{"challenge":"A+","allowed":[],"userVerification":"required"}"#,
        #"{"challenge":"AR","allowed":[],"userVerification":"required"}"#,
        #"{"challenge":"AQ","allowed":[""],"userVerification":"required"}"#,
        #"{"challenge":"AQ","allowed":["AQ",1],"userVerification":"required"}"#,
        #"{"challenge":"AQ","allowed":[],"userVerification":"never"}"#,
        #"{"challenge":"AQ","allowed":[],"userVerification":"required","origin":"https://bank.example"}"#,
        #"{"challenge":"AQ","allowed":[],"userVerification":"required","clientDataHash":"AQ"}"#,
        #"{"challenge":"AQ","relyingParty":"","allowed":[],"userVerification":"required"}"#,
        #"{"challenge":"AQ","allowed":[],"userVerification":"required","extensions":{"credProps":true}}"#,
        #"{"challenge":"AQ","allowed":[],"userVerification":"required","extensions":{"largeBlob":{}}}"#,
        #"{"challenge":"AQ","allowed":[],"userVerification":"required","extensions":{"largeBlob":{"read":false}}}"#,
        #"""
        {"challenge":"AQ","allowed":[],"userVerification":"required",
        "extensions":{"largeBlob":{"read":true,"write":"AQ"}}}
        """#,
        #"{"challenge":"AQ","allowed":[],"userVerification":"required","extensions":{"prf":{"eval":{}}}}"#,
        #"{"challenge":"AQ","allowed":[],"userVerification":"required","extensions":{"prf":{"evalByCredential":{"!":{"first":"AQ"}}}}}"#,
    ]

    @Test(arguments: wrongRequests)
    func refusesWhatIsNoRequestForASignature(request: String) {
        #expect(throws: HostFailure(.invalid, "")) { try get(request) }
        #expect(throws: HostFailure(.invalid, "")) {
            try call("list", #"{\#(Self.page),"provider":"p","fields":[],"passkey":\#(request)}"#)
        }
    }

    /// What is long in a request, and may be so long.
    enum Long: Sendable {
        case bytes, letters, credentials, algorithms

        func text(_ count: Int) -> String {
            switch self {
            case .bytes: #""\#(Base64URL.text(of: [UInt8](repeating: 0, count: count)))""#
            case .letters: #""\#(String(repeating: "a", count: count))""#
            case .credentials: list(#""AQ""#, count)
            case .algorithms: list("-7", count)
            }
        }

        private func list(_ item: String, _ count: Int) -> String {
            "[" + [String](repeating: item, count: count).joined(separator: ",") + "]"
        }
    }

    /// What a page may say is as long as WebAuthn lets it be, or as anybody needs, and no longer.
    @Test(
        arguments: [
            (#""AQID""#, "@", .bytes, 16_384), (#"["BAUG"]"#, "@", .credentials, 1024), (#""BAUG""#, "@", .bytes, 1023),
            (#""allowed""#, #""relyingParty":@,"allowed""#, .letters, 253),
            (#""allowed""#, #""extensions":{"prf":{"eval":{"first":@}}},"allowed""#, .bytes, 4096),
            (#""allowed""#, #""extensions":{"largeBlob":{"write":@}},"allowed""#, .bytes, 1 << 20),
        ] as [(String, String, Long, Int)])
    func aRequestForASignatureHasBounds(part: String, form: String, long: Long, most: Int) throws {
        func read(_ count: Int) throws -> GetParameters {
            try get(Self.assertion.replacing(part, with: form.replacing("@", with: long.text(count))))
        }
        #expect(throws: Never.self) { try read(most) }
        #expect(throws: HostFailure(.invalid, "")) { try read(most + 1) }
    }

    @Test(
        arguments: [
            (#""id":"AQ""#, #""id":@"#, .bytes, 64), (#""name":"ada""#, #""name":@"#, .letters, 4096),
            (#""displayName":"Ada""#, #""displayName":@"#, .letters, 4096), ("[-7]", "@", .algorithms, 64),
            (#""excluded":[]"#, #""excluded":@"#, .credentials, 1024), (#""AQID""#, "@", .bytes, 16_384),
        ] as [(String, String, Long, Int)])
    func aRequestForANewOneHasBounds(part: String, form: String, long: Long, most: Int) throws {
        func read(_ count: Int) throws -> CreateParameters {
            try create(Self.registration.replacing(part, with: form.replacing("@", with: long.text(count))))
        }
        #expect(throws: Never.self) { try read(most) }
        #expect(throws: HostFailure(.invalid, "")) { try read(most + 1) }
    }

    @Test func ofFewCredentialsInputsAreNamed() throws {
        func read(_ count: Int) throws -> GetParameters {
            let inputs = (1...count).map { number in
                #""\#(Base64URL.text(of: [UInt8(number >> 8), UInt8(number & 255)]))":{"first":"AQ"}"#
            }
            let extensions = #""extensions":{"prf":{"evalByCredential":{\#(inputs.joined(separator: ","))}}}"#
            return try get(Self.assertion.replacing(#""allowed""#, with: extensions + #","allowed""#))
        }
        #expect(throws: Never.self) { try read(1024) }
        #expect(throws: HostFailure(.invalid, "")) { try read(1025) }
    }

    @Test(arguments: [
        #","top":"null""#, #","top":"https://b.example/""#, #","top":"https://b.example/x""#, #","top":"file://""#,
        #","top":"""#, #","top":1"#, #","handle":"""#, #","origin":"https://b.example""#, #","isConditional":true"#,
    ])
    func refusesWhatNamesNobodyAround(more: String) {
        #expect(throws: HostFailure(.invalid, "")) { try get(Self.assertion, more) }
    }

    @Test(arguments: [
        (#""id":"AQ""#, #""id":"""#), (#""id":"AQ""#, #""id":"\#(String(repeating: "A", count: 88))""#),
        (#""name":"ada","#, ""), (#""algorithms":[-7]"#, #""algorithms":[]"#),
        (#""algorithms":[-7]"#, #""algorithms":["-7"]"#), (#""excluded":[]"#, #""excluded":null"#),
        (#""excluded":[],"#, #""excluded":[],"attestation":"always","#),
        (#""excluded":[],"#, #""excluded":[],"extensions":{"prf":{"evalByCredential":{}}},"#),
        (#""excluded":[],"#, #""excluded":[],"extensions":{"credProps":false},"#),
        (#""excluded":[],"#, #""excluded":[],"extensions":{"largeBlob":{"support":"maybe"}},"#),
    ])
    func refusesWhatIsNoRequestForANewOne(part: String, replacement: String) throws {
        #expect(throws: Never.self) { try create(Self.registration) }
        let range = try #require(Self.registration.firstRange(of: part))
        var request = Self.registration
        request.replaceSubrange(range, with: replacement)
        #expect(throws: HostFailure(.invalid, "")) { try create(request) }
    }

    @Test(arguments: [
        (
            #"{"kind":"unknown","relyingParty":"a.example","credential":"AQ"}"#,
            CredentialReport.passkeyUnknown(relyingParty: "a.example", credentialID: Data([1]))
        ),
        (
            #"{"kind":"accepted","relyingParty":"a.example","user":"AQ","credentials":["Ag"]}"#,
            .passkeysAccepted(relyingParty: "a.example", userHandle: Data([1]), credentialIDs: [Data([2])])
        ),
        (
            #"{"kind":"renamed","relyingParty":"a.example","user":"AQ","name":"eve"}"#,
            .passkeyUpdated(relyingParty: "a.example", userHandle: Data([1]), newName: "eve")
        ),
    ])
    func readsReports(json: String, report: CredentialReport) throws {
        let params = #"{\#(Self.page),"report":\#(json)}"#
        guard case .report(let told) = try call("passkeys.report", params) else {
            Issue.record("no report")
            return
        }
        #expect(told.report == report)
    }

    @Test(arguments: [
        #"{"kind":"deleted","relyingParty":"a.example","credential":"AQ"}"#,
        #"{"kind":"unknown","relyingParty":"a.example","credential":"AQ","user":"AQ"}"#,
        #"{"kind":"renamed","relyingParty":"a.example","user":"AQ"}"#, #"{"kind":"unknown","credential":"AQ"}"#,
        #"{"kind":"passwordUnused","relyingParty":"a.example","user":"AQ"}"#,
    ])
    func refusesOtherReports(json: String) {
        #expect(throws: HostFailure(.invalid, "")) {
            try call("passkeys.report", #"{\#(Self.page),"report":\#(json)}"#)
        }
    }
}
