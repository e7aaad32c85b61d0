import AutoFillProtocol
import SheetInterface

/// One sheet of each kind, in the languages that there are, with texts that are as long as they get.
struct Samples {
    let sheets: [(name: String, sheet: Sheet)]

    init(_ language: SheetLanguage) throws {
        let words = SampleWords.of(language.tag)
        let provider = ProviderReference(identifier: "org.keyway.passwords", name: words.provider)
        let header = SheetHeader(provider: provider, service: "accounts.example.com")
        let long = SheetHeader(
            provider: ProviderReference(
                identifier: "com.example.a-manager-with-a-very-long-name.extension",
                name: "The Password Manager With A Remarkably Long Name"),
            service: "a.very.long.host.name.that.does.not.fit.login.example.com")
        let rows = (1...60).map { number in
            InterfaceList.Row(
                id: "\(number)", title: "ada.lovelace\(number)@example.com", subtitle: "host\(number).example.com")
        }
        let form = InterfaceForm(
            title: words.unlock, explanation: words.explanation,
            fields: [.init(id: "master", label: words.password, kind: .secure)], submitTitle: words.open)
        var wrong = form
        wrong.error = words.wrong
        let save = InterfaceForm(
            title: words.save,
            fields: [
                .init(id: "user", label: words.user, kind: .text(initial: "ada@example.com")),
                .init(id: "password", label: words.password, kind: .secure),
            ], submitTitle: words.save)
        let matches = InterfaceList.Section(title: words.matches, rows: Array(rows.prefix(2)))
        let others = InterfaceList.Section(title: words.others, rows: Array(rows.dropFirst(2)))
        sheets =
            [
                ("list", try Sheet(header: header, interface: .list(.init(title: "", sections: [matches, others])))),
                (
                    "list-empty",
                    try Sheet(header: long, interface: .list(.init(title: words.matches, sections: [])))
                ),
                ("form", try Sheet(header: header, interface: .form(form))),
                ("form-error", try Sheet(header: header, interface: .form(wrong))),
                (
                    "configuration",
                    try Sheet(
                        header: SheetHeader(provider: provider, service: nil, isConfiguration: true),
                        interface: .form(save)
                    )
                ),
                (
                    "message",
                    try Sheet(
                        header: header,
                        interface: .message(
                            .init(
                                title: words.unlock, text: words.explanation, style: .warning,
                                actions: [.init(id: "a", title: words.open), .init(id: "b", title: words.others)])))
                ),
                (
                    "progress",
                    try Sheet(
                        header: header,
                        interface: .progress(.init(title: words.unlock, text: words.explanation, fraction: 0.4)))
                ),
            ] + Self.questions(provider, words).map { ($0, Sheet($1, in: language)) }
    }

    /// What a provider declares that keeps its entries in files.
    private static var declared: DeclaredSandbox {
        var sandbox = DeclaredSandbox()
        sandbox.readPaths = ["$GNUPGHOME", "~/.gitconfig", "$XDG_CONFIG_HOME/git"]
        sandbox.writePaths = ["$PASSWORD_STORE_DIR", "$XDG_CONFIG_HOME/keyway-password-store"]
        sandbox.sockets = ["$XDG_RUNTIME_DIR/gnupg"]
        sandbox.programs = ["gpg", "git", "/usr/lib/git-core"]
        sandbox.network = true
        return sandbox
    }

    /// What Passwords declares.
    private static var ofPasswords: DeclaredSandbox {
        var sandbox = DeclaredSandbox()
        sandbox.systemBus = true
        return sandbox
    }

    /// Every question of the system's own.
    private static func questions(
        _ provider: ProviderReference, _ words: SampleWords
    ) -> [(String, AskPerson.Question)] {
        // What was wrong is said by the broker, in its words.
        let methods: [(String, VerificationMethod, String?)] = [
            ("pin", .pin, nil), ("pin-error", .pin, "Wrong PIN. Try again."),
            ("fingerprint", .fingerprint, nil),
            ("fingerprint-error", .fingerprint, "Couldn’t read the fingerprint. Try again."),
            ("system", .system, nil), ("login", .loginPassword, nil),
            ("login-error", .loginPassword, "Wrong login password. Try again."),
            ("master", .masterPassword, nil),
        ]
        var verifications = methods.map { name, method, error -> (String, AskPerson.Question) in
            (
                "verification-\(name)",
                .verification(
                    .init(
                        provider: provider, service: "accounts.example.com", account: "ada@example.com",
                        method: method, error: error))
            )
        }
        verifications += [
            (
                "verification-reason",
                .verification(
                    .init(
                        provider: provider, service: "accounts.example.com", account: nil, reason: words.explanation,
                        method: .pin))
            ),
            (
                "verification-rules",
                .verification(
                    .init(
                        provider: nil, service: nil, account: nil, reason: "to change when Keyway verifies you",
                        method: .pin))
            ),
        ]
        return verifications + [
            (
                "consent",
                .consent(
                    .init(
                        program: "Chromium", path: "/usr/lib/chromium/chromium", profile: "Ada (Profile 1)",
                        isKnown: true, permissions: [.seeAccounts, .receiveCredentials]))
            ),
            (
                "consent-unknown",
                .consent(
                    .init(
                        program: "helper", path: "/home/ada/.local/share/some-application/versions/12.4.1/bin/helper",
                        permissions: AskPerson.Permission.allCases))
            ),
            (
                "other-site",
                .otherSite(
                    .init(
                        provider: provider, account: "ada.lovelace@example.com", accountService: "accounts.example.com",
                        service: "accounts.example.com.login.a-very-long-name-of-another.example.org"))
            ),
            (
                "saving",
                .saving(
                    .init(
                        account: "ada.lovelace@example.com", service: "https://accounts.example.com", isEncrypted: true,
                        provider: provider, replaces: false))
            ),
            (
                "replacing",
                .saving(
                    .init(
                        account: "ada.lovelace@example.com", service: "http://accounts.example.com", isEncrypted: false,
                        provider: provider, replaces: true))
            ),
            (
                "codes",
                .settingUpCode(.init(issuer: "Example", account: "ada.lovelace@example.com", provider: provider))
            ),
            (
                "enabling",
                .enabling(
                    .init(
                        provider: .init(identifier: "org.example.password-store", name: "Password Store"),
                        path: "/home/ada/.local/share/keyway/providers/PasswordStore.appex",
                        reaches: Self.declared.reaches,
                        isUnconfined: false, isReadable: true))
            ),
            (
                "first-run",
                .settingUp(
                    .init(
                        provider: .init(
                            provider: provider, path: "/usr/share/keyway/providers/Passwords.appex",
                            reaches: Self.ofPasswords.reaches, isUnconfined: false)))
            ),
            ("first-run-master", .newMasterPassword(.init(provider: provider))),
            ("first-run-pin", .newPIN(.init())),
            (
                "first-run-done",
                .isSetUp(.init(provider: provider, hasPIN: true, hasFingerprint: true, browser: "Chromium"))
            ),
            (
                "enabling-unconfined",
                .enabling(
                    .init(
                        provider: provider, path: "/usr/share/keyway/Passwords.appex", reaches: [], isUnconfined: true))
            ),
        ]
    }
}

/// What a provider would say in a language.
struct SampleWords {
    let provider: String
    let unlock: String
    let explanation: String
    let password: String
    let open: String
    let wrong: String
    let user: String
    let save: String
    let matches: String
    let others: String

    static func of(_ tag: String) -> SampleWords {
        switch tag {
        case "de":
            SampleWords(
                provider: "Passwörter", unlock: "Passwörter entsperren",
                explanation: "Der Tresor ist gesperrt. Geben Sie das Hauptpasswort ein, um ihn zu öffnen.",
                password: "Hauptpasswort", open: "Entsperren",
                wrong: "Das Passwort ist falsch. Versuchen Sie es noch einmal.", user: "Benutzername",
                save: "Passwort speichern", matches: "Passend zu dieser Website", others: "Alle anderen Konten")
        case "ar":
            SampleWords(
                provider: "كلمات المرور", unlock: "فتح كلمات المرور",
                explanation: "الخزنة مقفلة. أدخل كلمة المرور الرئيسية لفتحها.", password: "كلمة المرور الرئيسية",
                open: "فتح", wrong: "كلمة المرور غير صحيحة. حاول مرة أخرى.", user: "اسم المستخدم",
                save: "حفظ كلمة المرور", matches: "مطابقة لهذا الموقع", others: "كل الحسابات الأخرى")
        default:
            SampleWords(
                provider: "Passwords", unlock: "Unlock Passwords",
                explanation: "The vault is locked. Enter your master password to open it.",
                password: "Master Password", open: "Unlock", wrong: "The password is wrong. Try again.",
                user: "User Name", save: "Save Password", matches: "For This Site", others: "All Other Accounts")
        }
    }
}
