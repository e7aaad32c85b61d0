package import AutoFillProtocol
import AutoFillWire

extension PresentationEnd: DocumentedNotification {
    package static let summary = "Takes away what the sheets show for a request, which has ended."
    package static var sample: Parameters { Parameters(request: 7) }
}

extension PresentationAbandoned: DocumentedNotification {
    package static let summary = "The person closed the window of a request: it is to end, whatever the provider does."
    package static var sample: Parameters { Parameters(request: 7) }
}

extension PresentationOpened: DocumentedNotification {
    package static let summary = "What was to be shown is on the screen now; for benchmarks and logs."
    package static var sample: Parameters { Parameters(request: 7) }
}

extension CheckSheets: DocumentedMethod {
    package static let summary = "Whether the sheets are at work; those that do not answer are ended."
    package static var sample: (parameters: Parameters, result: Result) { (Parameters(), Result()) }
}

extension AskPerson: DocumentedMethod {
    package static let summary =
        "A question of the system's own to the person: consent to a program, who is there, another site's account. "
        + "`cancel` takes it back."
    package static var sample: (parameters: Parameters, result: Result) {
        let consent = Consent(
            program: "Chromium", path: "/usr/lib/chromium/chromium", permissions: [.seeAccounts, .receiveCredentials])
        return (Parameters(.consent(consent)), Result(.allowed))
    }
}
