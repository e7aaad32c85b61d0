package import AutoFillWire

/// Something that the person should know, told once: to the next client that people look at.
package enum BrokerNotice: RemoteNotification {
    package struct Parameters: Codable, Hashable, Sendable {
        /// The provider that it is about, where there is one.
        package let provider: ProviderReference?
        /// A sentence.
        package let text: String

        /// Tells `text`.
        package init(provider: ProviderReference?, text: String) {
            self.provider = provider
            self.text = text
        }
    }

    package static let name = "notice"
    package static let callers: Set<Role> = [.broker]
}
