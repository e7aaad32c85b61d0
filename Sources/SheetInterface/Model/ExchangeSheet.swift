import AutoFillProtocol
import AutoFillWire

/// The choice of who is to have all accounts of a provider, in the words of a list.
enum ExchangeSheet {
    static func interface(for question: AskPerson.ExchangeChoice, in language: SheetLanguage) -> ProviderInterface {
        let rows = question.destinations.enumerated().map { index, provider in
            InterfaceList.Row(
                id: String(index), title: DisplayText.line(provider.name),
                subtitle: question.path.map { language.text(.exchangeAsked, ["program": DisplayText.line($0)]) })
        }
        return .list(
            InterfaceList(
                title: language.text(.exchangeTitle, ["provider": DisplayText.line(question.exporter.name)]),
                sections: [.init(rows: rows)], search: .none))
    }
}
