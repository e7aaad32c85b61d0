package import AutoFillProtocol

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

    /// A request of `provider` for `service`.
    package init(provider: ProviderReference, service: String?, isConfiguration: Bool = false) {
        name = DisplayText.line(provider.name)
        identifier = DisplayText.line(provider.identifier)
        self.service = service.map(DisplayText.line)
        self.isConfiguration = isConfiguration
    }

    /// A question of Keyway itself.
    package init(system service: String?) {
        name = "Keyway"
        identifier = nil
        self.service = service.map(DisplayText.line)
        isConfiguration = false
    }
}

/// What one window shows at one time.
package struct Sheet: Hashable, Sendable {
    /// What stands between header and footer.
    package enum Content: Hashable, Sendable {
        /// What a provider described, or the system did in the same words; every text made harmless.
        case interface(ProviderInterface)
        /// The question whether a program may ask.
        case consent(AskPerson.Consent)
    }

    /// Who asks and for what.
    package let header: SheetHeader
    /// What is asked.
    package let content: Content

    private init(header: SheetHeader, content: Content) {
        self.header = header
        self.content = content
    }

    /// What a provider described.
    ///
    /// - Throws: ``ProtocolError`` with the code `invalidParameters` when it is over the bounds of an interface.
    package init(header: SheetHeader, interface: ProviderInterface) throws(ProtocolError) {
        self.header = header
        content = .interface(try interface.bounded())
    }

    /// What a message of the broker shows.
    ///
    /// - Throws: ``ProtocolError`` with the code `invalidParameters` when it is over the bounds of an interface.
    package init(_ message: PresentationShow.Parameters) throws(ProtocolError) {
        try self.init(
            header: SheetHeader(
                provider: message.provider, service: message.service,
                isConfiguration: message.purpose == .configuration),
            interface: message.interface)
    }

    /// A question of the system's own.
    ///
    /// - Throws: ``ProtocolError`` with the code `invalidParameters`: never for a question of ours.
    package init(_ question: AskPerson.Question, in language: SheetLanguage) throws(ProtocolError) {
        switch question {
        case .consent(let consent):
            let harmless = AskPerson.Consent(
                program: DisplayText.line(consent.program), path: DisplayText.line(consent.path),
                permissions: AskPerson.Permission.allCases.filter(consent.permissions.contains))
            self.init(header: SheetHeader(system: nil), content: .consent(harmless))
        case .otherSite(let question):
            try self.init(
                header: SheetHeader(system: question.service),
                interface: DecisionSheet.interface(for: question, in: language))
        case .enabling(let question):
            try self.init(
                header: SheetHeader(system: nil), interface: DecisionSheet.interface(for: question, in: language))
        case .verification(let verification):
            try self.init(
                header: SheetHeader(system: verification.service),
                interface: VerificationSheet.interface(for: verification, in: language))
        }
    }
}

/// The check of who is there, in the words of a form or of progress.
enum VerificationSheet {
    /// The field that the answer is typed into.
    static let field = "answer"

    static func interface(
        for verification: AskPerson.Verification, in language: SheetLanguage
    ) -> ProviderInterface {
        let purpose = purpose(of: verification, in: language)
        let label: SheetText? =
            switch verification.method {
            case .pin: .pinLabel
            case .loginPassword: .loginPasswordLabel
            case .masterPassword: .masterPasswordLabel
            case .fingerprint, .system, .providerInterface: nil
            }
        guard let label else {
            let how = language.text(verification.method == .fingerprint ? .touchSensor : .verifyElsewhere)
            return .progress(InterfaceProgress(title: how, text: purpose))
        }
        return .form(
            InterfaceForm(
                title: language.text(.verifyTitle), explanation: purpose,
                fields: [.init(id: field, label: language.text(label), kind: .secure)],
                submitTitle: language.text(.verify), error: verification.error))
    }

    private static func purpose(of verification: AskPerson.Verification, in language: SheetLanguage) -> String {
        guard let account = verification.account else { return DisplayText.line(verification.reason ?? "") }
        let values = [
            "account": DisplayText.line(account), "site": DisplayText.line(verification.service ?? ""),
            "provider": DisplayText.line(verification.provider?.name ?? ""),
        ]
        return language.text(verification.service == nil ? .verifyAccount : .verifyAccountForSite, values)
    }
}

/// Questions that are answered with yes or no, in the words of a message.
enum DecisionSheet {
    /// The button that says yes.
    static let allow = "allow"

    /// May another site have this account?
    static func interface(for question: AskPerson.OtherSite, in language: SheetLanguage) -> ProviderInterface {
        let values = [
            "account": DisplayText.line(question.account), "site": DisplayText.line(question.service),
            "other": DisplayText.line(question.accountService),
        ]
        return .message(
            InterfaceMessage(
                title: language.text(.otherSiteTitle, values), text: language.text(.otherSite, values), style: .warning,
                actions: [.init(id: allow, title: language.text(.allow))]))
    }

    /// May this provider run?
    static func interface(for question: AskPerson.Enabling, in language: SheetLanguage) -> ProviderInterface {
        let values = ["provider": DisplayText.line(question.provider.name), "path": DisplayText.line(question.path)]
        var lines = [language.text(question.reaches.isEmpty ? .reachesNothing : .reaches, values)]
        lines += question.reaches.map(DisplayText.line)
        if question.isUnconfined { lines.append(language.text(.unconfined, values)) }
        return .message(
            InterfaceMessage(
                title: language.text(.enablingTitle, values), text: lines.joined(separator: "\n"),
                style: question.isUnconfined ? .warning : .information,
                actions: [.init(id: allow, title: language.text(.allow))]))
    }
}
