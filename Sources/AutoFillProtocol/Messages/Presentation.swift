package import AutoFillWire

/// Shows an interface of the provider that answers a request: the newest replaces the one before.
package enum PresentationShow: RemoteNotification {
    /// Why a provider asks.
    package enum Purpose: String, Codable, Hashable, Sendable {
        /// Somebody wants something of it.
        case request
        /// It was just turned on, and is set up.
        case configuration
    }

    package struct Parameters: Codable, Hashable, Sendable {
        /// The id of the request that it belongs to; to the sheets, a number that the broker gave it.
        package let request: Int
        /// Who asks; drawn by the presenter, outside what the provider can describe.
        package let provider: ProviderReference
        /// For what; nil for the whole list.
        package let service: String?
        /// What to draw.
        package let interface: ProviderInterface
        /// Why; nil for a request.
        package let purpose: Purpose?
        /// True where the extension that described it is being debugged: presenters say so.
        package let isDebugged: Bool?

        /// An interface for `request`.
        package init(
            request: Int, provider: ProviderReference, service: String?, interface: ProviderInterface,
            purpose: Purpose? = nil, isDebugged: Bool? = nil
        ) {
            self.request = request
            self.provider = provider
            self.service = service
            self.interface = interface
            self.purpose = purpose
            self.isDebugged = isDebugged
        }
    }

    package static let name = "presentation.show"
    package static let callers: Set<Role> = [.broker]
}

/// What the person did with the interface.
package enum PresentationEvent: RemoteNotification {
    package struct Parameters: Codable, Sendable {
        /// The id of the `fill` request that the interface belongs to.
        package let request: Int
        /// What happened.
        package let event: InterfaceEvent

        /// `event` in the interface of `request`.
        package init(request: Int, event: InterfaceEvent) {
            self.request = request
            self.event = event
        }
    }

    package static let name = "presentation.event"
    package static let callers: Set<Role> = [.terminal, .sheets]
}
