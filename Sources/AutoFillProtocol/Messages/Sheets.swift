package import AutoFillWire

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
}

/// The window of something that was not shown before stands on the screen, with its first picture.
package enum PresentationOpened: RemoteNotification {
    package struct Parameters: Codable, Hashable, Sendable {
        /// The number that the broker gave it; nil for a question of the system's own.
        package let request: Int?

        /// `request` is seen now.
        package init(request: Int?) {
            self.request = request
        }
    }

    package static let name = "presentation.opened"
    package static let callers: Set<Role> = [.sheets]
}

/// Whether the sheets are at work: answered by the same thread that draws.
package enum CheckSheets: RemoteMethod {
    package struct Parameters: Codable, Hashable, Sendable {
        /// Asks.
        package init() {}
    }

    package struct Result: Codable, Hashable, Sendable {
        /// They are.
        package init() {}
    }

    package static let name = "presentation.check"
    package static let callers: Set<Role> = [.broker]
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
        /// The file that it runs; of one that the system vouches for, that of the browser that started it. Empty where
        /// neither is told.
        package let path: String
        /// The file of the browser that started a program that nobody vouches for.
        package let browser: String?
        /// Which profile of it, as the person knows it; nil for what is no browser.
        package let profile: String?
        /// Whether the system vouches that it is that program; otherwise the name and the path are what it looks like.
        package let isKnown: Bool
        /// What it wants.
        package let permissions: [Permission]

        /// `program`, which runs `path`, wants `permissions`.
        package init(
            program: String, path: String, browser: String? = nil, profile: String? = nil, isKnown: Bool = false,
            permissions: [Permission]
        ) {
            self.program = program
            self.path = path
            self.browser = browser
            self.profile = profile
            self.isKnown = isKnown
            self.permissions = permissions
        }
    }

    /// The check of who is at the keyboard.
    package struct Verification: Codable, Hashable, Sendable {
        /// Whose credential is to be used; nil where it is no provider's matter.
        package let provider: ProviderReference?
        /// For which site.
        package let service: String?
        /// Which account; nil where it is no account's.
        package let account: String?
        /// What for, as the system or the provider (`LAContext`) says it; nil where account and site say it.
        package let reason: String?
        /// How.
        package let method: VerificationMethod
        /// What was wrong with the answer before; shown as it is.
        package let error: String?

        /// A check by `method` before `account` is used for `service`.
        package init(
            provider: ProviderReference?, service: String?, account: String?, reason: String? = nil,
            method: VerificationMethod, error: String? = nil
        ) {
            self.reason = reason
            self.provider = provider
            self.service = service
            self.account = account
            self.method = method
            self.error = error
        }
    }

    /// The account of one site for another one.
    package struct OtherSite: Codable, Hashable, Sendable {
        /// Whose account it is.
        package let provider: ProviderReference
        /// The user name; of a code, how its provider calls it.
        package let account: String
        /// The site that the account is for; empty where its provider does not say.
        package let accountService: String
        /// The site that would get it.
        package let service: String

        /// `account` of `accountService` for `service`.
        package init(provider: ProviderReference, account: String, accountService: String, service: String) {
            self.provider = provider
            self.account = account
            self.accountService = accountService
            self.service = service
        }
    }

    /// A page asks for a passkey; nothing was chosen yet.
    package struct PasskeyChoice: Codable, Hashable, Sendable {
        /// What it is wanted for.
        package enum Purpose: String, Codable, Sendable {
            /// To sign in: each choice is an account.
            case signIn
            /// To make one: each choice is a provider that would keep it.
            case creation
        }

        /// What the person may choose.
        package struct Choice: Codable, Hashable, Sendable {
            /// Whose.
            package let provider: ProviderReference
            /// Which account.
            package let account: String

            /// `account` at `provider`.
            package init(provider: ProviderReference, account: String) {
                self.provider = provider
                self.account = account
            }
        }

        /// What it is wanted for.
        package let purpose: Purpose
        /// The site that asks.
        package let service: String
        /// To whom the passkey belongs, where that is another site of the same owner's.
        package let relyingParty: String?
        /// What there is to choose from, besides another device.
        package let choices: [Choice]

        /// `service` asks for one of `choices`.
        package init(purpose: Purpose, service: String, relyingParty: String? = nil, choices: [Choice]) {
            self.purpose = purpose
            self.service = service
            self.relyingParty = relyingParty
            self.choices = choices
        }
    }

    /// A provider that is to be turned on.
    package struct Enabling: Codable, Hashable, Sendable {
        /// Which.
        package let provider: ProviderReference
        /// The bundle's folder.
        package let path: String
        /// What it may reach beside its own folders, in words; empty for nothing.
        package let reaches: [String]
        /// Whether nothing confines it, because this machine cannot.
        package let isUnconfined: Bool
        /// Whether its processes run in namespaces, where other programs of the person can read their memory.
        package let isReadable: Bool

        /// `provider`, which lies at `path` and reaches `reaches`.
        package init(
            provider: ProviderReference, path: String, reaches: [String], isUnconfined: Bool, isReadable: Bool = false
        ) {
            self.provider = provider
            self.path = path
            self.reaches = reaches
            self.isUnconfined = isUnconfined
            self.isReadable = isReadable
        }
    }

    /// A site that a browser's profile fills for the first time.
    package struct NewSite: Codable, Hashable, Sendable {
        /// What the browser is called.
        package let program: String
        /// Which profile of it; nil where it names none.
        package let profile: String?
        /// The site.
        package let service: String
        /// Whose account it would get; nil where none is asked for yet.
        package let provider: ProviderReference?
        /// The account; nil where the provider does not say.
        package let account: String?

        /// `program` wants `account` of `provider` for `service`.
        package init(
            program: String, profile: String?, service: String, provider: ProviderReference?, account: String?
        ) {
            self.program = program
            self.profile = profile
            self.service = service
            self.provider = provider
            self.account = account
        }
    }

    /// A provider that somebody wants to look into with a debugger.
    package struct Debugging: Codable, Hashable, Sendable {
        /// Which.
        package let provider: ProviderReference
        /// The bundle's folder.
        package let path: String
        /// The program that asks, as the person knows it.
        package let program: String

        /// `program` wants to debug `provider`, which lies at `path`.
        package init(provider: ProviderReference, path: String, program: String) {
            self.provider = provider
            self.path = path
            self.program = program
        }
    }

    /// What is asked.
    package enum Question: Codable, Hashable, Sendable {
        /// May this program ask at all? Never put to a program that asks for itself.
        case consent(Consent)
        /// Is the person there?
        case verification(Verification)
        /// May another site have this account?
        case otherSite(OtherSite)
        /// May this profile fill a site that it never filled? Never put to the program that asks.
        case newSite(NewSite)
        /// May this provider run? Never put to the program that wants it.
        case enabling(Enabling)
        /// May this provider be turned off, which is all that verifies the person? Never put to the program that wants it.
        case disabling(ProviderReference)
        /// May a debugger look into this provider? Never put to the terminal that wants it.
        case debugging(Debugging)
        /// Which passkey, or whose?
        case passkey(PasskeyChoice)
        /// May this app, which the site does not name, ask for something of it?
        case application(UnnamedApplication)
        /// Which account for an app, or whose?
        case account(AccountChoice)
        /// How is the new account called?
        case newAccount(NewAccount)
        /// Which provider is to have everything that an app exports?
        case exchange(ExchangeChoice)
        /// Shall this password be kept?
        case saving(SavingPassword)
        /// Shall these one-time codes be set up? Never put to the program that wants it.
        case settingUpCode(SettingUpCode)
        /// Shall Keyway be set up? Never put to the program that wants it; nor is any question of the first run.
        case settingUp(SettingUp)
        /// Which master password shall there be?
        case newMasterPassword(NewMasterPassword)
        /// Which PIN shall there be?
        case newPIN(NewPIN)
        /// Nothing is asked: Keyway is set up.
        case isSetUp(SetUpSummary)
    }

    /// What the person answered.
    package enum Answer: Codable, Sendable {
        /// Yes.
        case allowed
        /// No.
        case refused
        /// Nobody decided: the person backed out or closed the window, or too many questions wait already.
        case cancelled
        /// What was typed for a verification, to be checked by whoever asked.
        case secret(InterfaceSecret)
        /// Which of the choices, counted from 0.
        case chosen(Int)
        /// Another device.
        case elsewhere
        /// The name that was typed.
        case named(String)
        /// No, and not to be asked again about this site.
        case never
        /// Nobody was asked: what would be kept is what is kept.
        case unchanged
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
}
