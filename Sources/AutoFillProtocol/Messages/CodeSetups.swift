package import AutoFillWire

/// A link that sets one-time codes up, with what it says of itself.
package struct CodeToSetUp: Codable, Hashable, Sendable {
    /// Who asks for the codes, as the link says; may be empty.
    package let issuer: String
    /// The account, as the link says; may be empty.
    package let account: String
    /// The link (`otpauth:`), for one account, as a sealed memory file: whoever has it makes all of its codes.
    package let link: Attachment

    /// The most bytes of a name, and of a link.
    package static let longestName = 512
    package static let longestLink = 8192

    /// The codes of `account` at `issuer`.
    package init(issuer: String, account: String, link: Attachment) {
        self.issuer = issuer
        self.account = account
        self.link = link
    }
}

/// Offers one provider what makes one-time codes. The person is asked first, in a window of the system's, whoever asks.
package enum SetUpCode: RemoteMethod {
    package struct Parameters: Codable, Hashable, Sendable {
        /// What is offered.
        package let code: CodeToSetUp
        /// Whom; the first enabled provider that sets codes up where none is named.
        package let provider: String?

        /// Offers `code`.
        package init(code: CodeToSetUp, provider: String?) {
            self.code = code
            self.provider = provider
        }
    }

    package struct Result: Codable, Hashable, Sendable {
        /// Who keeps it.
        package let provider: ProviderReference

        /// `provider` keeps it.
        package init(provider: ProviderReference) {
            self.provider = provider
        }
    }

    package static let name = "credentials.setUpCode"
    package static let callers: Set<Role> = [.terminal]
}

extension AskPerson {
    /// One-time codes that would be set up.
    package struct SettingUpCode: Codable, Hashable, Sendable {
        /// Who asks for the codes, as the link says; empty where it says nothing.
        package let issuer: String
        /// The account, as the link says; empty where it says none.
        package let account: String
        /// Who would keep them.
        package let provider: ProviderReference

        /// `provider` would keep what makes the codes of `account` at `issuer`.
        package init(issuer: String, account: String, provider: ProviderReference) {
            self.issuer = issuer
            self.account = account
            self.provider = provider
        }
    }
}
