package import AutoFillProtocol
import AutoFillWire

extension SetUpState: DocumentedMethod {
    package static let summary =
        "Whether a browser may offer to set Keyway up: no provider is on, and the person has not said no to it."
    package static var sample: (parameters: Parameters, result: Result) { (Nothing(), Result(isOffered: true)) }
}

extension SetUp: DocumentedMethod {
    package static let summary =
        "Sets Keyway up in windows of the system's: turns on the provider in the box, with a master password, and a PIN if wanted."
    package static var sample: (parameters: Parameters, result: Result) {
        (Parameters(isPrivate: false), Result(outcome: .done))
    }
}

extension FinishSetUp: DocumentedMethod {
    package static let summary =
        "Keyway was set up in a terminal: nothing is left of what was begun or turned down in a browser."
    package static var sample: (parameters: Parameters, result: Result) { (Nothing(), Nothing()) }
}

extension CreateMasterPassword: DocumentedMethod {
    package static let summary = "Makes what a master password protects, where there is nothing yet."
    package static var sample: (parameters: Parameters, result: Result) {
        get throws { (Parameters(password: try .sample()), Nothing()) }
    }
}
