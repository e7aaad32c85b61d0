import AuthenticationServices
import AutoFillProtocol
import PasswordsProtocol

/// What the extension does, as a state machine without a process, a socket or a screen.
///
/// It is told what happened, and says what to do next and what to show.
struct PasswordsModel {
    /// What the system asked for.
    enum Request: Sendable {
        /// One item, without an interface.
        case silently(record: String?)
        /// One item, with an interface.
        case openly(record: String?)
        /// A choice.
        case list([ASCredentialServiceIdentifier])
    }

    /// What happened.
    enum Input: Sendable {
        case event(InterfaceEvent)
        case answer(VaultAnswer)
    }

    /// What to do next.
    enum Effect: Sendable {
        case ask(VaultQuestion)
        case complete(user: String, password: SealedPassword)
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
        /// Something that the person must know and do something about, before another try.
        case message(title: String, text: String, isError: Bool)
    }

    private(set) var screen = Screen.none
    private let request: Request
    private var chosen: String?
    private var listing = ItemListing()
    private var searched = ""

    /// A model that has not begun.
    init(_ request: Request) {
        self.request = request
        switch request {
        case .silently(let record), .openly(let record): chosen = record
        case .list: chosen = nil
        }
    }

    /// The services that the choice is for.
    var services: [ASCredentialServiceIdentifier] {
        if case .list(let services) = request { services } else { [] }
    }

    /// Whether nothing may be shown.
    private var isSilent: Bool {
        if case .silently = request { true } else { false }
    }

    /// Whether the person may be asked something.
    var mayAskPerson: Bool { !isSilent }

    // MARK: What happens

    /// The first step.
    func begin() -> Effect {
        switch request {
        case .silently(nil), .openly(nil): .cancel(.credentialIdentityNotFound, reason: nil)
        case .silently(.some(let record)): .ask(.password(record: record))
        case .openly, .list: .ask(.status)
        }
    }

    /// The next step after `input`.
    mutating func handle(_ input: Input) -> Effect? {
        switch input {
        case .event(.submitted(let values)): submitted(values)
        case .event(.chose(let row)): chose(row)
        case .event(.searched(let text)): searched(text)
        case .event(.activated(action: PasswordsScreens.againAction)): again()
        case .event(.activated), .event(.cancelled): nil
        case .answer(.status(let result)): arrived(result)
        case .answer(.unlocked(let result)): unlocked(result)
        case .answer(.password(let result)): arrived(result)
        case .answer(.list(let result)): arrived(result)
        case .answer(.found(let text, let result)): found(text, result)
        }
    }

    // MARK: What the person did

    private mutating func submitted(_ values: [String: InterfaceValue]) -> Effect? {
        guard case .unlocking = screen, case .secret(let secret)? = values[PasswordsScreens.masterField] else {
            return nil
        }
        guard secret.count > 0 else {
            screen = .unlocking(error: "Type the master password.")
            return nil
        }
        screen = .deriving
        return .ask(.unlock(secret))
    }

    private mutating func chose(_ row: String) -> Effect? {
        guard case .list = screen, let record = PasswordsScreens.record(ofRow: row) else { return nil }
        chosen = record
        return .ask(.password(record: record))
    }

    private mutating func searched(_ text: String) -> Effect? {
        guard case .list = screen else { return nil }
        searched = text
        guard !text.isEmpty else {
            screen = .list(listing, search: nil)
            return nil
        }
        return .ask(.search(text))
    }

    private mutating func again() -> Effect? {
        guard case .message = screen else { return nil }
        if case .list = request { chosen = nil }
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
        case .success: return proceed()
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

    private func proceed() -> Effect {
        if let chosen { return .ask(.password(record: chosen)) }
        return .ask(.list(services.map { ServiceIdentifier($0) }))
    }

    private mutating func arrived(
        _ result: Result<(user: String, password: SealedPassword), ProtocolError>
    ) -> Effect? {
        switch result {
        case .success(let credential): return .complete(user: credential.user, password: credential.password)
        case .failure(let error): return failed(error)
        }
    }

    private mutating func failed(_ error: ProtocolError) -> Effect? {
        switch error.code {
        case .locked, .interactionRequired:
            if isSilent { return .cancel(.userInteractionRequired, reason: nil) }
            screen = .unlocking(error: nil)
        case .notFound:
            guard case .list = request else {
                return .cancel(.credentialIdentityNotFound, reason: nil)
            }
            screen = PasswordsScreens.goneItem
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
            screen = listing.total == 0 ? PasswordsScreens.emptyVault : .list(listing, search: nil)
            return nil
        case .failure(let error): return failed(error)
        }
    }

    private mutating func found(_ text: String, _ result: Result<ItemListing, ProtocolError>) -> Effect? {
        guard text == searched, case .list = screen else { return nil }
        switch result {
        case .success(let listing):
            screen = .list(listing, search: text)
            return nil
        case .failure(let error): return failed(error)
        }
    }
}
