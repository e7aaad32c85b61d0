/// One request to the extension of a provider, as the API makes it.
package enum PerformRequest: RemoteMethod {
    /// Which entry of `ASCredentialProviderViewController` is called.
    package enum Request: Codable, Hashable, Sendable {
        /// `provideCredentialWithoutUserInteraction(for:)`: no interface is allowed.
        case provideWithoutInteraction(CredentialIdentity)
        /// `prepareInterfaceToProvideCredential(for:)`.
        case provideWithInteraction(CredentialIdentity)
        /// `prepareCredentialList(for:)`.
        case list([ServiceIdentifier])
        /// `prepareInterfaceForExtensionConfiguration()`.
        case configuration
    }

    package struct Parameters: Codable, Hashable, Sendable {
        /// What is asked.
        package let request: Request

        /// Asks for `request`.
        package init(request: Request) {
            self.request = request
        }
    }

    /// How the extension ended the request.
    package enum Result: Codable, Sendable {
        /// `completeRequest(withSelectedCredential:)`: the password is a sealed memory file.
        case password(user: String, password: Attachment)
        /// `cancelRequest(withError:)`: the error's domain and code, and the text for the person where it has one.
        case cancelled(domain: String, code: Int, reason: String?)
        /// `completeExtensionConfigurationRequest()`.
        case configured
    }

    package static let name = "extension.perform"
    package static let callers: Set<Role> = [.broker]
    package static let summary = "One request to a provider's extension; `cancel` withdraws it."
    package static var sample: (parameters: Parameters, result: Result) {
        get throws {
            (
                Parameters(request: .provideWithoutInteraction(.sample)),
                .password(user: "ada", password: try .sample())
            )
        }
    }
}

/// What the extension wants shown for the request that it answers.
package enum ExtensionPresent: RemoteNotification {
    package struct Parameters: Codable, Hashable, Sendable {
        /// The id of the `extension.perform` request.
        package let request: Int
        /// What to draw.
        package let interface: ProviderInterface

        /// An interface for `request`.
        package init(request: Int, interface: ProviderInterface) {
            self.request = request
            self.interface = interface
        }
    }

    package static let name = "extension.present"
    package static let callers: Set<Role> = [.providerExtension]
    package static let summary = "The interface that a provider wants shown for the request that it answers."
    package static var sample: Parameters { Parameters(request: 1, interface: .sample) }
}

/// What the person did with the interface of a provider.
package enum ExtensionEvent: RemoteNotification {
    package struct Parameters: Codable, Sendable {
        /// The id of the `extension.perform` request.
        package let request: Int
        /// What happened.
        package let event: InterfaceEvent

        /// `event` in the interface of `request`.
        package init(request: Int, event: InterfaceEvent) {
            self.request = request
            self.event = event
        }
    }

    package static let name = "extension.event"
    package static let callers: Set<Role> = [.broker]
    package static let summary = "What the person did with the interface that the provider set last."
    package static var sample: Parameters { Parameters(request: 1, event: .cancelled) }
}

extension CredentialIdentity {
    static let sample = CredentialIdentity(
        kind: .password, service: ServiceIdentifier("example.com", kind: .domain), user: "ada", recordIdentifier: "4f1c"
    )
}
