package import AutoFillProtocol
import AutoFillWire
package import KeywaySystem

/// Who asks and for what: drawn by the system, where no provider can draw.
package struct SheetHeader: Hashable, Sendable {
    /// Who asks.
    package let name: String
    /// What tells providers of the same name apart; nil when Keyway itself asks.
    package let identifier: String?
    /// For what site; nil for everything.
    package let service: String?
    /// Whether a provider that was just turned on is set up.
    package let isConfiguration: Bool
    /// Whether a debugger may look into who asks.
    package let isDebugged: Bool

    /// A request of `provider` for `service`.
    package init(provider: ProviderReference, service: String?, isConfiguration: Bool = false, isDebugged: Bool = false)
    {
        name = DisplayText.line(provider.name)
        identifier = DisplayText.line(provider.identifier)
        self.service = service.map(DisplayText.line)
        self.isConfiguration = isConfiguration
        self.isDebugged = isDebugged
    }

    /// A question of Keyway itself.
    package init(system service: String?) {
        name = "Keyway"
        identifier = nil
        self.service = service.map(DisplayText.line)
        isConfiguration = false
        isDebugged = false
    }
}

/// What one window shows at one time.
package struct Sheet: Hashable, Sendable {
    /// What stands between header and footer.
    package enum Content: Hashable, Sendable {
        /// What a provider described, or the system did in the same words; every text made harmless.
        case interface(ProviderInterface)
        /// A question of the system's own that is answered with yes or no.
        case decision(Decision)
    }

    /// Who asks and for what.
    package let header: SheetHeader
    /// What is asked.
    package let content: Content
    /// Whether everything else goes first: any program can bring it about that this is asked, by asking itself.
    package let givesWay: Bool
    /// What the fields of a form are for, where the person chooses a secret there and types it twice.
    package let newSecret: NewSecret?

    private init(header: SheetHeader, content: Content, givesWay: Bool = false, newSecret: NewSecret? = nil) {
        self.header = header
        self.content = content
        self.givesWay = givesWay
        self.newSecret = newSecret
    }

    /// What a provider described.
    ///
    /// - Throws: ``ProtocolError`` with the code `invalidParameters` when it is over the bounds of an interface.
    package init(header: SheetHeader, interface: ProviderInterface) throws(ProtocolError) {
        self.header = header
        content = .interface(try interface.bounded())
        givesWay = false
        newSecret = nil
    }

    /// What a message of the broker shows.
    ///
    /// - Throws: ``ProtocolError`` with the code `invalidParameters` when it is over the bounds of an interface.
    package init(_ message: PresentationShow.Parameters) throws(ProtocolError) {
        try self.init(
            header: SheetHeader(
                provider: message.provider, service: message.service,
                isConfiguration: message.purpose == .configuration, isDebugged: message.isDebugged ?? false),
            interface: message.interface)
    }

    /// A question of the system's own.
    package init(_ question: AskPerson.Question, in language: SheetLanguage) {
        switch question {
        case .consent(let consent):
            self.init(
                header: SheetHeader(system: nil), content: .decision(Decision(consent, in: language)), givesWay: true)
        case .otherSite(let question):
            self.init(
                header: SheetHeader(system: question.service), content: .decision(Decision(question, in: language)))
        case .newSite(let question):
            self.init(
                header: SheetHeader(system: question.service), content: .decision(Decision(question, in: language)),
                givesWay: true)
        case .enabling(let question):
            self.init(
                header: SheetHeader(system: nil), content: .decision(Decision(question, in: language)), givesWay: true)
        case .disabling(let provider):
            self.init(
                header: SheetHeader(system: nil), content: .decision(Decision(turningOff: provider, in: language)),
                givesWay: true)
        case .debugging(let question):
            self.init(
                header: SheetHeader(system: nil), content: .decision(Decision(question, in: language)), givesWay: true)
        case .passkey(let question):
            self.init(
                header: SheetHeader(system: question.service),
                content: .interface(PasskeySheet.interface(for: question, in: language)))
        case .application(let question):
            self.init(
                header: SheetHeader(system: question.service), content: .decision(Decision(question, in: language)),
                givesWay: true)
        case .account(let question):
            self.init(
                header: SheetHeader(system: question.service),
                content: .interface(AccountSheet.interface(for: question, in: language)), givesWay: true)
        case .newAccount(let question):
            self.init(
                header: SheetHeader(system: question.service),
                content: .interface(AccountSheet.interface(for: question, in: language)), givesWay: true)
        case .exchange(let question):
            self.init(
                header: SheetHeader(system: nil),
                content: .interface(ExchangeSheet.interface(for: question, in: language)), givesWay: true)
        case .saving(let question):
            // A page can bring it about, and does not keep a fill that the person began waiting.
            self.init(
                header: SheetHeader(system: question.service), content: .decision(Decision(question, in: language)),
                givesWay: true)
        case .settingUpCode(let question):
            self.init(
                header: SheetHeader(system: nil), content: .decision(Decision(question, in: language)), givesWay: true)
        case .settingUp(let question):
            self.init(
                header: SheetHeader(system: nil), content: .decision(Decision(question, in: language)), givesWay: true)
        case .newMasterPassword(let question):
            self.init(
                header: SheetHeader(system: nil),
                content: .interface(FirstRunSheet.interface(for: question, in: language)), newSecret: .masterPassword)
        case .newPIN(let question):
            self.init(
                header: SheetHeader(system: nil),
                content: .interface(FirstRunSheet.interface(for: question, in: language)), newSecret: .pin)
        case .isSetUp(let summary):
            self.init(
                header: SheetHeader(system: nil),
                content: .interface(FirstRunSheet.interface(for: summary, in: language)))
        case .verification(let verification):
            // Not bounded like a provider's: the marks that keep a name's direction to itself would be lost.
            self.init(
                header: SheetHeader(system: verification.service),
                content: .interface(VerificationSheet.interface(for: verification, in: language)))
        }
    }
}
