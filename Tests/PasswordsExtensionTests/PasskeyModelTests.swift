import AuthenticationServices
import AutoFillProtocol
import KeywaySystem
import PasswordsProtocol
import Testing
import WebAuthnValues

@testable import PasswordsExtension

/// Passkeys in the extension's model: what is asked, what is shown, and when the person counts as verified.
@Suite("Passkeys in the model of the extension")
struct PasskeyModelTests {
    private typealias Model = PasswordsModel

    private func asked(
        _ preference: UserVerificationPreference = .preferred, isVerified: Bool = false, allowed: [Data] = [Data([3])]
    ) -> PasskeyRequestParameters {
        PasskeyRequestParameters(
            relyingParty: "example.com",
            assertion: PasskeyAssertion(
                clientDataHash: Data(count: 32), userVerification: preference, allowedCredentials: allowed),
            isPersonVerified: isVerified)
    }

    private func wanted(isVerified: Bool = false) -> PasskeyRegistration {
        PasskeyRegistration(
            relyingParty: "example.com", userName: "ada", userHandle: Data([1]), clientDataHash: Data(count: 32),
            userVerification: .preferred, algorithms: [-7], isPersonVerified: isVerified)
    }

    private func secret() throws -> InterfaceEvent {
        .submitted(["master": .secret(InterfaceSecret(try SealedMemory(text: "correct horse")))])
    }

    private func refused<Value>(_ code: ProtocolError.Code) -> Result<Value, ProtocolError> {
        .failure(ProtocolError(code, "Because."))
    }

    private func passkey(_ user: String, id: UInt8) -> ItemSummary {
        ItemSummary(
            id: "passkey-\(user)", title: "example.com", user: user, addresses: [], tags: [], created: 0, modified: 0,
            hasPassword: false,
            passkey: PasskeySummary(relyingParty: "example.com", credentialID: Data([id]), userHandle: Data([1])))
    }

    private let signature = PasskeyAssertionCredential(
        userHandle: Data([1]), relyingParty: "example.com", signature: Data([1]), clientDataHash: Data(count: 32),
        authenticatorData: Data([1]), credentialID: Data([3]), extensions: nil)

    private let credential = PasskeyRegistrationCredential(
        relyingParty: "example.com", clientDataHash: Data(count: 32), credentialID: Data([3]),
        attestationObject: Data([1]), extensions: nil)

    private func form(_ model: Model) -> InterfaceForm? {
        if case .form(let form)? = model.interface { form } else { nil }
    }

    // MARK: - One passkey

    @Test(arguments: [false, true]) func signsSilentlyAsTheSystemSaysOfThePerson(isVerified: Bool) {
        var model = Model(.sign(record: "7", asked(isVerified: isVerified), isSilent: true))
        #expect(model.begin()?.asked == "sign 7 example.com [[3]]" + (isVerified ? " verified" : ""))
        guard case .signed(signature)? = model.handle(.answer(.signed(.success(signature)))) else {
            Issue.record("not completed")
            return
        }
        #expect(model.interface == nil)
    }

    @Test(arguments: [
        (ProtocolError.Code.locked, ASExtensionError.Code.userInteractionRequired),
        (.notVerified, .userInteractionRequired), (.notFound, .credentialIdentityNotFound), (.damaged, .failed),
        (.refused, .failed),
    ])
    func endsSilentlyWithTheCodeOfTheReason(reason: ProtocolError.Code, code: ASExtensionError.Code) {
        var model = Model(.sign(record: "7", asked(), isSilent: true))
        _ = model.begin()
        #expect(model.handle(.answer(.signed(refused(reason))))?.cancelled == code)
        #expect(model.interface == nil)
    }

    @Test(arguments: [true, false]) func knowsNoPasskeyWithoutARecord(isSilent: Bool) {
        var model = Model(.sign(record: nil, asked(), isSilent: isSilent))
        #expect(model.begin()?.cancelled == .credentialIdentityNotFound)
    }

    @Test func whoTypedTheMasterPasswordIsVerified() throws {
        var model = Model(.sign(record: "7", asked(.required), isSilent: false))
        #expect(model.begin()?.asked == "status")
        #expect(model.handle(.answer(.status(.success(.locked)))) == nil)
        #expect(form(model)?.title == "Unlock Passwords")
        _ = model.handle(.event(try secret()))
        #expect(model.handle(.answer(.unlocked(.success(()))))?.asked == "sign 7 example.com [[3]] verified")
    }

    @Test func aWrongMasterPasswordVerifiesNobody() throws {
        var model = Model(.sign(record: "7", asked(), isSilent: false))
        _ = model.begin()
        _ = model.handle(.answer(.status(.success(.locked))))
        _ = model.handle(.event(try secret()))
        #expect(model.handle(.answer(.unlocked(refused(.wrongPassword)))) == nil)
        #expect(!model.isVerified)
        // It was opened elsewhere meanwhile.
        #expect(model.handle(.answer(.status(.success(.open))))?.asked == "sign 7 example.com [[3]]")
    }

    @Test func hasTheSystemVerifyWhereTheVaultWantsIt() {
        var model = Model(.sign(record: "7", asked(.required), isSilent: false))
        _ = model.begin()
        #expect(model.handle(.answer(.status(.success(.open))))?.asked == "sign 7 example.com [[3]]")
        guard case .verify(_, isRequired: true)? = model.handle(.answer(.signed(refused(.notVerified)))) else {
            Issue.record("nobody is asked to verify")
            return
        }
        #expect(model.handle(.verification(.verified))?.asked == "sign 7 example.com [[3]] verified")
    }

    @Test func asksForTheMasterPasswordOfAnOpenVaultWhereNothingElseCanVerify() throws {
        var model = Model(.sign(record: "7", asked(.required), isSilent: false))
        _ = model.begin()
        _ = model.handle(.answer(.status(.success(.open))))
        _ = model.handle(.answer(.signed(refused(.notVerified))))
        #expect(model.handle(.verification(.unavailable)) == nil)
        #expect(form(model)?.title == "Confirm it’s you")
        _ = model.handle(.event(try secret()))
        #expect(model.handle(.answer(.unlocked(.success(()))))?.asked == "sign 7 example.com [[3]] verified")
    }

    @Test func whoIsNotVerifiedGetsNoSignature() {
        var model = Model(.sign(record: "7", asked(.required), isSilent: false))
        _ = model.begin()
        _ = model.handle(.answer(.status(.success(.open))))
        _ = model.handle(.answer(.signed(refused(.notVerified))))
        #expect(model.handle(.verification(.refused))?.cancelled == .userCanceled)
    }

    @Test func aVaultThatWantsMoreThanThereIsEndsTheRequest() {
        var model = Model(.sign(record: "7", asked(.required, isVerified: true), isSilent: false))
        _ = model.begin()
        _ = model.handle(.answer(.status(.success(.open))))
        #expect(model.handle(.answer(.signed(refused(.notVerified))))?.cancelled == .failed)
    }

    // MARK: - The list

    private func listing() -> ItemListing {
        ItemListing(
            passkeys: [passkey("ada", id: 3), passkey("grace", id: 4)], matches: [], items: [.example("a")], total: 1)
    }

    private func shown(isVerified: Bool = false, allowed: [Data] = []) -> Model {
        let services = [ASCredentialServiceIdentifier(identifier: "example.com", type: .domain)]
        var model = Model(.list(services, passkeys: asked(isVerified: isVerified, allowed: allowed)))
        _ = model.begin()
        _ = model.handle(.answer(.status(.success(.open))))
        _ = model.handle(.answer(.list(.success(listing()))))
        return model
    }

    @Test func asksForThePasskeysThatWillDo() {
        var model = Model(.list([], passkeys: asked()))
        _ = model.begin()
        #expect(model.handle(.answer(.status(.success(.open))))?.asked == "list [] example.com")
    }

    @Test func listsPasskeysFirst() {
        guard case .list(let list)? = shown().interface else {
            Issue.record("no list")
            return
        }
        #expect(list.sections.map(\.title) == ["Passkeys for example.com", "All passwords"])
        #expect(list.sections.map { $0.rows.map(\.title) } == [["ada", "grace"], ["a"]])
        #expect(list.sections[0].rows.map(\.service) == ["example.com", "example.com"])
    }

    @Test func signsWithTheOneOfSeveralThatWasChosen() {
        var model = shown(isVerified: true, allowed: [Data([3]), Data([4])])
        #expect(
            model.handle(.event(.chose(row: "passkey:passkey-grace")))?.asked
                == "sign passkey-grace example.com [[4]] verified")
    }

    @Test func asksWhetherThePersonWantsToBeVerifiedBeforeItSigns() {
        var model = shown()
        guard
            case .verify(account: "ada", isRequired: false)? = model.handle(.event(.chose(row: "passkey:passkey-ada")))
        else {
            Issue.record("nobody asks")
            return
        }
        #expect(model.handle(.verification(.unwanted))?.asked == "sign passkey-ada example.com [[3]]")
    }

    @Test func givesThePasswordThatWasChosenInstead() {
        var model = shown()
        #expect(model.handle(.event(.chose(row: "item:id-a")))?.asked == "password id-a")
    }

    @Test(arguments: ["passkey:other", "passkey:id-a", "passkey:"]) func knowsOnlyThePasskeysOfTheList(row: String) {
        var model = shown()
        #expect(model.handle(.event(.chose(row: row))) == nil)
    }

    // MARK: - A new passkey

    @Test func makesNothingBeforeThePersonAgrees() {
        var model = Model(.make(wanted(), isSilent: false))
        #expect(model.begin()?.asked == "status")
        #expect(model.handle(.answer(.status(.success(.open)))) == nil)
        guard case .message(let message)? = model.interface else {
            Issue.record("no question")
            return
        }
        #expect(message.text.contains("“ada”") && message.text.contains("example.com"))
        #expect(model.handle(.event(.activated(action: "save")))?.asked == "make ada")
        guard case .made(credential)? = model.handle(.answer(.made(.success(credential)))) else {
            Issue.record("not completed")
            return
        }
    }

    @Test func theMasterPasswordIsTypedBesideWhatItIsFor() throws {
        var model = Model(.make(wanted(), isSilent: false))
        _ = model.begin()
        _ = model.handle(.answer(.status(.success(.locked))))
        let shown = try #require(form(model))
        #expect(shown.title == "Save a passkey" && shown.explanation?.contains("“ada” at example.com") == true)
        _ = model.handle(.event(try secret()))
        #expect(model.handle(.answer(.unlocked(.success(()))))?.asked == "make ada verified")
    }

    @Test func saysThatAnExcludedOneIsThere() {
        var model = Model(.make(wanted(), isSilent: false))
        _ = model.begin()
        _ = model.handle(.answer(.status(.success(.open))))
        _ = model.handle(.event(.activated(action: "save")))
        #expect(model.handle(.answer(.made(refused(.exists))))?.cancelled == .matchedExcludedCredential)
    }

    @Test func asksNobodyToMendWhatTheSiteWants() {
        var model = Model(.make(wanted(), isSilent: false))
        _ = model.begin()
        _ = model.handle(.answer(.status(.success(.open))))
        _ = model.handle(.event(.activated(action: "save")))
        #expect(model.handle(.answer(.made(refused(.invalidParameters))))?.cancelled == .failed)
    }

    @Test func verifiesBeforeItMakesWhereTheVaultWantsIt() {
        var model = Model(.make(wanted(), isSilent: false))
        _ = model.begin()
        _ = model.handle(.answer(.status(.success(.open))))
        _ = model.handle(.event(.activated(action: "save")))
        guard case .verify(account: "ada", isRequired: true)? = model.handle(.answer(.made(refused(.notVerified))))
        else {
            Issue.record("nobody is asked to verify")
            return
        }
        #expect(model.handle(.verification(.verified))?.asked == "make ada verified")
    }

    @Test func aConditionalOneAsksNobody() {
        var model = Model(.make(wanted(), isSilent: true))
        #expect(model.begin()?.asked == "make ada conditional")
        #expect(model.interface == nil)
    }

    @Test(arguments: [ProtocolError.Code.locked, .exists, .refused, .notVerified, .notFound])
    func aConditionalOneThatIsNotDueJustFails(reason: ProtocolError.Code) {
        var model = Model(.make(wanted(), isSilent: true))
        _ = model.begin()
        #expect(model.handle(.answer(.made(refused(reason))))?.cancelled == .failed)
        #expect(model.interface == nil)
    }

    @Test func agreesToNothingThatIsNotShown() {
        var model = Model(.make(wanted(), isSilent: false))
        #expect(model.handle(.event(.activated(action: "save"))) == nil)
    }
}
