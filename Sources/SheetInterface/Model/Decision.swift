package import AutoFillProtocol
import AutoFillWire

/// A yes-or-no question of Keyway. All texts in it that come from others are safe to show.
package struct Decision: Hashable, Sendable {
    /// One thing to know before the answer.
    package struct Fact: Hashable, Sendable {
        /// What kind of thing it is.
        package enum Kind: Hashable, Sendable {
            /// Who or what is concerned.
            case name
            /// What would become possible.
            case ability
            /// What speaks for it.
            case assurance
            /// What speaks against it.
            case warning
            /// Who or what is concerned, which speaks against it.
            case doubtfulName
        }

        /// What kind of thing it is.
        package let kind: Kind
        /// What is said.
        package let title: String
        /// More of it; empty for nothing.
        package let detail: String

        /// A fact of `kind`.
        init(_ kind: Kind, _ title: String, _ detail: String = "") {
            self.kind = kind
            self.title = title
            self.detail = detail
        }
    }

    /// The most facts of one kind that are shown; what is left out is counted.
    private static let limit = 40

    /// The question.
    package let title: String
    /// What the answer means, in a sentence; empty where the facts say it.
    package let text: String
    /// What to know before the answer.
    package let facts: [Fact]
    /// What the buttons say.
    package let buttons: Buttons

    /// What the buttons of a question say.
    package struct Buttons: Hashable, Sendable {
        /// On the one that refuses.
        package let refuse: String
        /// On the one that allows.
        package let allow: String
        /// On the one that refuses for good; nil where there is none.
        package let never: String?

        /// The usual ones.
        init(in language: SheetLanguage) {
            self.init(refuse: language.text(.refuse), allow: language.text(.allow))
        }

        /// Buttons that say this.
        init(refuse: String, allow: String, never: String? = nil) {
            self.refuse = refuse
            self.allow = allow
            self.never = never
        }
    }

    /// Whether something speaks against yes.
    package var isRisky: Bool { facts.contains { $0.kind == .warning || $0.kind == .doubtfulName } }

    /// May this program ask at all?
    package init(_ consent: AskPerson.Consent, in language: SheetLanguage) {
        buttons = Buttons(in: language)
        title = language.text(.consentTitle, ["program": DisplayText.line(consent.program)])
        text = ""
        var facts: [Fact] = []
        if !consent.path.isEmpty { facts.append(Fact(.name, language.text(.program), DisplayText.line(consent.path))) }
        if let browser = consent.browser {
            facts.append(Fact(.name, language.text(.startedBy), DisplayText.line(browser)))
        }
        if let profile = consent.profile {
            facts.append(Fact(.name, language.text(.profile), DisplayText.line(profile)))
        }
        // The group proves whose helper asks, and not which program feeds it: any could have started the browser.
        facts.append(
            consent.isKnown
                ? consent.path.isEmpty
                    ? Fact(.assurance, language.text(.programKnown))
                    : Fact(.warning, language.text(.helperKnown), language.text(.helperKnownDetail))
                : Fact(.warning, language.text(.programUnknown), language.text(.programUnknownDetail)))
        // In one order, and each once, whoever asks.
        facts += AskPerson.Permission.allCases.filter(consent.permissions.contains).map {
            Fact(.ability, language.text($0.text))
        }
        self.facts = facts
    }

    /// May another site have this account?
    package init(_ question: AskPerson.OtherSite, in language: SheetLanguage) {
        buttons = Buttons(in: language)
        let other = DisplayText.line(question.accountService)
        let values = [
            "site": DisplayText.line(question.service), "other": other,
            "provider": DisplayText.line(question.provider.name),
        ]
        title = language.text(.otherSiteTitle)
        text = language.text(other.isEmpty ? .unknownSite : .otherSite, values)
        var facts = [Fact(.name, language.text(.account), DisplayText.line(question.account))]
        if !other.isEmpty { facts.append(Fact(.name, language.text(.savedFor), other)) }
        facts.append(Fact(.doubtfulName, language.text(.wouldGoTo), DisplayText.line(question.service)))
        facts.append(Fact(.name, language.text(.provider), DisplayText.line(question.provider.name)))
        self.facts = facts
    }

    /// May this profile fill a site that it never filled?
    package init(_ question: AskPerson.NewSite, in language: SheetLanguage) {
        buttons = Buttons(in: language)
        let values = ["program": DisplayText.line(question.program), "site": DisplayText.line(question.service)]
        title = language.text(.newSiteTitle, values)
        text = language.text(.newSite, values)
        var facts: [Fact] = []
        if let account = question.account {
            facts.append(Fact(.name, language.text(.account), DisplayText.line(account)))
        }
        facts.append(Fact(.name, language.text(.wouldGoTo), DisplayText.line(question.service)))
        if let provider = question.provider {
            facts.append(Fact(.name, language.text(.provider), DisplayText.line(provider.name)))
        }
        if let profile = question.profile {
            facts.append(Fact(.name, language.text(.profile), DisplayText.line(profile)))
        }
        self.facts = facts
    }

    /// May this app, which the site does not name, ask for something of it?
    package init(_ question: AskPerson.UnnamedApplication, in language: SheetLanguage) {
        buttons = Buttons(in: language)
        let site = DisplayText.line(question.service)
        title = language.text(
            question.purpose.text, ["program": DisplayText.line(question.program), "site": site])
        text = ""
        facts = [
            Fact(.name, language.text(.program), DisplayText.line(question.path)),
            Fact(.warning, language.text(.appUnnamed, ["site": site]), language.text(.appUnnamedDetail)),
        ]
    }

    /// May the provider be turned off that alone verifies the person?
    package init(turningOff provider: ProviderReference, in language: SheetLanguage) {
        buttons = Buttons(in: language)
        let name = DisplayText.line(provider.name)
        title = language.text(.disablingTitle, ["provider": name])
        text = ""
        facts = [
            Fact(.warning, language.text(.disabling), language.text(.disablingDetail, ["provider": name])),
            Fact(.name, language.text(.identifier), DisplayText.line(provider.identifier)),
        ]
    }

    /// May this provider run?
    package init(_ question: AskPerson.Enabling, in language: SheetLanguage) {
        buttons = Buttons(in: language)
        title = language.text(.enablingTitle, ["provider": DisplayText.line(question.provider.name)])
        let isFree = question.isUnconfined && question.reaches.isEmpty
        text = language.text(isFree ? .enablingFreely : .enabling)
        var facts: [Fact] = []
        if question.isUnconfined {
            facts.append(Fact(.warning, language.text(.unconfined), language.text(.unconfinedDetail)))
        }
        if question.isReadable {
            facts.append(Fact(.warning, language.text(.readable), language.text(.readableDetail)))
        }
        facts += question.reaches.prefix(Self.limit).map {
            Fact(.ability, language.text(ofBroker: DisplayText.line($0)))
        }
        if question.reaches.count > Self.limit {
            facts.append(
                Fact(.warning, language.text(.more, ["number": String(question.reaches.count - Self.limit)])))
        } else if question.reaches.isEmpty && !question.isUnconfined {
            facts.append(Fact(.ability, language.text(.reachesNothing)))
        }
        facts.append(Fact(.name, language.text(.identifier), DisplayText.line(question.provider.identifier)))
        facts.append(Fact(.name, language.text(.folder), DisplayText.line(question.path)))
        self.facts = facts
    }
}

extension Decision {
    /// May a debugger look into this provider?
    package init(_ question: AskPerson.Debugging, in language: SheetLanguage) {
        buttons = Buttons(in: language)
        title = language.text(.debuggingTitle, ["provider": DisplayText.line(question.provider.name)])
        text = ""
        facts = [
            Fact(.warning, language.text(.debuggingRisk), language.text(.debuggingRiskDetail)),
            Fact(.name, language.text(.program), DisplayText.line(question.program)),
            Fact(.name, language.text(.identifier), DisplayText.line(question.provider.identifier)),
            Fact(.name, language.text(.folder), DisplayText.line(question.path)),
        ]
    }
}

extension Decision {
    /// Shall this password be kept?
    package init(_ question: AskPerson.SavingPassword, in language: SheetLanguage) {
        let site = DisplayText.line(question.service)
        let provider = DisplayText.line(question.provider.name)
        // The scheme stands below, where it can be read. What would be replaced is named where it is: a page of one host
        // must not have the password of another one replaced in its own name.
        let named = question.storedFor.map(DisplayText.line) ?? site
        let host = named.split(separator: "/", omittingEmptySubsequences: false).last.map(String.init) ?? named
        title = language.text(question.replaces ? .replacingTitle : .savingTitle, ["site": host])
        text = ""
        var facts: [Fact] = []
        let account = DisplayText.line(question.account)
        facts.append(Fact(.name, language.text(.account), account.isEmpty ? language.text(.noUserName) : account))
        facts.append(Fact(.name, language.text(.sentFrom), site))
        facts.append(Fact(.name, language.text(.savedIn), provider))
        if question.replaces {
            facts.append(
                Fact(.warning, language.text(.replacing, ["provider": provider]), language.text(.replacingDetail)))
        }
        if !question.isEncrypted {
            facts.append(Fact(.warning, language.text(.unencrypted), language.text(.unencryptedDetail)))
        }
        self.facts = facts
        buttons = Buttons(
            refuse: language.text(.notNow), allow: language.text(question.replaces ? .replace : .save),
            never: language.text(.neverForSite))
    }
}

extension Decision {
    /// Shall these one-time codes be set up?
    package init(_ question: AskPerson.SettingUpCode, in language: SheetLanguage) {
        let issuer = DisplayText.line(question.issuer)
        let account = DisplayText.line(question.account)
        // A link says what the issuer is called, so it stands among the facts, and not where Keyway speaks.
        title = language.text(.codesTitle)
        text = language.text(.codesFrom)
        facts = [
            Fact(.name, language.text(.codesIssuer), issuer.isEmpty ? language.text(.noIssuer) : issuer),
            Fact(.name, language.text(.account), account.isEmpty ? language.text(.noUserName) : account),
            Fact(.name, language.text(.savedIn), DisplayText.line(question.provider.name)),
        ]
        buttons = Buttons(refuse: language.text(.notNow), allow: language.text(.setUpCodes))
    }
}

extension Decision {
    /// Shall Keyway be set up?
    package init(_ question: AskPerson.SettingUp, in language: SheetLanguage) {
        let enabling = Decision(question.provider, in: language)
        title = language.text(.settingUpTitle)
        text = language.text(.settingUp, ["provider": DisplayText.line(question.provider.provider.name)])
        facts = enabling.facts
        buttons = Buttons(
            refuse: language.text(.notNow), allow: language.text(.setUpCodes), never: language.text(.never))
    }
}

extension AskPerson.Permission {
    fileprivate var text: SheetText {
        switch self {
        case .seeAccounts: .seeAccounts
        case .receiveCredentials: .receiveCredentials
        case .changeProviders: .changeProviders
        case .useService: .useService
        }
    }
}

extension AskPerson.ApplicationPurpose {
    fileprivate var text: SheetText {
        switch self {
        case .signIn: .appSignIn
        case .creation: .appCreation
        case .save: .appSaving
        case .report: .appReport
        }
    }
}
