import AutoFillProtocol
import AutoFillWire
import Testing

@testable import SheetInterface

/// What apps ask for: whether they may, which account, and how a new one is called.
@Suite struct AccountSheetTests {
    private static let provider = ProviderReference(identifier: "org.example.manager", name: "Manager")

    private struct NotThat: Error {}

    private func list(
        _ choices: [AskPerson.AccountChoice.Choice], _ purpose: AskPerson.ApplicationPurpose = .signIn,
        in language: SheetLanguage = .english
    ) throws -> (header: SheetHeader, list: InterfaceList) {
        let question = AskPerson.AccountChoice(
            program: "Bank\u{202E}", purpose: purpose, service: "a.example", choices: choices)
        let sheet = Sheet(.account(question), in: language)
        guard case .interface(.list(let list)) = sheet.content else { throw NotThat() }
        return (sheet.header, list)
    }

    @Test func eachAccountSaysHowItSignsInAndWhereItIsKept() throws {
        let (header, list) = try list([
            .init(provider: Self.provider, account: "ada", service: "a.example", kind: .passkey),
            .init(provider: Self.provider, account: "eve", service: "b.example", kind: .password),
            .init(provider: Self.provider),
        ])
        #expect(header == SheetHeader(system: "a.example"))
        #expect(list.title.contains("Bank") && !list.title.contains("\u{202E}"))
        let rows = list.sections.flatMap(\.rows)
        #expect(rows.map(\.id) == ["0", "1", "2"])
        #expect(rows[0].title == "ada" && rows[1].title == "eve" && rows[2].title.contains("Manager"))
        #expect(rows[0].subtitle?.hasSuffix(" · Manager") == true && rows[0].subtitle?.contains("a.example") == false)
        #expect(rows[1].subtitle?.contains(" · b.example · Manager") == true)
        #expect(rows[0].subtitle != rows[1].subtitle)
    }

    @Test func aNewPasskeyNamesItsKeeperAndItsAccount() throws {
        let list = try list([.init(provider: Self.provider, account: "ada", isNew: true)], .creation).list
        #expect(list.sections[0].rows[0].title == "Manager")
        #expect(list.sections[0].rows[0].subtitle?.contains("ada") == true)
        #expect(try list.title != self.list([], .signIn).list.title)
    }

    @Test func theAppsOwnWaysAreInTheSystemsWords() throws {
        let methods = ["restorePurchase", "videoSubscriberAccount", "Click here!"]
        let rows = try list(methods.map { .init(provider: nil, method: $0) }).list.sections[0].rows
        #expect(Set(rows.map(\.title)).count == 3)
        #expect(!rows.contains { row in methods.contains { row.title.contains($0) } })
    }

    @Test func namesAreTextOfOneLine() throws {
        let name = "a\u{202E}da\n\u{1B}[2J"
        let rows = try list([.init(provider: Self.provider, account: name, service: "a.example", kind: .passkey)]).list
            .sections[0].rows
        #expect(rows[0].title == DisplayText.line(name))
    }

    @Test func aNewAccountIsNamedInAField() throws {
        let sheet = Sheet(.newAccount(.init(program: "Bank", service: "a.example")), in: .english)
        guard case .interface(.form(let form)) = sheet.content else { throw NotThat() }
        #expect(form.fields.map(\.id) == [AccountSheet.field])
        #expect(form.explanation?.contains("Bank") == true && form.title.contains("a.example"))
        guard case .text(initial: "") = form.fields[0].kind else { throw NotThat() }
    }

    @Test(arguments: [AskPerson.ApplicationPurpose.signIn, .creation, .report, .save])
    func anAppThatTheSiteDoesNotNameIsShownWithItsFile(purpose: AskPerson.ApplicationPurpose) throws {
        let question = AskPerson.UnnamedApplication(
            program: "Bank", path: "/home/ada/\u{202E}bank", purpose: purpose, service: "a.example")
        let sheet = Sheet(.application(question), in: .english)
        guard case .decision(let decision) = sheet.content else { throw NotThat() }
        #expect(sheet.header == SheetHeader(system: "a.example"))
        #expect(decision.title.contains("Bank") && decision.title.contains("a.example"))
        #expect(decision.facts.contains(.init(.name, "Program", "/home/ada/bank")))
        #expect(decision.isRisky)
    }

    @Test func eachPurposeIsAskedInItsOwnWords() throws {
        let titles = AskPerson.ApplicationPurpose.allCases.map { purpose -> String in
            let question = AskPerson.UnnamedApplication(
                program: "Bank", path: "/b", purpose: purpose, service: "a.example")
            guard case .decision(let decision) = Sheet(.application(question), in: .english).content else { return "" }
            return decision.title
        }
        #expect(Set(titles).count == titles.count && !titles.contains(""))
    }

    @Test(arguments: ["de", "ar"]) func itIsAskedInTheLanguageOfThePerson(tag: String) throws {
        let language = SheetLanguage(environment: ["LANG": "\(tag).UTF-8"])
        let choices: [AskPerson.AccountChoice.Choice] = [
            .init(provider: Self.provider, account: "ada", service: "a.example", kind: .passkey),
            .init(provider: nil, method: "other"),
        ]
        let (english, other) = (try list(choices).list, try list(choices, in: language).list)
        #expect(english.title != other.title)
        #expect(english.sections[0].rows[1].title != other.sections[0].rows[1].title)
    }
}
