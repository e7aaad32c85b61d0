import AuthenticationServices
import Testing

@Suite("Identities of passkeys and codes")
struct IdentityValueTests {
    private static func passkey(
        rp: String = "example.com", user: String = "ada", id: [UInt8] = [1, 0, 255], handle: [UInt8] = [9],
        record: String? = "7"
    ) -> ASPasskeyCredentialIdentity {
        let identity = ASPasskeyCredentialIdentity(
            relyingPartyIdentifier: rp, userName: user, credentialID: Data(id), userHandle: Data(handle),
            recordIdentifier: record)
        identity.rank = 42
        return identity
    }

    private static func code(
        service: String = "example.com", label: String = "Example (ada)", record: String? = "7"
    ) -> ASOneTimeCodeCredentialIdentity {
        let identity = ASOneTimeCodeCredentialIdentity(
            serviceIdentifier: .init(identifier: service, type: .domain), label: label, recordIdentifier: record)
        identity.rank = 42
        return identity
    }

    @Test func aPasskeyShowsItselfAsAnyIdentityDoes() {
        let identity: any ASCredentialIdentity = Self.passkey()
        #expect(identity.serviceIdentifier == .init(identifier: "example.com", type: .domain))
        #expect(identity.user == "ada" && identity.recordIdentifier == "7")
        identity.rank = 3
        #expect(identity.rank == 3)
        let fresh = ASPasskeyCredentialIdentity(
            relyingPartyIdentifier: "", userName: "", credentialID: Data(), userHandle: Data(), recordIdentifier: nil)
        #expect(fresh.rank == 0 && fresh.recordIdentifier == nil)
    }

    @Test func aCodeShowsItsLabelAsTheUser() {
        let identity: any ASCredentialIdentity = Self.code()
        #expect(identity.user == "Example (ada)" && identity.recordIdentifier == "7")
        let fresh = ASOneTimeCodeCredentialIdentity(
            serviceIdentifier: identity.serviceIdentifier, label: "", recordIdentifier: nil)
        #expect(fresh.rank == 0)
    }

    @Test func everyPartOfAnIdentityCounts() {
        let passkeys = [
            Self.passkey(rp: "example.org"), Self.passkey(user: "eve"), Self.passkey(id: [1]), Self.passkey(handle: []),
            Self.passkey(record: nil),
        ]
        for other in passkeys { #expect(other != Self.passkey()) }
        let codes = [Self.code(service: "example.org"), Self.code(label: "x"), Self.code(record: nil)]
        for other in codes { #expect(other != Self.code()) }
    }

    @Test func theRankDoesNotCount() {
        let (passkey, code) = (Self.passkey(), Self.code())
        (passkey.rank, code.rank) = (1, 1)
        #expect(passkey == Self.passkey() && passkey.hash == Self.passkey().hash)
        #expect(code == Self.code() && code.hash == Self.code().hash)
        #expect(Set([passkey, Self.passkey()]).count == 1)
    }

    @Test func identitiesOfDifferentKindsDiffer() {
        let password = ASPasswordCredentialIdentity(
            serviceIdentifier: Self.code().serviceIdentifier, user: "Example (ada)", recordIdentifier: "7")
        #expect(!password.isEqual(Self.code()) && !Self.code().isEqual(password))
        #expect(!Self.passkey().isEqual(Self.code()) && !Self.passkey().isEqual(nil))
    }

    @Test func theySurviveCodingAndCopyingWithTheirRank() throws {
        for record in ["7", nil] {
            for passkey in [
                try archived(Self.passkey(record: record)),
                try #require(Self.passkey(record: record).copy() as? ASPasskeyCredentialIdentity),
            ] {
                #expect(passkey == Self.passkey(record: record) && passkey.rank == 42)
                #expect(passkey.credentialID == Data([1, 0, 255]) && passkey.userHandle == Data([9]))
                #expect(passkey.relyingPartyIdentifier == "example.com" && passkey.userName == "ada")
            }
            for code in [
                try archived(Self.code(record: record)),
                try #require(Self.code(record: record).copy() as? ASOneTimeCodeCredentialIdentity),
            ] {
                #expect(code == Self.code(record: record) && code.rank == 42 && code.label == "Example (ada)")
            }
        }
        #expect(ASPasskeyCredentialIdentity(coder: try foreignArchive()) == nil)
        #expect(ASOneTimeCodeCredentialIdentity(coder: try foreignArchive()) == nil)
    }

    @Test func aCopyHasItsOwnRank() throws {
        let passkey = Self.passkey()
        try #require(passkey.copy() as? ASPasskeyCredentialIdentity).rank = 1
        #expect(passkey.rank == 42)
    }
}
