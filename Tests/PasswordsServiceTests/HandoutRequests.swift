import AutoFillProtocol
import AutoFillWire
import FoundationEssentials
import PasswordsProtocol

/// What can be asked of the vault's service: each of its methods, with what the broker is asked before it is answered, or
/// why it is asked nothing.
enum HandoutRequests {
    /// What the broker is asked first.
    enum Question {
        case use, replacement, names, secrets

        init?(_ purpose: PermitService.Purpose?) {
            switch purpose {
            case .use: self = .use
            case .replacement: self = .replacement
            case .names: self = .names
            case .account: self = .secrets
            case .export, .comparison, nil: return nil
            }
        }
    }

    /// A request, of an item that is there, called Example.
    struct Request: Sendable {
        let method: String
        let label: String
        let client: ServiceClient
        /// Sends it; the text is the identifier of the item.
        let send: @Sendable (Connection, String) async throws -> Void

        init<M: RemoteMethod>(
            _ method: M.Type, _ label: String = "", from client: ServiceClient = TestService.terminal,
            _ parameters: @escaping @Sendable (_ identifier: String) throws -> M.Parameters
        ) {
            self.method = M.name
            self.label = label.isEmpty ? M.name : "\(M.name) \(label)"
            self.client = client
            send = { connection, identifier in _ = try await connection.call(method, parameters(identifier)) }
        }
    }

    /// Methods that ask nothing, and why.
    static let exempt = [
        "vault.status": "says whether the vault is open, and nothing of what is in it",
        "vault.create": "there is nothing yet that it could hand out",
        "vault.unlock": "takes the master password, and hands nothing out",
        "vault.lock": "takes everything away, and gives nothing",
        "vault.backUp": "its copy is sealed as the vault's file is, which every program of the person's can read",
        "vault.noteBackup": "notes a time, and hands nothing out",
        "vault.checkBackup": "takes a file and its master password, and says nothing of the vault but how old it is",
        "passwords.generate": "what it draws was never in the vault",
    ]

    private static let example = ItemName("Example")
    private static let missing = ItemName("Exampel")
    private static let page = ServiceIdentifier("https://example.com", kind: .url)

    private static func change(_ title: String?) throws -> ItemChange {
        var change = ItemChange()
        change.title = title
        change.user = "eve"
        return change
    }

    /// Everything that asks, by what it asks first.
    static let guarded: [(Question, Request)] = [
        (.names, Request(SearchItems.self) { _ in .init(text: "") }),
        (.names, Request(MatchItems.self) { _ in .init(services: [page]) }),
        (.names, Request(ShowItem.self) { _ in .init(item: example, parts: []) }),
        (.secrets, Request(ShowItem.self, "with secrets") { _ in .init(item: example, parts: [.password]) }),
        (.names, Request(ShowItem.self, "of what is not there") { _ in .init(item: missing, parts: [.password]) }),
        (.names, Request(ShowSection.self) { _ in .init(item: example, section: 1, opens: false) }),
        (.secrets, Request(ShowSection.self, "with secrets") { _ in .init(item: example, section: 1, opens: true) }),
        (.secrets, Request(ReadFile.self) { _ in .init(item: example, file: "a") }),
        (.names, Request(ReadFile.self, "of what is not there") { _ in .init(item: missing, file: "a") }),
        (.names, Request(AttachFile.self) { _ in .init(item: example, name: "a", content: try sealed("x")) }),
        (.use, Request(AddItem.self) { _ in .init(item: try change("Other")) }),
        (.names, Request(EditItem.self) { _ in .init(item: example, change: try change(nil)) }),
        (.names, Request(EditItem.self, "of what is not there") { _ in .init(item: missing, change: try change(nil)) }),
        (.names, Request(RemoveItem.self) { _ in .init(item: example) }),
        (.names, Request(RestoreItem.self) { _ in .init(item: example) }),
        (.names, Request(FindCodes.self) { _ in .init(services: [page]) }),
        (.secrets, Request(MakeCode.self) { .init(item: $0) }),
        (.secrets, Request(ShowCodeLink.self) { _ in .init(item: example) }),
        (.names, Request(ShowCodeLink.self, "of what is not there") { _ in .init(item: missing) }),
        (.names, Request(FindPasskeys.self) { _ in .init(relyingParty: "example.com") }),
        (
            .use,
            Request(ChangeMasterPassword.self) { _ in
                .init(old: try sealed(TestService.masterPassword), new: try sealed("another one"))
            }
        ),
        (.use, Request(RenewVaultKey.self) { _ in .init(masterPassword: try sealed(TestService.masterPassword)) }),
        (
            .replacement,
            Request(RestoreBackup.self) { _ in
                .init(file: try file("x"), masterPassword: try sealed("x"), replaces: true, acceptsOlderCopy: true)
            }
        ),
        // Documents in which nothing is compared with the vault: that would be asked for by itself.
        (.names, Request(CompareDocument.self) { _ in .init(document: try document([login("Other", "eve", "x")])) }),
        (
            .names,
            Request(ImportDocument.self) { _ in
                .init(document: try document([login("Other", "eve", "x")]), conflicts: .keepBoth)
            }
        ),
        (.names, Request(UndoImport.self) { _ in Nothing() }),
        // A guess of the master password is not judged for who is refused: what comes out is asked for by itself.
        (.use, Request(ExportDocument.self) { _ in .init(masterPassword: try sealed("a guess")) }),
        (
            .use,
            Request(HandOverDocument.self, from: .extensionForTerminal(TestService.session(100))) { _ in
                .init(masterPassword: try sealed("a guess"))
            }
        ),
    ]

    /// What only the provider's extension may ask, whose requests the broker judges itself.
    static let ofTheExtension = [
        Request(KeepCode.self) {
            .init(
                link: try sealed("otpauth://totp/Example:ada?secret=JBSWY3DPEHPK3PXP&issuer=Example"),
                issuer: "Example", account: "ada", item: $0)
        },
        Request(SignWithPasskey.self) {
            .init(
                item: $0,
                request: PasskeyRequestParameters(
                    relyingParty: "example.com",
                    assertion: PasskeyAssertion(
                        clientDataHash: Connection.clientDataHash, userVerification: .preferred),
                    isPersonVerified: true))
        },
        Request(MakePasskey.self) { _ in
            .init(
                registration: PasskeyRegistration(
                    relyingParty: "example.com", userName: "ada", userHandle: Data([1]),
                    clientDataHash: Connection.clientDataHash, userVerification: .preferred, algorithms: [-7],
                    isPersonVerified: true),
                isConditional: false)
        },
        Request(KeepPassword.self) { _ in .init(service: page, user: "ada", password: try sealed("x")) },
        Request(HearReport.self) { _ in .init(report: .passwordUnused(domain: "example.com", userName: "ada")) },
    ]
}
