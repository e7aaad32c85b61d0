/// What the person is asked when accounts are to move from one provider to another.
extension AskPerson {
    /// An app wants to give another provider all that it exports; the choice is the person's agreement.
    package struct ExchangeChoice: Codable, Hashable, Sendable {
        /// Whose accounts.
        package let exporter: ProviderReference
        /// The file of the app that asks, where it is one that the broker did not start.
        package let path: String?
        /// Who can take them.
        package let destinations: [ProviderReference]

        /// The accounts of `exporter` for one of `destinations`.
        package init(exporter: ProviderReference, path: String? = nil, destinations: [ProviderReference]) {
            self.exporter = exporter
            self.path = path
            self.destinations = destinations
        }
    }
}
