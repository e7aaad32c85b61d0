import AuthenticationServices
import Testing

@Suite("Values of the API")
struct ValueTests {
    private static let service = ASCredentialServiceIdentifier(
        identifier: "https://m.example.com/login", type: .URL, displayName: "Example")

    private static func identity(user: String = "ada", record: String? = "7") -> ASPasswordCredentialIdentity {
        let identity = ASPasswordCredentialIdentity(
            serviceIdentifier: service, user: user, recordIdentifier: record)
        identity.rank = 42
        return identity
    }

    /// Writes and reads securely, as between processes.
    private func coded<Value: NSObject & NSSecureCoding>(_ value: Value) throws -> Value? {
        let data = try NSKeyedArchiver.archivedData(withRootObject: value, requiringSecureCoding: true)
        return try NSKeyedUnarchiver.unarchivedObject(ofClass: Value.self, from: data)
    }

    @Test func valuesSurviveCoding() throws {
        let service = try #require(try coded(Self.service))
        #expect(service == Self.service && service.displayName == "Example" && service.type == .URL)
        for record in ["7", nil] {
            let identity = try #require(try coded(Self.identity(record: record)))
            #expect(identity == Self.identity(record: record))
            #expect(identity.rank == 42 && identity.recordIdentifier == record)
        }
        let request = ASPasswordCredentialRequest(credentialIdentity: Self.identity())
        let read = try #require(try coded(request))
        #expect(read == request && read.type == .password && read.credentialIdentity.rank == 42)
        let credential = try #require(try coded(ASPasswordCredential(user: "ada", password: "pässword")))
        #expect((credential.user, credential.password) == ("ada", "pässword"))
    }

    @Test func readingSomethingElseGivesNothing() throws {
        let archiver = NSKeyedArchiver(requiringSecureCoding: true)
        archiver.encode("x" as NSString, forKey: "user")
        let reader = try NSKeyedUnarchiver(forReadingFrom: archiver.encodedData)
        reader.decodingFailurePolicy = .setErrorAndReturn
        #expect(ASPasswordCredentialIdentity(coder: reader) == nil)
        #expect(ASPasswordCredential(coder: reader) == nil)
        #expect(ASCredentialServiceIdentifier(coder: reader) == nil)
        #expect(ASPasswordCredentialRequest(coder: reader) == nil)
    }

    @Test func equalityIsOfWhatTheyNameNotOfTheObject() {
        #expect(Self.identity() == Self.identity())
        #expect(Self.identity().hash == Self.identity().hash)
        #expect(Set([Self.identity(), Self.identity()]).count == 1)
        #expect(Self.identity() != Self.identity(user: "eve"))
        #expect(Self.identity() != Self.identity(record: nil))
        let ranked = Self.identity()
        ranked.rank = 1
        #expect(ranked == Self.identity())
        let domain = ASCredentialServiceIdentifier(identifier: "example.com", type: .domain)
        let url = ASCredentialServiceIdentifier(identifier: "example.com", type: .URL)
        #expect(domain != url)
        #expect(domain == ASCredentialServiceIdentifier(identifier: "example.com", type: .domain, displayName: "x"))
        #expect(ASPasswordCredential(user: "a", password: "b") == ASPasswordCredential(user: "a", password: "b"))
        #expect(ASPasswordCredential(user: "a", password: "b") != ASPasswordCredential(user: "a", password: "c"))
    }

    @Test func aCopyOfAnIdentityHasItsOwnRank() throws {
        let identity = Self.identity()
        let copy = try #require(identity.copy() as? ASPasswordCredentialIdentity)
        copy.rank = 1
        #expect(copy == identity && identity.rank == 42)
        let request = ASPasswordCredentialRequest(credentialIdentity: identity)
        #expect(try #require(request.copy() as? ASPasswordCredentialRequest) == request)
        #expect(Self.service.copy() as? ASCredentialServiceIdentifier === Self.service)
    }

    @Test func theRankOfAnIdentityBehindTheProtocolCanBeSet() {
        let identity: any ASCredentialIdentity = Self.identity()
        identity.rank = 5
        #expect(identity.rank == 5)
        #expect(
            ASPasswordCredentialIdentity(serviceIdentifier: Self.service, user: "", recordIdentifier: nil).rank == 0)
    }

    @Test(
        arguments: [
            ("example.com", ASCredentialServiceIdentifier.IdentifierType.domain, nil, "example.com"),
            ("https://m.example.com/login", .URL, nil, "m.example.com"), ("mailto:ada", .URL, nil, "mailto:ada"),
            ("org.example.App", .app, nil, nil), ("org.example.App", .app, "Example", "Example"),
        ] as [(String, ASCredentialServiceIdentifier.IdentifierType, String?, String?)])
    func aServiceHasANameToShow(
        identifier: String, type: ASCredentialServiceIdentifier.IdentifierType, given: String?, shown: String?
    ) {
        let service =
            given.map { ASCredentialServiceIdentifier(identifier: identifier, type: type, displayName: $0) }
            ?? ASCredentialServiceIdentifier(identifier: identifier, type: type)
        #expect(service.displayName == shown)
    }

    @Test func kindsHaveApplesNumbers() {
        let kinds: [ASCredentialServiceIdentifier.IdentifierType] = [.domain, .URL, .app]
        #expect(kinds.map(\.rawValue) == [0, 1, 2])
        let requests: [ASCredentialRequestType] = [.password, .passkeyAssertion, .passkeyRegistration, .oneTimeCode]
        #expect(requests.map(\.rawValue) == [0, 1, 2, 3])
        #expect(ASCredentialRequestType(rawValue: 4) == nil)
    }

    @Test func noDescriptionShowsThePassword() {
        let credential = ASPasswordCredential(user: "ada", password: "canary-4711")
        var dumped = ""
        dump(credential, to: &dumped)
        for text in [dumped, "\(credential)", credential.debugDescription, String(reflecting: credential)] {
            #expect(!text.contains("canary-4711"))
        }
    }
}
