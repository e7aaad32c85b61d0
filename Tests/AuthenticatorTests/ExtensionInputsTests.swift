import FoundationEssentials
import KeywayCrypto
import Testing
import WebAuthnValues

@testable import Authenticator

struct ExtensionInputsTests {
    private static func registration(_ json: String) throws -> RegistrationInputs {
        try RegistrationInputs(json: Data(json.utf8))
    }

    private static func assertion(_ json: String) throws -> AssertionInputs<SecretBytes> {
        try AssertionInputs(json: Data(json.utf8))
    }

    @Test func readsWhatAPageSendsWithARegistration() throws {
        let all = try Self.registration(
            #"{"credProps":true,"prf":{"eval":{"first":"AQ","second":"Ag"}},"largeBlob":{"support":"required"}}"#)
        #expect(
            all
                == RegistrationInputs(
                    credProps: true, largeBlob: .required,
                    prf: .init(values: PRFValues(first: Data([1]), second: Data([2])))))
        #expect(try Self.registration("{}") == RegistrationInputs())
        #expect(try Self.registration(#"{"credProps":false}"#) == RegistrationInputs())
        #expect(try Self.registration(#"{"prf":{}}"#) == RegistrationInputs(prf: .init(values: nil)))
        #expect(try Self.registration(#"{"largeBlob":{}}"#) == RegistrationInputs(largeBlob: .preferred))
    }

    @Test func readsWhatAPageSendsWhenSomebodySignsIn() throws {
        let prf = try Self.assertion(
            #"{"prf":{"eval":{"first":""},"evalByCredential":{"Bw":{"first":"AQ","second":"Ag"}}}}"#
        ).prf
        #expect(prf?.values(for: [7]) == PRFValues(first: Data([1]), second: Data([2])))
        #expect(prf?.values(for: [8]) == PRFValues(first: Data()))
        #expect(try Self.assertion(#"{"largeBlob":{"read":true}}"#).largeBlob == .read)
        #expect(try Self.assertion(#"{"largeBlob":{"read":false}}"#).largeBlob == nil)
        #expect(
            try Self.assertion(#"{"largeBlob":{"write":"AQ"}}"#).largeBlob == .write(SecretBytes(copying: [1])))
        #expect(try Self.assertion(#"{"prf":{}}"#).prf == .init(values: nil))
        #expect(try Self.assertion("{}").prf == nil)
    }

    @Test(arguments: [
        #"{"appid":"https://a.example","uvm":true,"credentialProtectionPolicy":"userVerificationRequired"}"#,
        #"{"payment":{"isPayment":true},"example.unknown":[1,{"x":null}]}"#,
        #"{"remoteClientDataJSON":"{}"}"#,
    ])
    func whatIsUnknownIsIgnored(json: String) throws {
        #expect(try Self.registration(json) == RegistrationInputs())
        let assertion = try Self.assertion(json)
        #expect(assertion.prf == nil && assertion.largeBlob == nil)
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
}
