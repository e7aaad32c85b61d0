package import AutoFillProtocol
import AutoFillWire
import FoundationEssentials
import WebAuthnValues

extension AuthorizeApplication: DocumentedMethod {
    package static let summary =
        "One credential for an app, which the person chooses; a site's file says which apps are its own, and the person "
        + "is asked about all others."
    package static var sample: (parameters: Parameters, result: Result) {
        get throws {
            (
                Parameters(
                    requests: [
                        .password,
                        .assertion(
                            ApplicationAssertion(
                                relyingParty: "example.com", challenge: Data([1]), userVerification: .preferred)),
                    ], domains: ["example.com"]),
                Result(request: 0, credential: .password(user: "ada", password: try .sample()))
            )
        }
    }
}

extension AuthorizationWaiting: DocumentedNotification {
    package static let summary =
        "What the person must type before an app's request can go on, where no window can be shown."
    package static var sample: Parameters { Parameters(request: 7, command: "keyway answer") }
}

extension AnswerApplication: DocumentedMethod {
    package static let summary =
        "Puts the request of an app, which waits because no window can be shown, to the person in this terminal."
    package static var sample: (parameters: Parameters, result: Result) {
        (
            Parameters(presents: true),
            Result(program: "example", path: "/usr/bin/example", service: "example.com", isGiven: true)
        )
    }
}
