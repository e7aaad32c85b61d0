package import AutoFillProtocol
import AutoFillWire

extension SavePassword: DocumentedMethod {
    package static let summary = "Offers one provider a password to keep."
    package static var sample: (parameters: Parameters, result: Result) {
        get throws {
            (
                Parameters(
                    password: PasswordToSave(
                        service: ServiceIdentifier("https://example.com/join", kind: .url), user: "ada",
                        password: try .sample(), session: "9d0f", event: .formDidDisappear), provider: nil,
                    presents: false),
                Result(provider: .sample)
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
