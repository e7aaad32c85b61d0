import AutoFillProtocol
import AutoFillWire
import Testing

@testable import SheetInterface

/// Who is to have all accounts of a provider.
@Suite struct ExchangeSheetTests {
    private struct NotThat: Error {}

    private func list(_ path: String?, in language: SheetLanguage = .english) throws -> InterfaceList {
        let question = AskPerson.ExchangeChoice(
            exporter: ProviderReference(identifier: "org.example.manager", name: "Man\u{202E}ager"), path: path,
            destinations: ["One", "Two\n"].map { .init(identifier: "org.example.\($0)", name: $0) })
        let sheet = Sheet(.exchange(question), in: language)
        guard case .interface(.list(let list)) = sheet.content else { throw NotThat() }
        #expect(sheet.header == SheetHeader(system: nil))
        return list
    }

    @Test func eachProviderIsARow() throws {
        let rows = try list(nil).sections.flatMap(\.rows)
        #expect(rows.map(\.id) == ["0", "1"])
        #expect(rows.map(\.title) == ["One", DisplayText.line("Two\n")])
        #expect(rows.allSatisfy { $0.subtitle == nil })
    }

    @Test func whoseAccountsGoAndWhichProgramAsksIsSaid() throws {
        let list = try list("/opt/\u{1B}bank")
        #expect(list.title.contains(DisplayText.line("Man\u{202E}ager")) && !list.title.contains("\u{202E}"))
        #expect(list.sections[0].rows[0].subtitle?.contains(DisplayText.line("/opt/\u{1B}bank")) == true)
    }

    @Test(arguments: ["de", "ar"]) func itIsTranslated(language: String) throws {
        let here = SheetLanguage(environment: ["LANG": language])
        #expect(try list("/opt/bank", in: here).title != list("/opt/bank").title)
    }
}
