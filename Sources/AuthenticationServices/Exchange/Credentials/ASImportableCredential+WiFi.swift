extension ASImportableCredential {
    /// A wireless network; `wifi` in the exchange format.
    public struct WiFi: Codable, Hashable, Sendable {
        /// The name of the network.
        public var ssid: ASImportableEditableField?
        /// How the network is secured: `wpa2-personal` and the like.
        public var networkSecurityType: ASImportableEditableField?
        /// The passphrase, concealed.
        public var passphrase: ASImportableEditableField?
        /// Whether the network hides its name: `true` or `false`.
        public var hidden: ASImportableEditableField?

        /// A wireless network, of its parts.
        public init(
            ssid: ASImportableEditableField?,
            networkSecurityType: ASImportableEditableField?,
            passphrase: ASImportableEditableField?,
            hidden: ASImportableEditableField?
        ) {
            self.ssid = ssid
            self.networkSecurityType = networkSecurityType
            self.passphrase = passphrase
            self.hidden = hidden
        }
    }
}
