/// Asks one provider for one credential. The answer may need the person; then an interface is shown where the request
/// came from, or the request waits until the person did what the notice says.
package enum Fill: RemoteMethod {
    /// What is to be filled.
    package enum Target: Codable, Hashable, Sendable {
        /// A suggestion of this connection.
        case suggestion(handle: String)
        /// The whole list of a provider (of the only enabled one, where none is named), matches first.
        case list(provider: String?)
    }

    package struct Parameters: Codable, Hashable, Sendable {
        /// Which credential, or whose list.
        package let target: Target
        /// The services that it is for, as they were given to `suggest`; a handle is good for those only.
        package let services: [ServiceIdentifier]
        /// Whether the caller draws interfaces (`presentation.show`).
        package let presents: Bool
        /// Whether the page is in a private window: then the use is not remembered.
        package let isPrivate: Bool?

        /// Asks for `target`.
        package init(target: Target, services: [ServiceIdentifier], presents: Bool, isPrivate: Bool? = nil) {
            self.target = target
            self.services = services
            self.presents = presents
            self.isPrivate = isPrivate
        }
    }

    package struct Result: Codable, Sendable {
        /// The user name.
        package let user: String
        /// The password, as a sealed memory file.
        package let password: Attachment
        /// Whose it was.
        package let provider: ProviderReference

        /// A credential by its parts.
        package init(user: String, password: Attachment, provider: ProviderReference) {
            self.user = user
            self.password = password
            self.provider = provider
        }
    }

    package static let name = "fill"
    package static let callers: Set<Role> = [.terminal, .browser]
    package static let summary = "One credential from one provider, once, for the services that asked."
    package static var sample: (parameters: Parameters, result: Result) {
        get throws {
            (
                Parameters(
                    target: .suggestion(handle: "q3K0cJ1f8mU"),
                    services: [ServiceIdentifier("https://m.example.com/login", kind: .url)], presents: false),
                Result(user: "ada", password: try .sample(), provider: .sample)
            )
        }
    }
}

/// Tells a caller that shows no interface what the person must do; the request goes on when it is done.
package enum FillWaiting: RemoteNotification {
    package struct Parameters: Codable, Hashable, Sendable {
        /// The id of the `fill` request that waits.
        package let request: Int
        /// Who waits for the person.
        package let provider: ProviderReference
        /// What to type in a terminal.
        package let command: String

        /// A notice for `request`.
        package init(request: Int, provider: ProviderReference, command: String) {
            self.request = request
            self.provider = provider
            self.command = command
        }
    }

    package static let name = "fill.waiting"
    package static let callers: Set<Role> = [.broker]
    package static let summary =
        "What the person must do before a `fill` can go on, to a caller that shows no interface."
    package static var sample: Parameters {
        Parameters(request: 7, provider: .sample, command: "keyway passwords unlock")
    }
}

extension Attachment {
    /// A secret for the examples of the documentation.
    static func sample() throws(ProtocolError) -> Attachment {
        Attachment(try SealedMemory(copying: UnsafeRawBufferPointer(start: nil, count: 0)))
    }
}
