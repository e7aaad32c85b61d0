package import AutoFillWire

/// How the person shows who they are.
package enum VerificationMethod: String, Codable, CaseIterable, Hashable, Sendable {
    /// A finger is laid on the sensor (fprintd); whoever presents only says so.
    case fingerprint
    /// The PIN of Keyway is typed where the question is presented.
    case pin
    /// The system asks in a window of its own (polkit); whoever presents only says what for.
    case system
    /// The password of the login is typed where the question is presented (PAM).
    case loginPassword
    /// The master password of a provider is typed where the question is presented; its service checks it.
    case masterPassword
    /// The provider's own interface asked for a secret, or for `LAContext`: no method of the system's.
    case providerInterface
}

/// How one method is, on this machine and now.
package struct VerificationMethodState: Codable, Hashable, Sendable {
    /// Why a method cannot be used, where that is more than a matter of the moment.
    package enum Obstacle: String, Codable, Sendable {
        /// This machine has nothing of the kind.
        case missing
        /// The person has not set it up.
        case notSetUp
        /// There were too many failures.
        case lockedOut

        /// Whether the person goes without the method. One that they have set up and that cannot be used is another thing:
        /// whoever sees to it that nothing answers must gain nothing by it.
        package var isAbsence: Bool { self != .lockedOut }
    }

    /// Which.
    package let method: VerificationMethod
    /// Whether it could be used now.
    package let isAvailable: Bool
    /// Why not, or what is to be known of it, in a sentence that says what to do.
    package let detail: String?
    /// Why it cannot be used; nil where it can, and where it cannot at the moment or nobody knows why.
    package let obstacle: Obstacle?

    /// A state by its parts.
    package init(
        method: VerificationMethod, isAvailable: Bool, detail: String? = nil, obstacle: Obstacle? = nil
    ) {
        self.obstacle = obstacle
        self.method = method
        self.isAvailable = isAvailable
        self.detail = detail
    }
}

/// When the system checks the person before a credential is given that its provider gave without an interface.
package struct VerificationSettings: Codable, Hashable, Sendable {
    /// When.
    package enum Rule: String, Codable, CaseIterable, Sendable {
        /// Where the person has set up a fingerprint or a PIN; the default.
        case whenSetUp
        /// Always; without any method nothing is given.
        case always
        /// Never; a relying party that requires it is still heard.
        case never
    }

    /// For every provider that has no rule of its own.
    package var rule: Rule
    /// For how many seconds a check counts, for the caller that it was made for; 0 to 3600.
    package var grace: Int
    /// Rules of single providers, by identifier.
    package var providers: [String: Rule]

    /// Settings by their parts.
    package init(rule: Rule = .whenSetUp, grace: Int = 300, providers: [String: Rule] = [:]) {
        self.rule = rule
        self.grace = grace
        self.providers = providers
    }
}

/// The methods as they are now, and the settings.
package enum VerificationState: RemoteMethod {
    package typealias Parameters = Nothing

    package struct Result: Codable, Hashable, Sendable {
        /// Every method, in the order in which they are tried.
        package let methods: [VerificationMethodState]
        /// When they are used.
        package let settings: VerificationSettings
        /// What the administrator has set about it; nil for nothing.
        package let limits: Limits?

        /// A state by its parts.
        package init(methods: [VerificationMethodState], settings: VerificationSettings, limits: Limits? = nil) {
            self.methods = methods
            self.settings = settings
            self.limits = limits
        }
    }

    /// What nobody who uses the computer can loosen (`keyway(5)`).
    package struct Limits: Codable, Hashable, Sendable {
        /// The loosest rule there may be; nil for any.
        package let rule: VerificationSettings.Rule?
        /// How many seconds a check counts at most; nil for as many as the person likes.
        package let grace: Int?
        /// The files that say so.
        package let files: [String]

        /// Limits by their parts.
        package init(rule: VerificationSettings.Rule?, grace: Int?, files: [String]) {
            self.rule = rule
            self.grace = grace
            self.files = files
        }
    }

    package static let name = "verification.state"
    package static let callers: Set<Role> = [.terminal]
}

/// Changes the settings; the person is verified first where a method is available.
package enum ChangeVerification: RemoteMethod {
    package typealias Result = Nothing

    package struct Parameters: Codable, Hashable, Sendable {
        /// What they are to be.
        package let settings: VerificationSettings

        /// The settings from now on.
        package init(settings: VerificationSettings) {
            self.settings = settings
        }
    }

    package static let name = "verification.change"
    package static let callers: Set<Role> = [.terminal]
}

/// Sets, changes or removes the PIN; the person is verified first: by the old one, or by another method.
package enum ChangePIN: RemoteMethod {
    package typealias Result = Nothing

    package struct Parameters: Codable, Sendable {
        /// The new PIN, 6 to 64 bytes of UTF-8; nil removes it.
        package let pin: Attachment?

        /// The PIN from now on.
        package init(pin: Attachment?) {
            self.pin = pin
        }
    }

    package static let name = "verification.changePIN"
    package static let callers: Set<Role> = [.terminal]
}

/// Verifies the person before what a browser has stored is read for an import, where a method is available.
package enum VerifyForImport: RemoteMethod {
    package typealias Result = Nothing

    package struct Parameters: Codable, Hashable, Sendable {
        /// Whose passwords they are, as people call it: a browser and its profile.
        package let source: String

        /// An import from `source`.
        package init(source: String) {
            self.source = source
        }
    }

    package static let name = "verification.forImport"
    package static let callers: Set<Role> = [.terminal]
}

/// Verifies the person for a provider while it answers a request (`LAContext.evaluatePolicy`).
package enum VerifyPerson: RemoteMethod {
    /// Which methods count (`LAPolicy`).
    package enum Policy: String, Codable, CaseIterable, Sendable {
        /// A sensor only.
        case biometrics
        /// A sensor, or what is typed.
        case any
    }

    package struct Parameters: Codable, Hashable, Sendable {
        /// Which methods count.
        package let policy: Policy
        /// What the provider says it is for, in a sentence; nil only asks which methods there are.
        package let reason: String?

        /// A check by `policy` for `reason`.
        package init(policy: Policy, reason: String?) {
            self.policy = policy
            self.reason = reason
        }
    }

    package struct Result: Codable, Hashable, Sendable {
        /// The methods that count, as they are.
        package let methods: [VerificationMethodState]
        /// How the person was verified; nil where only the methods were asked for.
        package let method: VerificationMethod?
        /// Whether the person's settings ask for a verification in this request, which has seen none; where only the
        /// methods were asked for.
        package let isWanted: Bool?

        /// An answer by its parts.
        package init(methods: [VerificationMethodState], method: VerificationMethod?, isWanted: Bool? = nil) {
            self.isWanted = isWanted
            self.methods = methods
            self.method = method
        }
    }

    package static let name = "person.verify"
    package static let callers: Set<Role> = [.providerExtension, .providerApplication]
}

/// Has a provider's service check what the person typed as its master password.
package enum CheckMasterPassword: RemoteMethod {
    package struct Parameters: Codable, Sendable {
        /// What was typed.
        package let password: Attachment

        /// A check of `password`.
        package init(password: Attachment) {
            self.password = password
        }
    }

    package struct Result: Codable, Hashable, Sendable {
        /// Whether it is right. A service counts wrong ones and slows down.
        package let isRight: Bool
        /// A name of what it opens, which nobody can make who doesn't open that, and which says nothing of the key: 64
        /// hexadecimal digits. Of a wrong one, the name of what is open. Nil where nothing is, and from a service that
        /// has no such names.
        package let vault: String?

        /// Right or wrong, and what it opens.
        package init(isRight: Bool, vault: String? = nil) {
            self.isRight = isRight
            self.vault = vault
        }
    }

    package static let name = "service.checkMasterPassword"
    package static let callers: Set<Role> = [.broker]
}
