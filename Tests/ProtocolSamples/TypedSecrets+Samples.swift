package import AutoFillProtocol
import AutoFillWire

extension PINAccess {
    static var sample: PINAccess {
        get throws { PINAccess(key: try .sample(), changes: 12) }
    }
}

extension TypedSecretState: DocumentedMethod {
    package static let summary = "How PIN and password of the login are, asked of `keyway-person-check`."
    package static var sample: (parameters: Parameters, result: Result) {
        get throws { (Parameters(access: try .sample), Result(pin: .waiting(seconds: 30), loginObstacle: nil)) }
    }
}

extension CountPINTry: DocumentedMethod {
    package static let summary =
        "Counts a try at the PIN before it is looked at; asked of `keyway-person-check`. What the broker can't note is no try."
    package static var sample: (parameters: Parameters, result: Result) {
        get throws { (Parameters(access: try .sample), Result(changes: 13)) }
    }
}

extension CheckTypedSecret: DocumentedMethod {
    package static let summary = "Whether what the person typed is right; asked of `keyway-person-check`."
    package static var sample: (parameters: Parameters, result: Result) {
        get throws {
            (
                Parameters(kind: .pin(try .sample), secret: try .sample()),
                Result(outcome: .wrong("That is not the PIN."), changes: 13)
            )
        }
    }
}

extension ReplacePIN: DocumentedMethod {
    package static let summary = "Sets or removes the PIN; asked of `keyway-person-check` after a verification."
    package static var sample: (parameters: Parameters, result: Result) {
        get throws { (Parameters(access: try .sample, pin: try .sample()), Result(changes: 13)) }
    }
}
