import AutoFillProtocol
import AutoFillWire

/// The choice of an account for an app, and the name of a new one, in the words of a list and a form.
enum AccountSheet {
    /// The field that a name is typed into.
    static let field = "name"

    static func interface(for question: AskPerson.AccountChoice, in language: SheetLanguage) -> ProviderInterface {
        let values = ["site": DisplayText.line(question.service), "program": DisplayText.line(question.program)]
        let rows = question.choices.enumerated().map { index, choice in
            row(String(index), choice, values, in: language)
        }
        return .list(
            InterfaceList(
                title: language.text(question.purpose == .creation ? .passkeyCreation : .appChoice, values),
                sections: [.init(rows: rows)], search: .none))
    }

    static func interface(for question: AskPerson.NewAccount, in language: SheetLanguage) -> ProviderInterface {
        let values = ["site": DisplayText.line(question.service), "program": DisplayText.line(question.program)]
        return .form(
            InterfaceForm(
                title: language.text(.newAccountTitle, values), explanation: language.text(.newAccountText, values),
                fields: [.init(id: field, label: language.text(.newAccountLabel), kind: .text(initial: ""))],
                submitTitle: language.text(.goOn)))
    }

    private static func row(
        _ id: String, _ choice: AskPerson.AccountChoice.Choice, _ values: [String: String],
        in language: SheetLanguage
    ) -> InterfaceList.Row {
        guard let provider = choice.provider.map({ DisplayText.line($0.name) }) else {
            return InterfaceList.Row(id: id, title: language.text(own(choice.method), values))
        }
        if choice.isNew {
            let account = choice.account.map {
                language.text(.passkeyAccount, ["account": DisplayText.line($0)])
            }
            let subtitle = [language.text(.newPasskey), account].compactMap { $0 }.joined(separator: " · ")
            return InterfaceList.Row(id: id, title: provider, subtitle: subtitle)
        }
        guard let account = choice.account else {
            return InterfaceList.Row(id: id, title: language.text(.allAccounts, ["provider": provider]))
        }
        let how = language.text(choice.kind == .passkey ? .withPasskey : .withPassword)
        // Where it is kept for another name of the same app's, that is said.
        let elsewhere = choice.service.map(DisplayText.line).flatMap { $0 == values["site"] ? nil : $0 }
        let subtitle = [how, elsewhere, provider].compactMap { $0 }.joined(separator: " · ")
        return InterfaceList.Row(id: id, title: DisplayText.line(account), subtitle: subtitle)
    }

    private static func own(_ method: String?) -> SheetText {
        switch method {
        case "videoSubscriberAccount": .ownTelevision
        case "restorePurchase": .ownPurchase
        default: .ownWay
        }
    }
}
