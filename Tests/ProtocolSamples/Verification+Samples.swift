package import AutoFillProtocol
package import AutoFillWire

extension VerificationState: DocumentedMethod {
    package static let summary = "How the person can be verified on this machine, and when that is done."
    package static var sample: (parameters: Nothing, result: Result) {
        (
            Nothing(),
            Result(
                methods: [
                    VerificationMethodState(
                        method: .fingerprint, isAvailable: false,
                        detail: "No finger is enrolled. Run: fprintd-enroll", obstacle: .notSetUp)
                ], settings: VerificationSettings())
        )
    }
}

extension ChangeVerification: DocumentedMethod {
    package static let summary = "When the person is verified; asks for a verification itself where there is a method."
    package static var sample: (parameters: Parameters, result: Nothing) {
        (Parameters(settings: VerificationSettings(rule: .always)), Nothing())
    }
}

extension ChangePIN: DocumentedMethod {
    package static let summary = "Sets, changes or removes the PIN of Keyway; the person is verified first."
    package static var sample: (parameters: Parameters, result: Nothing) {
        get throws { (Parameters(pin: try .sample()), Nothing()) }
    }
}

extension VerifyForImport: DocumentedMethod {
    package static let summary =
        "Verifies the person before what a browser has stored is read for an import; where nothing is set up, nobody is asked."
    package static var sample: (parameters: Parameters, result: Nothing) {
        (Parameters(source: "Firefox (default-release)"), Nothing())
    }
}

extension VerifyPerson: DocumentedMethod {
    package static let summary =
        "Verifies the person for a provider while it answers a request; fails with `cancelled` or `notVerified`."
    package static var sample: (parameters: Parameters, result: Result) {
        (
            Parameters(policy: .any, reason: "to show the password of example.com"),
            Result(methods: [VerificationMethodState(method: .pin, isAvailable: true)], method: .pin)
        )
    }
}

extension CheckMasterPassword: DocumentedMethod {
    package static let summary = "Whether this is the master password; unlocks nothing."
    package static var sample: (parameters: Parameters, result: Result) {
        get throws {
            (
                Parameters(password: try .sample()),
                Result(isRight: true, vault: String(repeating: "7e", count: 32))
            )
        }
    }
}
