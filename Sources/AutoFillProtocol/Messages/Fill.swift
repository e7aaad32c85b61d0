package import AutoFillWire
import KeywaySystem

/// Asks one provider for one credential. The answer may need the person; then an interface is shown where the request
/// came from, or the request waits until the person did what the notice says.
package enum Fill: RemoteMethod {
    /// What is to be filled.
    package enum Target: Codable, Hashable, Sendable {
        /// A suggestion of this connection.
        case suggestion(handle: String)
        /// The whole list of a provider (of the only enabled one, where none is named), matches first.
        case list(provider: String?)
        /// The list of a provider's one-time codes.
        case oneTimeCodes(provider: String?)
        /// Any text of a provider.
        case text(provider: String?)
        /// A passkey that fits, which the person chooses in a window of the system's; `elsewhere` where there is none,
        /// and where the person wants another device.
        case passkey
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
        /// What a passkey is to sign: needed for the suggestion of a passkey, and for a list that may offer some.
        package let passkey: PasskeyRequestParameters?

        /// Asks for `target`.
        package init(
            target: Target, services: [ServiceIdentifier], presents: Bool, isPrivate: Bool? = nil,
            passkey: PasskeyRequestParameters? = nil
        ) {
            self.target = target
            self.services = services
            self.presents = presents
            self.isPrivate = isPrivate
            self.passkey = passkey
        }
    }

    /// What a provider delivered; secrets are sealed memory files.
    package enum Credential: Codable, Hashable, Sendable {
        case password(user: String, password: Attachment)
        case passkey(PasskeyAssertionCredential)
        /// When the code changes, in seconds since 1970; nil for one that is good until it is used, and where the provider
        /// does not say.
        case oneTimeCode(Attachment, validUntil: Double? = nil)
        case text(Attachment)
    }

    package struct Result: Codable, Hashable, Sendable {
        /// The credential.
        package let credential: Credential
        /// Whose it was.
        package let provider: ProviderReference

        /// A `credential` of `provider`.
        package init(credential: Credential, provider: ProviderReference) {
            self.credential = credential
            self.provider = provider
        }

        /// A password of `provider`.
        package init(user: String, password: Attachment, provider: ProviderReference) {
            self.init(credential: .password(user: user, password: password), provider: provider)
        }
    }

    package static let name = "fill"
    package static let callers: Set<Role> = [.terminal, .browser]
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
}
