import AutoFillProtocol
import AutoFillWire

/// The choice of a passkey, in the words of a list.
enum PasskeySheet {
    private static let elsewhere = "elsewhere"

    static func interface(for question: AskPerson.PasskeyChoice, in language: SheetLanguage) -> ProviderInterface {
        let site = ["site": DisplayText.line(question.service)]
        let owner = question.relyingParty.map {
            language.text(.passkeyOwner, ["owner": DisplayText.line($0)])
        }
        let rows = question.choices.enumerated().map { index, choice in
            let account = DisplayText.line(choice.account)
            let provider = DisplayText.line(choice.provider.name)
            switch question.purpose {
            case .signIn:
                let subtitle = [owner, provider].compactMap { $0 }.joined(separator: " · ")
                return InterfaceList.Row(id: String(index), title: account, subtitle: subtitle)
            case .creation:
                let whose = language.text(.passkeyAccount, ["account": account])
                let subtitle = [whose, owner].compactMap { $0 }.joined(separator: " · ")
                return InterfaceList.Row(id: String(index), title: provider, subtitle: subtitle)
            }
        }
        let other = InterfaceList.Row(
            id: elsewhere, title: language.text(.anotherDevice), subtitle: language.text(.anotherDeviceDetail))
        return .list(
            InterfaceList(
                title: language.text(question.purpose == .signIn ? .passkeySignIn : .passkeyCreation, site),
                sections: [.init(rows: rows), .init(rows: [other])], search: .none))
    }

    /// What it means that the person chose `row`.
    static func answer(_ row: String) -> AskPerson.Answer {
        if row == elsewhere { return .elsewhere }
        return Int(row).map { .chosen($0) } ?? .cancelled
    }
}
