import FoundationEssentials
import KeywayCrypto
import Testing

@testable import Authenticator

struct ExtensionInputsTests {
    private static func registration(_ json: String) throws -> RegistrationExtensions {
        try RegistrationExtensions(json: Data(json.utf8))
    }

    private static func assertion(_ json: String) throws -> AssertionExtensions {
        try AssertionExtensions(json: Data(json.utf8))
    }

    @Test func readsWhatAPageSendsWithARegistration() throws {
        let all = try Self.registration(
            #"{"credProps":true,"prf":{"eval":{"first":"AQ","second":"Ag"}},"largeBlob":{"support":"required"}}"#)
        #expect(
            all
                == RegistrationExtensions(
                    wantsProperties: true, pseudoRandom: .evaluate(PseudoRandomSalts(hashing: [1], [2])),
                    wantsLargeBlob: true))
        #expect(try Self.registration("{}") == RegistrationExtensions())
        #expect(try Self.registration(#"{"credProps":false}"#) == RegistrationExtensions())
        #expect(try Self.registration(#"{"prf":{}}"#) == RegistrationExtensions(pseudoRandom: .support))
        #expect(try Self.registration(#"{"largeBlob":{}}"#) == RegistrationExtensions(wantsLargeBlob: true))
    }

    @Test func readsWhatAPageSendsWhenSomebodySignsIn() throws {
        let prf = try Self.assertion(
            #"{"prf":{"eval":{"first":""},"evalByCredential":{"Bw":{"first":"AQ","second":"Ag"}}}}"#
        ).pseudoRandom
        #expect(prf?.salts(for: [7]) == PseudoRandomSalts(hashing: [1], [2]))
        #expect(prf?.salts(for: [8]) == PseudoRandomSalts(hashing: []))
        #expect(try Self.assertion(#"{"largeBlob":{"read":true}}"#).largeBlob == .read)
        #expect(try Self.assertion(#"{"largeBlob":{"read":false}}"#).largeBlob == nil)
        #expect(
            try Self.assertion(#"{"largeBlob":{"write":"AQ"}}"#).largeBlob == .write(SecretBytes(copying: [1])))
        #expect(try Self.assertion(#"{"prf":{}}"#).pseudoRandom == .init(nil))
        #expect(try Self.assertion("{}").pseudoRandom == nil)
    }

    @Test(arguments: [
        #"{"appid":"https://a.example","uvm":true,"credentialProtectionPolicy":"userVerificationRequired"}"#,
        #"{"payment":{"isPayment":true},"example.unknown":[1,{"x":null}]}"#,
        #"{"remoteClientDataJSON":"{}"}"#,
    ])
    func whatIsUnknownIsIgnored(json: String) throws {
        #expect(try Self.registration(json) == RegistrationExtensions())
        let assertion = try Self.assertion(json)
        #expect(assertion.pseudoRandom == nil && assertion.largeBlob == nil)
    }

    @Test(arguments: [
        (#"{"prf":{"evalByCredential":{}}}"#, AuthenticatorError.Code.notSupported),
        (#"{"largeBlob":{"read":true}}"#, .notSupported), (#"{"largeBlob":{"write":"AQ"}}"#, .notSupported),
        (#"{"prf":{"eval":{}}}"#, .invalidRequest), (#"{"prf":{"eval":{"first":"A"}}}"#, .invalidRequest),
        (#"{"prf":{"eval":{"first":"AQ","second":"="}}}"#, .invalidRequest), (#"{"prf":true}"#, .invalidRequest),
        (#"{"credProps":"yes"}"#, .invalidRequest), ("[]", .invalidRequest), ("", .invalidRequest),
    ])
    func refusesAtARegistration(json: String, code: AuthenticatorError.Code) {
        #expect(throws: AuthenticatorError(code, "")) { try Self.registration(json) }
    }

    @Test(arguments: [
        (#"{"largeBlob":{"support":"preferred"}}"#, AuthenticatorError.Code.notSupported),
        (#"{"largeBlob":{"read":true,"write":"AQ"}}"#, .notSupported),
        (#"{"largeBlob":{"read":false,"write":"AQ"}}"#, .notSupported),
        (#"{"largeBlob":{"write":"A="}}"#, .invalidRequest),
        (#"{"prf":{"evalByCredential":{"":{"first":"AQ"}}}}"#, .syntax),
        (#"{"prf":{"evalByCredential":{"A=":{"first":"AQ"}}}}"#, .syntax),
        (#"{"prf":{"evalByCredential":{"AQ":{}}}}"#, .invalidRequest),
    ])
    func refusesWhenSomebodySignsIn(json: String, code: AuthenticatorError.Code) {
        #expect(throws: AuthenticatorError(code, "")) { try Self.assertion(json) }
    }

    /// What pages send must not come back in a log.
    @Test func errorsQuoteNothing() {
        for json in [#"{"prf":{"eval":{"first":"secret="}}}"#, #"{"prf":"secret"}"#] {
            do {
                _ = try Self.registration(json)
                Issue.record("\(json) was read")
            } catch {
                #expect(!"\(error)".contains("secret"))
            }
        }
    }

    @Test func saltsThatWereHashedHave32Bytes() throws {
        let salt = [UInt8](repeating: 1, count: 32)
        #expect(try PseudoRandomSalts(hashed: salt, salt).second == salt)
        #expect(throws: AuthenticatorError(.invalidRequest, "")) { try PseudoRandomSalts(hashed: [1]) }
        #expect(throws: AuthenticatorError(.invalidRequest, "")) { try PseudoRandomSalts(hashed: salt, [1]) }
    }
}
