import AutoFillProtocol
import AutoFillWire
import KeywaySystem
import TerminalInterface

/// One question of the system's as the terminal shows it, and what the person's doing means for it.
struct PersonQuestion {
    private static let secret = "secret"
    private static let allow = "allow"
    private static let elsewhere = "elsewhere"
    private static let name = "name"

    private let question: AskPerson.Question

    init(_ question: AskPerson.Question) {
        self.question = question
    }

    /// What is shown, under the system's own name.
    ///
    /// - Throws: ``ProtocolError`` with the code `interactionRequired` for what a terminal does not answer: consent.
    func presentation() throws(ProtocolError) -> Presentation {
        switch question {
        case .verification(let verification):
            return try Presentation(
                header: PresentationHeader(service: verification.service), interface: try interface(verification))
        case .otherSite(let site):
            let message = InterfaceMessage(
                title: Strings.otherSite,
                text: Strings.otherSite(site), style: .warning,
                actions: [.init(id: Self.allow, title: Strings.giveTo(DisplayText.line(site.service)))])
            // Whoever presses Enter out of habit gives nothing away.
            return try Presentation(
                header: PresentationHeader(service: site.service), interface: .message(message), cancelsFirst: true)
        case .passkey(let choice):
            return try Presentation(
                header: PresentationHeader(service: choice.service), interface: interface(choice))
        case .application(let app):
            let message = InterfaceMessage(
                title: Strings.unnamedApplication, text: Strings.unnamedApplication(app), style: .warning,
                actions: [.init(id: Self.allow, title: Strings.allowApplication)])
            return try Presentation(
                header: PresentationHeader(service: app.service), interface: .message(message), cancelsFirst: true)
        case .account(let choice):
            return try Presentation(header: PresentationHeader(service: choice.service), interface: interface(choice))
        case .newAccount(let account):
            return try Presentation(
                header: PresentationHeader(service: account.service),
                interface: .form(
                    InterfaceForm(
                        title: Strings.newAccount, explanation: Strings.newAccount(account),
                        fields: [.init(id: Self.name, label: Strings.accountName, kind: .text(initial: ""))],
                        submitTitle: Strings.goOn)))
        case .exchange(let choice):
            return try Presentation(header: PresentationHeader(service: nil), interface: interface(choice))
        case .consent, .newSite, .enabling, .disabling, .debugging, .saving, .settingUpCode, .settingUp,
            .newMasterPassword, .newPIN, .isSetUp:
            throw ProtocolError(.interactionRequired, Strings.noConsentHere)
        }
    }

    /// What the person answered by `event`.
    func answer(_ event: InterfaceEvent) -> AskPerson.Answer {
        switch (question, event) {
        case (.verification, .submitted(let values)):
            guard case .secret(let secret) = values[Self.secret] else { return .refused }
            return .secret(secret)
        case (.otherSite, .activated(Self.allow)), (.application, .activated(Self.allow)): return .allowed
        case (.account, .chose(let row)), (.exchange, .chose(let row)): return Int(row).map { .chosen($0) } ?? .refused
        case (.newAccount, .submitted(let values)):
            guard case .text(let name) = values[Self.name] else { return .refused }
            return .named(name)
        case (.passkey, .chose(let row)):
            if row == Self.elsewhere { return .elsewhere }
            return Int(row).map { .chosen($0) } ?? .refused
        default: return .refused
        }
    }

    private func interface(_ choice: AskPerson.PasskeyChoice) -> ProviderInterface {
        let rows = choice.choices.enumerated().map { index, one in
            let (account, provider) = (DisplayText.line(one.account), DisplayText.line(one.provider.name))
            return choice.purpose == .signIn
                ? InterfaceList.Row(id: String(index), title: account, subtitle: provider)
                : InterfaceList.Row(id: String(index), title: provider, subtitle: account)
        }
        let other = InterfaceList.Row(id: Self.elsewhere, title: Strings.anotherDevice)
        return .list(
            InterfaceList(
                title: choice.purpose == .signIn ? Strings.passkeySignIn : Strings.passkeyCreation,
                sections: [.init(rows: rows), .init(rows: [other])], search: .none))
    }

    private func interface(_ choice: AskPerson.AccountChoice) -> ProviderInterface {
        let rows = choice.choices.enumerated().map { index, one in
            let provider = one.provider.map { DisplayText.line($0.name) }
            let account = one.account.map(DisplayText.line)
            return switch (provider, account) {
            case (nil, _): InterfaceList.Row(id: String(index), title: Strings.ownWay(one.method, of: choice.program))
            case (let provider?, _) where one.isNew:
                InterfaceList.Row(
                    id: String(index), title: provider,
                    subtitle: [Strings.newPasskey, account].compactMap { $0 }.joined(separator: ", "))
            case (let provider?, nil): InterfaceList.Row(id: String(index), title: Strings.allAccounts(provider))
            case (let provider?, let account?):
                InterfaceList.Row(
                    id: String(index), title: account.isEmpty ? Strings.noUserName : account,
                    subtitle: [Strings.kind(one.kind), one.service, provider].compactMap { $0.map(DisplayText.line) }
                        .joined(separator: ", "))
            }
        }
        return .list(
            InterfaceList(
                title: choice.purpose == .creation
                    ? Strings.passkeyCreation : Strings.accountFor(DisplayText.line(choice.program)),
                sections: [.init(rows: rows)], search: .none))
    }

    private func interface(_ choice: AskPerson.ExchangeChoice) -> ProviderInterface {
        let rows = choice.destinations.enumerated().map { index, provider in
            InterfaceList.Row(
                id: String(index), title: DisplayText.line(provider.name),
                subtitle: choice.path.map { Strings.exchangeAsked(DisplayText.line($0)) })
        }
        return .list(
            InterfaceList(
                title: Strings.exchange(DisplayText.line(choice.exporter.name)), sections: [.init(rows: rows)],
                search: .none))
    }

    private func interface(_ verification: AskPerson.Verification) throws(ProtocolError) -> ProviderInterface {
        let explanation = Strings.whatFor(verification)
        switch verification.method {
        case .pin, .loginPassword, .masterPassword:
            let label = Strings.secretLabel(verification)
            return .form(
                InterfaceForm(
                    title: Strings.verification, explanation: explanation,
                    fields: [.init(id: Self.secret, label: label, kind: .secure)], submitTitle: Strings.confirm,
                    error: verification.error))
        case .fingerprint, .system:
            let isFinger = verification.method == .fingerprint
            let said = [verification.error, explanation].compactMap { $0 }.joined(separator: " ")
            return .progress(
                InterfaceProgress(
                    title: isFinger ? Strings.layFinger : Strings.systemAsks, text: said.isEmpty ? nil : said))
        case .providerInterface: throw ProtocolError(.invalidParameters, Strings.providerAsks)
        }
    }
}
