package import AutoFillProtocol
package import AutoFillWire

extension SavePassword: DocumentedMethod {
    package static let summary =
        "Offers one provider a password to keep; of a browser's, the person is asked first, in a window of the system's."
    package static var sample: (parameters: Parameters, result: Result) {
        get throws {
            (
                Parameters(
                    password: PasswordToSave(
                        service: ServiceIdentifier("https://example.com/join", kind: .url), user: "ada",
                        password: try .sample(), session: "9d0f", event: .formDidDisappear), provider: nil,
                    presents: false),
                Result(provider: .sample, outcome: .saved)
            )
        }
    }
}

extension GeneratePasswords: DocumentedMethod {
    package static let summary = "Passwords that one provider proposes for a service; nothing is kept by it."
    package static var sample: (parameters: Parameters, result: Result) {
        get throws {
            (
                Parameters(
                    request: PasswordsToGenerate(
                        service: ServiceIdentifier("https://example.com/join", kind: .url),
                        passwordRules: "minlength: 12;"), provider: nil, presents: false),
                Result(passwords: [ProposedPassword(kind: "STRONG", value: try .sample())], provider: .sample)
            )
        }
    }
}

extension SavingSupport: DocumentedMethod {
    package static let summary = "Whether an enabled provider keeps passwords, and whether one proposes some."
    package static var sample: (parameters: Nothing, result: Result) {
        (Nothing(), Result(saves: true, generates: true))
    }
}

extension ListUnsavedSites: DocumentedMethod {
    package static let summary = "The sites whose passwords are never asked about."
    package static var sample: (parameters: Nothing, result: Result) { (Nothing(), Result(sites: ["example.com"])) }
}

extension ChangePasswordPage: DocumentedMethod {
    package static let summary = "Where one changes the password of a site; nothing is fetched."
    package static var sample: (parameters: Parameters, result: Result) {
        (
            Parameters(service: ServiceIdentifier("https://example.com/account", kind: .url)),
            Result(address: "https://example.com/.well-known/change-password", isKnown: false)
        )
    }
}

extension AskAboutSite: DocumentedMethod {
    package static let summary = "Has the person asked again about the passwords of a site."
    package static var sample: (parameters: Parameters, result: Nothing) {
        (Parameters(site: "example.com"), Nothing())
    }
}

extension SetUpCode: DocumentedMethod {
    package static let summary =
        "Offers one provider what makes one-time codes; the person is asked first, in a window of the system's."
    package static var sample: (parameters: Parameters, result: Result) {
        get throws {
            (
                Parameters(code: CodeToSetUp(issuer: "Example", account: "ada", link: try .sample()), provider: nil),
                Result(provider: .sample)
            )
        }
    }
}
