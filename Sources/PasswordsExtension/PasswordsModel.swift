import AuthenticationServices
import AutoFillProtocol
import KeywaySystem
import PasswordsProtocol

/// The logic of the extension, as a state machine without a process, a socket or a screen.
///
/// It receives events, and returns what to do next and what to show.
struct PasswordsModel {
    /// What the system asked for.
    enum Request: Sendable {
        /// One item, without an interface.
        case silently(record: String?)
        /// One item, with an interface.
        case openly(record: String?)
        /// A choice, of passkeys too where one is wanted.
        case list([ASCredentialServiceIdentifier], passkeys: PasskeyRequestParameters? = nil)
        /// A text for some field, of any item.
        case text
        /// A signature with one passkey.
        case sign(record: String?, PasskeyRequestParameters, isSilent: Bool)
        /// A new passkey; where nobody may be asked, only if it is due.
        case make(PasskeyRegistration, isSilent: Bool)
        /// A password to keep.
        case keep(PasswordKeeping, isSilent: Bool)
        /// The one-time code of one item.
        case code(record: String?, isSilent: Bool)
        /// A choice of one-time codes.
        case codes([ASCredentialServiceIdentifier])
        /// What makes one-time codes, to be kept where the person says.
        case setUp(CodeKeeping)
    }

    /// What happened.
    enum Input: Sendable {
        case event(InterfaceEvent)
        case answer(VaultAnswer)
        case verification(Verification)
    }

    /// What came of asking the system to verify the person.
    enum Verification: Sendable {
        case verified
        /// The person does not want to be asked.
        case unwanted
        /// There is no way to.
        case unavailable
        case refused
    }

    /// What to do next.
    enum Effect: Sendable {
        case ask(VaultQuestion)
        case complete(user: String, password: SealedPassword)
        /// The text that was chosen, and the title of its item.
        case insert(SealedPassword, of: String)
        case completeCode(MakeCode.Result)
        case signed(PasskeyAssertionCredential)
        case made(PasskeyRegistrationCredential)
        /// The password is kept.
        case kept
        /// What makes codes is kept.
        case keptCode
        /// Have the system verify the person: because it must be, or where they want that.
        case verify(account: String, isRequired: Bool)
        case cancel(ASExtensionError.Code, reason: String?)
    }

    /// What is shown.
    enum Screen {
        /// Nothing (yet).
        case none
        /// The question for the master password, with what was wrong with the last one.
        case unlocking(error: String?)
        /// The wait while a key is derived.
        case deriving
        /// The list; for a search, with its text.
        case list(ItemListing, search: String?)
        /// The texts of one item, and the list before.
        case texts(ItemTexts, from: ItemListing, search: String?)
        /// The question whether a passkey shall be kept.
        case proposal(PasskeyRegistration)
        /// The question whether another password may go.
        case replacement(PasswordKeeping)
        /// Something that the person must know and do something about, before another try.
        case message(title: String, text: String, isError: Bool)
    }

    /// What the request comes to, once it is known.
    enum Goal {
        case password(record: String)
        case sign(record: String, user: String, PasskeyRequestParameters)
        case make(PasskeyRegistration)
        case keep(PasswordKeeping)
        case code(record: String)
        case setUp(CodeKeeping, record: String?)
    }

    var screen = Screen.none
    let request: Request
    var goal: Goal?
    /// Whether the person was verified in this request, by the system or by typing the master password.
    var isVerified = false
    /// Whether it is known whether the person wants to be verified.
    var isVerificationSettled = false
    /// Whether the person has agreed to what is made.
    var isAgreed = false
    /// Whether the master password is asked for because the person must be verified, the vault being open.
    var verifiesByMasterPassword = false
    /// Whether the person agreed to another password's going.
    var mayReplace = false
    var listing = ItemListing()
    private(set) var searched = ""
    /// How many searches were answered. Whoever searches waits for each answer, also for one that shows the same again.
    private(set) var answeredSearches = 0

    /// A model that has not begun.
    init(_ request: Request) {
        self.request = request
        switch request {
        case .silently(let record), .openly(let record): goal = record.map { .password(record: $0) }
        case .list(_, let passkeys): isVerified = passkeys?.isPersonVerified == true
        case .text: break
        case .sign(let record, let asked, _):
            goal = record.map { .sign(record: $0, user: "", asked) }
            isVerified = asked.isPersonVerified == true
        case .make(let registration, _):
            goal = .make(registration)
            isVerified = registration.isPersonVerified == true
        case .keep(let keeping, _): goal = .keep(keeping)
        case .code(let record, _): goal = record.map { .code(record: $0) }
        case .codes, .setUp: break
        }
    }

    /// The services that the choice is for.
    var services: [ASCredentialServiceIdentifier] {
        switch request {
        case .list(let services, _), .codes(let services): services
        default: []
        }
    }

    /// The passkey that a choice may come to.
    var wantedPasskey: PasskeyRequestParameters? {
        if case .list(_, let passkeys) = request { passkeys } else { nil }
    }

    /// Whether nothing may be shown.
    var isSilent: Bool {
        switch request {
        case .silently: true
        case .openly, .list, .text, .codes, .setUp: false
        case .sign(_, _, let isSilent), .make(_, let isSilent), .keep(_, let isSilent), .code(_, let isSilent): isSilent
        }
    }

    /// Whether the person may be asked something.
    var mayAskPerson: Bool { !isSilent }

    // MARK: What happens

    /// The first step.
    mutating func begin() -> Effect? {
        switch (request, goal) {
        case (.silently, nil), (.openly, nil), (.sign, nil), (.code, nil):
            .cancel(.credentialIdentityNotFound, reason: nil)
        case (_, .some(let goal)) where isSilent: pursue(goal)
        default: .ask(.status)
        }
    }

    /// The next step after `input`.
    mutating func handle(_ input: Input) -> Effect? {
        switch input {
        case .event(.submitted(let values)): submitted(values)
        case .event(.chose(let row)): chose(row)
        case .event(.searched(let text)): searched(text)
        case .event(.activated(action: PasswordsScreens.againAction)): again()
        case .event(.activated(action: PasswordsScreens.saveAction)): agreed()
        case .event(.activated(action: PasswordsScreens.replaceAction)): replaced()
        case .event(.activated), .event(.cancelled): nil
        case .answer(.status(let result)): arrived(result)
        case .answer(.unlocked(let result)): unlocked(result)
        case .answer(.password(let result)): arrived(result)
        case .answer(.list(let result)): arrived(result)
        case .answer(.code(let result)): arrived(result)
        case .answer(.found(let text, let result)): found(text, result)
        case .answer(.texts(let result)): arrived(result)
        case .answer(.text(let result)): arrived(result)
        case .answer(.signed(let result)): arrived(result)
        case .answer(.made(let result)): arrived(result)
        case .answer(.kept(let result)): kept(result)
        case .answer(.keptCode(let result)): keptCode(result)
        case .answer(.reported): nil
        case .verification(let outcome): verified(outcome)
        }
    }

    // MARK: What the person did

    private mutating func submitted(_ values: [String: InterfaceValue]) -> Effect? {
        guard case .unlocking = screen, case .secret(let secret)? = values[PasswordsScreens.masterField] else {
            return nil
        }
        guard secret.count > 0 else {
            screen = .unlocking(error: "Enter the master password.")
            return nil
        }
        screen = .deriving
        return .ask(.unlock(secret))
    }

    private mutating func chose(_ row: String) -> Effect? {
        if case .text = request { return choseText(row) }
        if case .setUp(let keeping) = request { return chosePlace(row, keeping) }
        guard case .list = screen, let record = PasswordsScreens.record(ofRow: row) else { return nil }
        if choosesCode, let code = PasswordsScreens.code(ofRow: row) { return pursue(.code(record: code)) }
        guard PasswordsScreens.isPasskey(row: row) else {
            goal = .password(record: record)
            return .ask(.password(record: record))
        }
        guard let wantedPasskey,
            let item = listing.passkeys.first(where: { item in
                PasswordsScreens.rowID(ofPasskey: item, in: listing.passkeys) == row
            }), let passkey = item.passkey
        else { return nil }
        return pursue(.sign(record: record, user: item.user, wantedPasskey.narrowed(to: passkey.credentialID)))
    }

    private mutating func searched(_ text: String) -> Effect? {
        if case .texts(_, let listing, let search) = screen { screen = .list(listing, search: search) }
        guard case .list = screen else { return nil }
        searched = text
        guard !text.isEmpty else {
            screen = .list(listing, search: nil)
            answeredSearches += 1
            return nil
        }
        if case .text = request { return .ask(.search(text, for: [], nil)) }
        if case .setUp = request { return .ask(.search(text, for: [])) }
        return choosesCode ? codeList(text) : .ask(.search(text, for: services.map { ServiceIdentifier($0) }))
    }

    private mutating func again() -> Effect? {
        guard case .message = screen else { return nil }
        switch request {
        case .list, .codes, .setUp: goal = nil
        default: break
        }
        searched = ""
        return begin()
    }

    // MARK: What the service answered

    private mutating func arrived(_ result: Result<VaultStatus.Access, ProtocolError>) -> Effect? {
        switch result {
        case .success(.open): return proceed()
        case .success(.locked): screen = .unlocking(error: nil)
        case .success(.missing): screen = PasswordsScreens.missingVault
        case .failure(let error): screen = PasswordsScreens.message(for: error)
        }
        return nil
    }

    private mutating func unlocked(_ result: Result<Void, ProtocolError>) -> Effect? {
        switch result {
        case .success:
            isVerified = true
            verifiesByMasterPassword = false
            // What is made stood beside the question.
            isAgreed = true
            return proceed()
        case .failure(let error):
            // What another try may mend is said in the form; the rest ends the asking.
            switch error.code {
            case .wrongPassword, .busy, .timedOut, .tooManyRequests, .invalidParameters:
                screen = .unlocking(error: error.message)
            default: screen = PasswordsScreens.message(for: error)
            }
            return nil
        }
    }

    private mutating func proceed() -> Effect? {
        if let goal { return pursue(goal) }
        if case .text = request { return .ask(.search("", for: [], nil)) }
        if choosesCode { return codeList("") }
        if case .setUp(let keeping) = request { return .ask(.places(keeping)) }
        return .ask(.list(services.map { ServiceIdentifier($0) }, passkeys: wantedPasskey))
    }

    private mutating func arrived(
        _ result: Result<(user: String, password: SealedPassword), ProtocolError>
    ) -> Effect? {
        switch result {
        case .success(let credential): return .complete(user: credential.user, password: credential.password)
        case .failure(let error): return failed(error)
        }
    }

    mutating func failed(_ error: ProtocolError) -> Effect? {
        switch error.code {
        case .locked, .interactionRequired:
            if isSilent { return .cancel(.userInteractionRequired, reason: nil) }
            screen = .unlocking(error: nil)
        case .notFound:
            switch request {
            case .list: screen = PasswordsScreens.goneItem
            case .text: screen = PasswordsScreens.goneText
            case .codes: screen = PasswordsScreens.goneCode
            case .setUp: screen = PasswordsScreens.gonePlace
            default: return .cancel(.credentialIdentityNotFound, reason: nil)
            }
        default:
            if isSilent { return .cancel(.failed, reason: error.message) }
            screen = PasswordsScreens.message(for: error)
        }
        return nil
    }

    private mutating func arrived(_ result: Result<ItemListing, ProtocolError>) -> Effect? {
        switch result {
        case .success(let listing):
            self.listing = listing
            let isEmpty = listing.total == 0 && listing.passkeys.isEmpty && settingUp == nil
            let nothing = choosesCode ? PasswordsScreens.noCodes : PasswordsScreens.emptyVault
            screen = isEmpty ? nothing : .list(listing, search: nil)
            return nil
        case .failure(let error): return failed(error)
        }
    }

    private mutating func found(_ text: String, _ result: Result<ItemListing, ProtocolError>) -> Effect? {
        if case .text = request, text.isEmpty, searched.isEmpty { return arrived(result) }
        guard text == searched, case .list = screen else { return nil }
        switch result {
        case .success(let listing):
            screen = .list(listing, search: text)
            answeredSearches += 1
            return nil
        case .failure(let error): return failed(error)
        }
    }
}
