package import AutoFillProtocol
import AutoFillWire

extension PerformRequest: DocumentedMethod {
    package static let summary = "One request to a provider's extension; `cancel` withdraws it."
    package static var sample: (parameters: Parameters, result: Result) {
        get throws {
            (
                Parameters(request: .provideWithoutInteraction(.init(identity: .sample))),
                .password(user: "ada", password: try .sample())
            )
        }
    }
}

extension ExtensionPresent: DocumentedNotification {
    package static let summary = "The interface that a provider wants shown for the request that it answers."
    package static var sample: Parameters { Parameters(request: 1, interface: .sample) }
}

extension ExtensionEvent: DocumentedNotification {
    package static let summary = "What the person did with the interface that the provider set last."
    package static var sample: Parameters { Parameters(request: 1, event: .cancelled) }
}

extension CredentialIdentity {
    static let sample = CredentialIdentity(
        kind: .password, service: ServiceIdentifier("example.com", kind: .domain), user: "ada", recordIdentifier: "4f1c"
    )
}
