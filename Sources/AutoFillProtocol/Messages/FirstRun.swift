package import AutoFillWire

/// Whether a browser may offer to set Keyway up: no provider is on, or what was begun was cut off, and the person has not
/// said that they do not want it. Tells nothing of any account, starts nothing and asks nobody.
package enum SetUpState: RemoteMethod {
    package typealias Parameters = Nothing

    package struct Result: Codable, Hashable, Sendable {
        /// Whether it may.
        package let isOffered: Bool

        /// Offered or not.
        package init(isOffered: Bool) {
            self.isOffered = isOffered
        }
    }

    package static let name = "setup.state"
    package static let callers: Set<Role> = [.browser]
}

/// Sets Keyway up, in windows of the system's: the provider in the box is turned on and gets a master password, and the
/// person a PIN where they want one. Who asks for it decides nothing, and is told nothing but how it ended.
package enum SetUp: RemoteMethod {
    package struct Parameters: Codable, Hashable, Sendable {
        /// Whether it was begun in a private window: nothing of one is kept.
        package let isPrivate: Bool?

        /// Begins.
        package init(isPrivate: Bool? = nil) {
            self.isPrivate = isPrivate
        }
    }

    /// How it ended.
    package enum Outcome: String, Codable, CaseIterable, Hashable, Sendable {
        /// All is there.
        case done
        /// The person does not want it in this session.
        case notNow
        /// The person does not want to be offered it again.
        case never
    }

    package struct Result: Codable, Hashable, Sendable {
        /// How it ended.
        package let outcome: Outcome

        /// It ended so.
        package init(outcome: Outcome) {
            self.outcome = outcome
        }
    }

    package static let name = "setup.run"
    package static let callers: Set<Role> = [.browser]
}

/// The person set Keyway up in a terminal: nothing is left of what was begun, or turned down, in a browser.
package enum FinishSetUp: RemoteMethod {
    package typealias Parameters = Nothing
    package typealias Result = Nothing

    package static let name = "setup.finish"
    package static let callers: Set<Role> = [.terminal]
}

/// Has a provider's service make what a master password protects, where there is nothing yet, and leave it open to the
/// provider's own extension.
package enum CreateMasterPassword: RemoteMethod {
    package typealias Result = Nothing

    package struct Parameters: Codable, Sendable {
        /// What the person chose.
        package let password: Attachment

        /// From now on `password`.
        package init(password: Attachment) {
            self.password = password
        }
    }

    package static let name = "service.createMasterPassword"
    package static let callers: Set<Role> = [.broker]
}

extension AskPerson {
    /// Keyway would be set up.
    package struct SettingUp: Codable, Hashable, Sendable {
        /// The provider that would be turned on, and what it gets.
        package let provider: Enabling

        /// `provider` would be turned on.
        package init(provider: Enabling) {
            self.provider = provider
        }
    }

    /// A master password that does not exist yet.
    package struct NewMasterPassword: Codable, Hashable, Sendable {
        /// Whose.
        package let provider: ProviderReference
        /// Why the one before was not taken.
        package let error: String?

        /// One for `provider`.
        package init(provider: ProviderReference, error: String? = nil) {
            self.provider = provider
            self.error = error
        }
    }

    /// A PIN that does not exist yet.
    package struct NewPIN: Codable, Hashable, Sendable {
        /// Why the one before was not taken.
        package let error: String?

        /// A first one.
        package init(error: String? = nil) {
            self.error = error
        }
    }

    /// What there is after Keyway was set up.
    package struct SetUpSummary: Codable, Hashable, Sendable {
        /// Who keeps passwords now.
        package let provider: ProviderReference
        /// Whether there is a PIN.
        package let hasPIN: Bool
        /// Whether fingerprints verify the person.
        package let hasFingerprint: Bool
        /// What the browser calls itself that asked, for the way to its own settings; nil where it said nothing.
        package let browser: String?

        /// A summary by its parts.
        package init(provider: ProviderReference, hasPIN: Bool, hasFingerprint: Bool, browser: String?) {
            self.provider = provider
            self.hasPIN = hasPIN
            self.hasFingerprint = hasFingerprint
            self.browser = browser
        }
    }
}
