import Testing

@testable import AuthenticationServices

/// The side of applications: requests and results are values that work.
@MainActor
@Suite("Authorization")
struct AuthorizationTests {
    private typealias Registration = ASAuthorizationPlatformPublicKeyCredentialRegistrationRequest
    private typealias Assertion = ASAuthorizationPlatformPublicKeyCredentialAssertionRequest

    private let provider = ASAuthorizationPlatformPublicKeyCredentialProvider(relyingPartyIdentifier: "example.org")

    private func registration() -> Registration {
        let request = provider.createCredentialRegistrationRequest(
            challenge: Data([1]), name: "ada", userID: Data([2]), requestStyle: .conditional)
        request.displayName = "Ada"
        request.userVerificationPreference = .required
        request.attestationPreference = .direct
        request.largeBlob = .supportRequired
        request.prf = .inputValues(.saltInput1(Data([3]), saltInput2: Data([4])))
        request.excludedCredentials = [.init(credentialID: Data([5]))]
        return request
    }

    private func assertion() -> Assertion {
        let request = provider.createCredentialAssertionRequest(challenge: Data([1]))
        request.allowedCredentials = [.init(credentialID: Data([5]))]
        request.userVerificationPreference = .discouraged
        request.largeBlob = .write(Data([6]))
        request.prf = .inputValues(
            .saltInput1(Data([3])), perCredentialInputValues: [Data([5]): .saltInput1(Data([4]), saltInput2: Data([7]))]
        )
        return request
    }

    private func expect(_ found: Registration, equals wanted: Registration) {
        #expect(found.relyingPartyIdentifier == wanted.relyingPartyIdentifier)
        #expect((found.challenge, found.userID, found.name) == (wanted.challenge, wanted.userID, wanted.name))
        #expect(found.displayName == wanted.displayName)
        #expect(found.userVerificationPreference == wanted.userVerificationPreference)
        #expect(found.attestationPreference == wanted.attestationPreference)
        #expect(found.largeBlob == wanted.largeBlob && found.prf == wanted.prf)
        #expect(found.requestStyle == wanted.requestStyle && found.excludedCredentials == wanted.excludedCredentials)
    }

    private func expect(_ found: Assertion, equals wanted: Assertion) {
        #expect(found.relyingPartyIdentifier == wanted.relyingPartyIdentifier && found.challenge == wanted.challenge)
        #expect(found.allowedCredentials == wanted.allowedCredentials)
        #expect(found.userVerificationPreference == wanted.userVerificationPreference)
        #expect(found.largeBlob == wanted.largeBlob && found.prf == wanted.prf)
    }

    /// Writes and reads securely, as between processes.
    private func coded<Value: NSObject & NSSecureCoding>(_ value: Value) throws -> Value? {
        let data = try NSKeyedArchiver.archivedData(withRootObject: value, requiringSecureCoding: true)
        return try NSKeyedUnarchiver.unarchivedObject(ofClass: Value.self, from: data)
    }

    // MARK: Requests

    @Test func requestsHaveTheDefaultsOfTheAPI() {
        let new = provider.createCredentialRegistrationRequest(challenge: Data([1]), name: "ada", userID: Data([2]))
        #expect(new.provider === provider && new.relyingPartyIdentifier == "example.org")
        #expect((new.requestStyle, new.userVerificationPreference) == (.standard, .preferred))
        #expect(new.attestationPreference == .none && new.displayName == nil && new.excludedCredentials == nil)
        #expect(new.largeBlob == nil && new.prf == nil)
        let old = provider.createCredentialAssertionRequest(challenge: Data([1]))
        #expect(old.allowedCredentials.isEmpty && old.userVerificationPreference == .preferred)
        #expect(ASAuthorizationPasswordProvider().createRequest().provider is ASAuthorizationPasswordProvider)
    }

    @Test func requestsSurviveCoding() throws {
        expect(try #require(try coded(registration())), equals: registration())
        expect(try #require(try coded(assertion())), equals: assertion())
        #expect(try coded(ASAuthorizationPasswordProvider().createRequest()) != nil)
        let checked = registration()
        checked.prf = .checkForSupport
        checked.largeBlob = .supportPreferred
        expect(try #require(try coded(checked)), equals: checked)
        let read = assertion()
        read.prf = .perCredentialInputValues([Data([5]): .saltInput1(Data([4]))])
        read.largeBlob = .read
        expect(try #require(try coded(read)), equals: read)
    }

    @Test func aCopyOfARequestChangesByItself() throws {
        let (new, old) = (registration(), assertion())
        let newCopy = try #require(new.copy() as? Registration)
        let oldCopy = try #require(old.copy() as? Assertion)
        expect(newCopy, equals: new)
        expect(oldCopy, equals: old)
        newCopy.name = "eve"
        oldCopy.allowedCredentials = []
        #expect(new.name == "ada" && old.allowedCredentials.count == 1)
    }

    @Test func descriptorsOfTheProtocolAreThoseOfTheRequest() {
        func clear(_ request: some ASAuthorizationPublicKeyCredentialAssertionRequest) -> Int {
            let count = request.allowedCredentials.count
            request.allowedCredentials += [
                ASAuthorizationPlatformPublicKeyCredentialDescriptor(credentialID: Data([9]))
            ]
            return count
        }
        let request = assertion()
        #expect(clear(request) == 1)
        #expect(request.allowedCredentials.map(\.credentialID) == [Data([5]), Data([9])])
    }

    @Test func resultsSurviveCodingWithoutWhatExtensionsBrought() throws {
        let new = ASAuthorizationPlatformPublicKeyCredentialRegistration(
            rawClientDataJSON: Data([1]), credentialID: Data([2]), rawAttestationObject: Data([3]), prf: .supported)
        let newRead = try #require(try coded(new))
        #expect((newRead.rawClientDataJSON, newRead.credentialID) == (Data([1]), Data([2])))
        #expect(newRead.rawAttestationObject == Data([3]) && newRead.attachment == .platform && newRead.prf == nil)
        let old = ASAuthorizationPlatformPublicKeyCredentialAssertion(
            rawClientDataJSON: Data([1]), credentialID: Data([2]), rawAuthenticatorData: Data([3]), userID: Data([4]),
            signature: Data([5]), largeBlob: .read(data: nil))
        let oldRead = try #require(try coded(old))
        #expect((oldRead.rawAuthenticatorData, oldRead.userID, oldRead.signature) == (Data([3]), Data([4]), Data([5])))
        #expect(oldRead.largeBlob == nil && old.largeBlob == .read(data: nil))
    }

    // MARK: Places

    @Test(arguments: [
        ("https://example.org/login?x=1#y", "https://example.org/login"),
        ("HTTP://ada:secret@example.org:8080", "http://example.org:8080"), ("https://[::1]/", "https://[::1]/"),
    ])
    func aPlaceOnTheWebIsReadFromAnAddress(text: String, place: String) throws {
        let url = try #require(URL(string: text))
        let scope = try #require(ASAutoFillURLScope(url: url))
        #expect(scope.url?.absoluteString == place)
        #expect(try JSONDecoder().decode(ASAutoFillURLScope.self, from: JSONEncoder().encode(scope)) == scope)
    }

    @Test(arguments: ["ftp://example.org", "mailto:ada@example.org", "/login", "https:///x"])
    func anAddressOffTheWebIsNoPlace(text: String) throws {
        let url = try #require(URL(string: text))
        #expect(ASAutoFillURLScope(url: url) == nil)
        var scope = ASAutoFillURLScope(scheme: .https, host: "example.org", port: nil, path: "")
        scope.url = url
        #expect(scope.url?.absoluteString == "https://example.org")
    }

    // MARK: Delegates

    @Test func aDelegateMayLeaveOutEveryMethod() async {
        final class Silent: NSObject, ASAuthorizationControllerDelegate {}
        let (silent, controller) = (Silent(), ASAuthorizationController(authorizationRequests: []))
        controller.delegate = silent
        controller.performRequests()
        for _ in 0..<10 { await Task.yield() }
        #expect(controller.delegate === silent)
    }
}
