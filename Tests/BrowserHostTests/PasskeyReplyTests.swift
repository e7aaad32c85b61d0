import Authenticator
import AutoFillProtocol
import AutoFillWire
import FoundationEssentials
import KeywayCrypto
import KeywaySystem
import Synchronization
import Testing
import WebAuthnValues

@testable import BrowserHost

/// What the extension is told of passkeys.
@Suite(.timeLimit(.minutes(5))) struct PasskeyReplyTests {
    private static let page = #""url":"https://a.example/x","private":false"#
    private static let assertion = #"{"challenge":"AQID","allowed":[],"userVerification":"preferred"}"#

    private static func memory(_ bytes: [UInt8]) throws -> AutoFillWire.Attachment {
        Attachment(try bytes.withUnsafeBytes { (buffer) throws in try SealedMemory(copying: buffer) })
    }

    private static func signature(
        _ asked: Fill.Parameters, extensions: AssertionOutputs<AutoFillWire.Attachment>? = nil
    ) throws -> Fill.Result {
        let passkey = try #require(asked.passkey)
        return Fill.Result(
            credential: .passkey(
                PasskeyAssertionCredential(
                    userHandle: Data([9]), relyingParty: passkey.relyingParty, signature: Data([1, 2]),
                    clientDataHash: passkey.assertion.clientDataHash, authenticatorData: Data([3, 4]),
                    credentialID: Data([5, 6]), extensions: extensions)), provider: FakeBroker.provider)
    }

    @Test func aSignatureComesWithTheClientDataThatItIsOver() async throws {
        let asked = Mutex<Fill.Parameters?>(nil)
        let browser = try await Browser.greeted(
            broker: FakeBroker(fill: { parameters, _ in
                asked.withLock { $0 = parameters }
                return try Self.signature(parameters)
            }))
        browser.request(2, "passkeys.get", #"{\#(Self.page),"request":\#(Self.assertion)}"#)
        let result = try #require(try await browser.answer().result)
        let json = try #require(result["clientDataJSON"]?.text.flatMap { Base64URL.bytes(of: $0) })
        let parameters = try #require(asked.withLock { $0 })
        #expect(parameters.target == .passkey)
        #expect(parameters.services == [ServiceIdentifier("https://a.example/x", kind: .url)])
        #expect(parameters.passkey?.relyingParty == "a.example")
        #expect(parameters.passkey?.assertion.clientDataHash == Data(Digest.sha256(json)))
        #expect(ClientData.isVerified(json, ceremony: .get, challenge: [1, 2, 3], origin: "https://a.example"))
        #expect(result["id"] == "BQY")
        #expect(result["userHandle"] == "CQ")
        #expect(result["extensions"] == [:])
    }

    @Test func aChosenPasskeyIsAskedForByItsHandle() async throws {
        let browser = try await Browser.greeted(
            broker: FakeBroker(fill: { parameters, _ in
                #expect(parameters.target == .suggestion(handle: "h1"))
                return try Self.signature(parameters)
            }))
        browser.request(2, "passkeys.get", #"{\#(Self.page),"handle":"h1","request":\#(Self.assertion)}"#)
        #expect(try await browser.answer().result?["signature"] == "AQI")
    }

    @Test func outputsOfExtensionsAreHandedOn() async throws {
        let secret = (0..<32).map { UInt8($0) }
        let browser = try await Browser.greeted(
            broker: FakeBroker(fill: { parameters, _ in
                let prf = PRFOutputs(first: try Self.memory(secret), second: try Self.memory([0xff]))
                return try Self.signature(
                    parameters, extensions: .init(largeBlob: .read(try Self.memory([1, 2, 3, 4])), prf: prf))
            }))
        browser.request(2, "passkeys.get", #"{\#(Self.page),"request":\#(Self.assertion)}"#)
        let outputs = try await browser.answer().result?["extensions"]
        #expect(outputs?["prf"]?["results"]?["first"]?.text == Base64URL.text(of: secret))
        #expect(outputs?["prf"]?["results"]?["second"] == "_w")
        #expect(outputs?["largeBlob"] == ["blob": "AQIDBA"])
    }

    /// What does not fit into a message of the browser's is not cut off.
    @Test func whatThePasskeyKeepsFitsOrIsNotTold() async throws {
        let browser = try await Browser.greeted(
            broker: FakeBroker(fill: { parameters, _ in
                let isOver = parameters.services.first?.identifier.hasSuffix("/over") ?? false
                let blob = try Self.memory([UInt8](repeating: 7, count: (512 << 10) + (isOver ? 1 : 0)))
                return try Self.signature(parameters, extensions: .init(largeBlob: .read(blob), prf: nil))
            }))
        browser.request(2, "passkeys.get", #"{\#(Self.page),"request":\#(Self.assertion)}"#)
        let blob = try await browser.answer().result?["extensions"]?["largeBlob"]?["blob"]?.text
        #expect(blob.flatMap { Base64URL.bytes(of: $0) }?.count == 512 << 10)
        let over = #""url":"https://a.example/over","private":false"#
        browser.request(3, "passkeys.get", #"{\#(over),"request":\#(Self.assertion)}"#)
        #expect(try await browser.answer().kind == "providerFailed")
    }

    @Test func aPasswordInPlaceOfASignatureStaysHere() async throws {
        let browser = try await Browser.greeted(
            broker: FakeBroker(fill: { _, _ in try FakeBroker.credential(user: "ada", password: Array("s3cret".utf8)) })
        )
        browser.request(2, "passkeys.get", #"{\#(Self.page),"request":\#(Self.assertion)}"#)
        let answer = try await browser.answer()
        #expect(answer.kind == "providerFailed")
        #expect(!String(decoding: answer.bytes, as: UTF8.self).contains("s3cret"))
    }

    @Test func aListGivesAPasskeyWhereThePageWaitsForOneAndNotOtherwise() async throws {
        let browser = try await Browser.greeted(
            broker: FakeBroker(fill: { parameters, _ in
                guard parameters.passkey == nil else { return try Self.signature(parameters) }
                return Fill.Result(
                    credential: .passkey(
                        PasskeyAssertionCredential(
                            userHandle: Data(), relyingParty: "a.example", signature: Data([1]),
                            clientDataHash: Data(), authenticatorData: Data([1]), credentialID: Data([1]),
                            extensions: nil)), provider: FakeBroker.provider)
            }))
        browser.request(
            2, "list", #"{\#(Self.page),"provider":"p","fields":[],"passkey":\#(Self.assertion)}"#)
        #expect(try await browser.answer().result?["passkey"]?["id"] == "BQY")
        browser.request(3, "list", #"{\#(Self.page),"provider":"p","fields":["password"]}"#)
        #expect(try await browser.answer().kind == "providerFailed")
    }

    @Test(arguments: [
        (ProtocolError.Code.elsewhere, "elsewhere"), (.exists, "exists"), (.cancelled, "cancelled"),
        (.noProvider, "noProvider"), (.refused, "refused"), (.notAllowed, "notAllowed"), (.notVerified, "notVerified"),
    ])
    func failuresKeepTheirKind(code: ProtocolError.Code, kind: String) async throws {
        let browser = try await Browser.greeted(broker: FakeBroker(fill: { _, _ in throw ProtocolError(code, "No.") }))
        browser.request(2, "passkeys.get", #"{\#(Self.page),"request":\#(Self.assertion)}"#)
        #expect(try await browser.answer().kind == kind)
    }

    @Test func aNewPasskeyIsTakenApartForThePage() throws {
        let made = try PasskeyAuthenticator().register(
            try Authenticator.RegistrationRequest(
                relyingParty: "a.example", userHandle: [1], clientDataHash: [UInt8](repeating: 0, count: 32),
                algorithms: [-7]), existing: [], person: .present, backup: .backedUp)
        let json = try PasskeyReply.registration(
            PasskeyRegistrationCredential(
                relyingParty: "a.example", clientDataHash: Data(), credentialID: Data(made.passkey.identifier),
                attestationObject: Data(made.attestation.bytes),
                extensions: .init(isLargeBlobSupported: true, prf: .init(isSupported: true, values: nil))),
            Self.frame.clientData(.create, [1]), for: try Self.asked().request, id: 7)
        let message = try Message(json.withUnsafeBytes { Array($0) })
        #expect(message.id == 7)
        let result = message.result
        #expect(result?["algorithm"] == .number(-7))
        #expect(result?["publicKey"]?.text.flatMap { Base64URL.bytes(of: $0) }?.count == 91)
        #expect(result?["transports"] == .list(["internal"]))
        #expect(result?["extensions"] == ["prf": ["enabled": .bool(true)], "largeBlob": ["supported": .bool(true)]])
        let data = result?["authenticatorData"]?.text.flatMap { Base64URL.bytes(of: $0) } ?? []
        #expect(data.prefix(32).elementsEqual(Digest.sha256("a.example".utf8)))
    }

    private static let frame = AskingFrame(page: Page(url: "https://a.example/", isPrivate: false))

    /// What a page asked, with that attestation.
    private static func asked(_ attestation: String? = nil) throws -> CreateParameters {
        let wish = attestation.map { #","attestation":"\#($0)""# } ?? ""
        let json = #"""
            {"jsonrpc":"2.0","id":9,"method":"passkeys.create","params":{\#(page),"isConditional":false,"request":
            {"challenge":"AQ","user":{"id":"AQ","name":"a","displayName":""},"algorithms":[-7],"excluded":[],
            "userVerification":"preferred"\#(wish)}}}
            """#
        guard case .create(let asked) = try HostRequest(frame: Array(json.utf8), limits: WireLimits()).call.get() else {
            throw HostFailure.malformed("no create")
        }
        return asked
    }

    @Test(arguments: [
        (nil, "none"), ("none", "none"), ("indirect", "packed"), ("direct", "packed"), ("enterprise", "packed"),
    ])
    func whatAttestsAPasskeyIsForSitesThatWantIt(wish: String?, format: String) throws {
        let made = try PasskeyAuthenticator().register(
            try Authenticator.RegistrationRequest(
                relyingParty: "a.example", userHandle: [1], clientDataHash: [UInt8](repeating: 0, count: 32),
                algorithms: [-7], conveyance: .direct), existing: [], person: .present, backup: .backedUp)
        #expect(made.attestation.format == "packed")
        let json = try PasskeyReply.registration(
            PasskeyRegistrationCredential(
                relyingParty: "a.example", clientDataHash: Data(), credentialID: Data(made.passkey.identifier),
                attestationObject: Data(made.attestation.bytes), extensions: nil),
            Self.frame.clientData(.create, [1]), for: try Self.asked(wish).request, id: 7)
        let text = try Message(json.withUnsafeBytes { Array($0) }).result?["attestationObject"]?.text
        let object = try AttestationObject(try #require(text.flatMap { Base64URL.bytes(of: $0) }))
        #expect(object.format == format)
        #expect(object.authenticatorData == made.attestation.authenticatorData)
        #expect((object.statement == .map([:])) == (format == "none"))
    }

    @Test func anAttestationThatCannotBeReadIsTheProvidersFailure() throws {
        let credential = PasskeyRegistrationCredential(
            relyingParty: "a.example", clientDataHash: Data(), credentialID: Data([1]),
            attestationObject: Data([1, 2, 3]), extensions: nil)
        let asked = try Self.asked().request
        #expect(throws: HostFailure(.providerFailed, "")) {
            try PasskeyReply.registration(credential, Self.frame.clientData(.create, [1]), for: asked, id: 1)
        }
    }
}
