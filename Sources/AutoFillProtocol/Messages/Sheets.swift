/// Takes away what was shown for a request: it has ended.
package enum PresentationEnd: RemoteNotification {
    package struct Parameters: Codable, Hashable, Sendable {
        /// The number that the broker gave it.
        package let request: Int

        /// The end of what was shown for `request`.
        package init(request: Int) {
            self.request = request
        }
    }

    package static let name = "presentation.end"
    package static let callers: Set<Role> = [.broker]
    package static let summary = "Takes away what the sheets show for a request, which has ended."
    package static var sample: Parameters { Parameters(request: 7) }
}

/// The person closed the window of a request, or its presenter cannot show it: the whole request is to end.
package enum PresentationAbandoned: RemoteNotification {
    package struct Parameters: Codable, Hashable, Sendable {
        /// The number that the broker gave it.
        package let request: Int

        /// The person wants nothing more of `request`.
        package init(request: Int) {
            self.request = request
        }
    }

    package static let name = "presentation.abandoned"
    package static let callers: Set<Role> = [.sheets]
    package static let summary = "The person closed the window of a request: it is to end, whatever the provider does."
    package static var sample: Parameters { Parameters(request: 7) }
}

/// Asks the person a question of the system's own, in a window that no provider and no page can draw.
package enum AskPerson: RemoteMethod {
    /// What a program would be able to do.
    package enum Permission: String, Codable, CaseIterable, Hashable, Sendable {
        /// Learn the names of accounts for the sites that it names.
        case seeAccounts
        /// Receive what the person picks.
        case receiveCredentials
        /// Turn providers on and off, and order them.
        case changeProviders
        /// Read and write all that a provider keeps.
        case useService
    }

    /// A program that asks for the first time.
    package struct Consent: Codable, Hashable, Sendable {
        /// What the program is called.
        package let program: String
        /// The file that it runs.
        package let path: String
        /// What it wants.
        package let permissions: [Permission]

        /// `program`, which runs `path`, wants `permissions`.
        package init(program: String, path: String, permissions: [Permission]) {
            self.program = program
            self.path = path
            self.permissions = permissions
        }
    }

    /// How the person shows who they are.
    package enum VerificationMethod: String, Codable, CaseIterable, Hashable, Sendable {
        /// The PIN of Keyway is typed into the sheet.
        case pin
        /// The password of the login is typed into the sheet.
        case loginPassword
        /// A finger is laid on the sensor; the sheet only says so.
        case fingerprint
        /// The system asks in a window of its own; the sheet only says what for.
        case elsewhere
    }

    /// The check of who is at the keyboard.
    package struct Verification: Codable, Hashable, Sendable {
        /// Whose credential is to be used.
        package let provider: ProviderReference
        /// For which site.
        package let service: String?
        /// Which account.
        package let account: String
        /// How.
        package let method: VerificationMethod
        /// What was wrong with the answer before; shown as it is.
        package let error: String?

        /// A check by `method` before `account` is used for `service`.
        package init(
            provider: ProviderReference, service: String?, account: String, method: VerificationMethod,
            error: String? = nil
        ) {
            self.provider = provider
            self.service = service
            self.account = account
            self.method = method
            self.error = error
        }
    }

    /// What is asked.
    package enum Question: Codable, Hashable, Sendable {
        case consent(Consent)
        case verification(Verification)
    }

    /// What the person answered.
    package enum Answer: Codable, Sendable {
        /// Yes, to a consent.
        case allowed
        /// No, or the person backed out.
        case refused
        /// What was typed for a verification, to be checked by whoever asked.
        case secret(InterfaceSecret)
    }

    package struct Parameters: Codable, Hashable, Sendable {
        /// The question.
        package let question: Question

        /// Asks `question`.
        package init(_ question: Question) {
            self.question = question
        }
    }

    package struct Result: Codable, Sendable {
        /// The answer.
        package let answer: Answer

        /// The person's `answer`.
        package init(_ answer: Answer) {
            self.answer = answer
        }
    }

    package static let name = "person.ask"
    package static let callers: Set<Role> = [.broker]
    package static let summary = "A question of the system's own to the person: consent to a program, or who is there."
    package static var sample: (parameters: Parameters, result: Result) {
        let consent = Consent(
            program: "Chromium", path: "/usr/lib/chromium/chromium", permissions: [.seeAccounts, .receiveCredentials])
        return (Parameters(.consent(consent)), Result(.allowed))
    }
}
