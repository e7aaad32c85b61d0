package import AutoFillWire

/// Whether the provider is on, and whether it may send changes instead of everything.
package enum IdentityStoreState: RemoteMethod {
    package typealias Parameters = Nothing

    package struct Result: Codable, Hashable, Sendable {
        /// The person turned the provider on.
        package let isEnabled: Bool
        /// Something is stored; false means: send the complete set.
        package let supportsIncrementalUpdates: Bool

        /// A state.
        package init(isEnabled: Bool, supportsIncrementalUpdates: Bool) {
            self.isEnabled = isEnabled
            self.supportsIncrementalUpdates = supportsIncrementalUpdates
        }
    }

    package static let name = "identities.state"
    package static let callers: Set<Role> = [
        .providerExtension, .providerService, .application, .providerApplication,
    ]
}

/// Writes to the provider's own identity store. All parts of one write take effect together, at the last, or not at all.
package enum WriteIdentities: RemoteMethod {
    /// What is done with the identities.
    package enum Operation: String, Codable, Sendable {
        /// They are all there is from now on.
        case replace
        /// They are added; what is there already is overwritten.
        case save
        /// They are taken away; what is not there is no error.
        case remove
    }

    package struct Parameters: Codable, Hashable, Sendable {
        /// The most identities in one part.
        package static let maximumPart = 1000

        /// What is done.
        package let operation: Operation
        /// This part of the identities, ``maximumPart`` at most.
        package let identities: [CredentialIdentity]
        /// The write that this part continues; nil for the first.
        package let write: Int?
        /// Whether this is the last part.
        package let isLast: Bool

        /// One part of a write.
        package init(operation: Operation, identities: [CredentialIdentity], write: Int? = nil, isLast: Bool = true) {
            self.operation = operation
            self.identities = identities
            self.write = write
            self.isLast = isLast
        }
    }

    package struct Result: Codable, Hashable, Sendable {
        /// Names the write for its next part; nil after the last.
        package let write: Int?

        /// The write to continue.
        package init(write: Int?) {
            self.write = write
        }
    }

    package static let name = "identities.write"
    package static let callers: Set<Role> = [
        .providerExtension, .providerService, .application, .providerApplication,
    ]
}

/// Reads the provider's own identity store, a page at a time.
package enum ReadIdentities: RemoteMethod {
    package struct Parameters: Codable, Hashable, Sendable {
        /// Only those of this service.
        package let service: ServiceIdentifier?
        /// Only these kinds; empty means all.
        package let kinds: [CredentialKind]
        /// Where the page before ended.
        package let after: Int?

        /// Asks for a page.
        package init(service: ServiceIdentifier? = nil, kinds: [CredentialKind] = [], after: Int? = nil) {
            self.service = service
            self.kinds = kinds
            self.after = after
        }
    }

    package struct Result: Codable, Hashable, Sendable {
        /// This page, 1000 at most.
        package let identities: [CredentialIdentity]
        /// Where the next page starts; nil when this was the last.
        package let next: Int?

        /// A page.
        package init(identities: [CredentialIdentity], next: Int?) {
            self.identities = identities
            self.next = next
        }
    }

    package static let name = "identities.read"
    package static let callers: Set<Role> = [
        .providerExtension, .providerService, .application, .providerApplication,
    ]
}
