package import AutoFillWire

/// What the check of the PIN needs beside what was typed.
package struct PINAccess: Codable, Sendable {
    /// 32 bytes of which the program derives its own: without them no record of a PIN is believed, or could be tried.
    package let key: Attachment
    /// The number of changes that the record had when it was seen last: an older one is not believed.
    package let changes: UInt64

    /// Access with `key` to a record that is not older than `changes`.
    package init(key: Attachment, changes: UInt64) {
        self.key = key
        self.changes = changes
    }
}

/// How the methods are whose secrets are typed.
package enum TypedSecretState: RemoteMethod {
    package struct Parameters: Codable, Sendable {
        /// What the PIN takes; nil while there is no key for it.
        package let access: PINAccess?

        /// The state, of the PIN too where there is `access`.
        package init(access: PINAccess?) {
            self.access = access
        }
    }

    /// How the PIN is.
    package enum PIN: Codable, Hashable, Sendable {
        case notSet
        case ready
        /// Another try is taken after this many seconds.
        case waiting(seconds: Int)
        /// There were too many wrong ones: it is set anew, or removed, after another verification.
        case lockedOut
        /// Its record is not believed, for this reason.
        case disbelieved(String)
    }

    package struct Result: Codable, Hashable, Sendable {
        /// Of the PIN; nil where that was not asked.
        package let pin: PIN?
        /// Why the password of the login cannot be checked; nil when it can.
        package let loginObstacle: String?

        /// A state by its parts.
        package init(pin: PIN?, loginObstacle: String?) {
            self.pin = pin
            self.loginObstacle = loginObstacle
        }
    }

    package static let name = "check.state"
    package static let callers: Set<Role> = [.broker]
}

/// Counts a try at the PIN on the disk, before what was typed is looked at. The broker notes the count before it goes on.
package enum CountPINTry: RemoteMethod {
    package struct Parameters: Codable, Sendable {
        /// The access to the record.
        package let access: PINAccess

        /// Counts a try in the record of `access`.
        package init(access: PINAccess) {
            self.access = access
        }
    }

    package struct Result: Codable, Hashable, Sendable {
        /// Why there is no try now; nil for one that was counted.
        package let refusal: String?
        /// How often the record has changed by now.
        package let changes: UInt64

        /// A result by its parts.
        package init(refusal: String? = nil, changes: UInt64) {
            self.refusal = refusal
            self.changes = changes
        }
    }

    package static let name = "check.countTry"
    package static let callers: Set<Role> = [.broker]
}

/// Checks what the person typed.
package enum CheckTypedSecret: RemoteMethod {
    /// What was typed.
    package enum Kind: Codable, Sendable {
        /// A try that ``CountPINTry`` has counted.
        case pin(PINAccess)
        case loginPassword
    }

    package struct Parameters: Codable, Sendable {
        /// What it is to be.
        package let kind: Kind
        /// What was typed, 1 to 1024 bytes.
        package let secret: Attachment

        /// Whether `secret` is the person's.
        package init(kind: Kind, secret: Attachment) {
            self.kind = kind
            self.secret = secret
        }
    }

    /// What came of it.
    package enum Outcome: Codable, Hashable, Sendable {
        case right
        /// With a sentence for the person.
        case wrong(String)
        /// No try now, with the reason.
        case unavailable(String)
    }

    package struct Result: Codable, Hashable, Sendable {
        /// What came of it.
        package let outcome: Outcome
        /// How often the record of the PIN has changed by now; nil for the password of the login.
        package let changes: UInt64?

        /// A result by its parts.
        package init(outcome: Outcome, changes: UInt64? = nil) {
            self.outcome = outcome
            self.changes = changes
        }
    }

    package static let name = "check.typed"
    package static let callers: Set<Role> = [.broker]
}

/// Replaces the record of the PIN. Whoever asks has verified the person.
package enum ReplacePIN: RemoteMethod {
    package struct Parameters: Codable, Sendable {
        /// The access from now on: `changes` is counted on from here.
        package let access: PINAccess
        /// The new PIN; nil removes it.
        package let pin: Attachment?

        /// From now on `pin`.
        package init(access: PINAccess, pin: Attachment?) {
            self.access = access
            self.pin = pin
        }
    }

    package struct Result: Codable, Hashable, Sendable {
        /// How often the record has changed by now.
        package let changes: UInt64

        /// A record after so many changes.
        package init(changes: UInt64) {
            self.changes = changes
        }
    }

    package static let name = "check.replacePIN"
    package static let callers: Set<Role> = [.broker]
}
