package import AutoFillProtocol
package import AutoFillWire

/// Keeps the password of an account: in the item that the account has at that site, or in a new one.
package enum KeepPassword: RemoteMethod {
    package struct Parameters: Codable, Sendable {
        /// Where the account is.
        package let service: ServiceIdentifier
        /// The user name; empty where it is not known.
        package let user: String
        /// The password.
        package let password: Attachment
        /// What a new item is called; nil for its site.
        package let title: String?
        /// Whether it was generated and stands in a form that was not sent yet: kept beside everything else.
        package let isPending: Bool
        /// Whether it may take the place of another password, which then goes into the item's history.
        package let replaces: Bool

        /// The password of `user` at `service`.
        package init(
            service: ServiceIdentifier, user: String, password: Attachment, title: String? = nil,
            isPending: Bool = false, replaces: Bool = false
        ) {
            self.service = service
            self.user = user
            self.password = password
            self.title = title
            self.isPending = isPending
            self.replaces = replaces
        }
    }

    package struct Result: Codable, Hashable, Sendable {
        /// What became of it.
        package enum Outcome: String, Codable, Sendable {
            /// There is a new item.
            case added
            /// An item has it now; another one that it had is in its history.
            case changed
            /// An item had it already.
            case unchanged
        }

        /// What became of it.
        package let outcome: Outcome

        /// What became of it.
        package init(outcome: Outcome) {
            self.outcome = outcome
        }
    }

    package static let name = "items.keep"
    package static let callers: Set<Role> = [.serviceClient]
}
