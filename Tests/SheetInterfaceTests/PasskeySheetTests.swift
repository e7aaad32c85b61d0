import AutoFillProtocol
import AutoFillWire
import Testing

@testable import SheetInterface

/// The choice of a passkey.
@Suite struct PasskeySheetTests {
    private static let provider = ProviderReference(identifier: "org.example.manager", name: "Manager")

    private func list(
        _ purpose: AskPerson.PasskeyChoice.Purpose, relyingParty: String? = nil, accounts: [String] = ["ada", "eve"],
        in language: SheetLanguage = .english
    ) throws -> (header: SheetHeader, list: InterfaceList) {
        let question = AskPerson.PasskeyChoice(
            purpose: purpose, service: "a.example", relyingParty: relyingParty,
            choices: accounts.map { .init(provider: Self.provider, account: $0) })
        let sheet = Sheet(.passkey(question), in: language)
        guard case .interface(.list(let list)) = sheet.content else { throw NoList() }
        return (sheet.header, list)
    }

    private struct NoList: Error {}

    @Test func signingInShowsAccountsAndAnotherDeviceLast() throws {
        let (header, list) = try list(.signIn)
        #expect(header == SheetHeader(system: "a.example"))
        #expect(list.title == "Sign in to \u{2068}a.example\u{2069} with a passkey")
        #expect(list.sections.map { $0.rows.map(\.title) } == [["ada", "eve"], ["Another device"]])
        #expect(list.sections[0].rows.map(\.subtitle) == ["Manager", "Manager"])
    }

    @Test func makingOneShowsProvidersAndForWhom() throws {
        let list = try list(.creation, accounts: ["ada"]).list
        #expect(list.sections[0].rows.map(\.title) == ["Manager"])
        #expect(list.sections[0].rows[0].subtitle?.contains("ada") == true)
    }

    @Test func whosePasskeyItIsStandsThereWhereItIsAnothers() throws {
        #expect(
            try list(.signIn, relyingParty: "b.example").list.sections[0].rows[0].subtitle?.contains("b.example")
                == true)
    }

    @Test func namesAreTextOfOneLine() throws {
        let rows = try list(.signIn, accounts: ["a\u{202E}da\n\u{1B}[2J"]).list.sections[0].rows
        #expect(rows[0].title == DisplayText.line("a\u{202E}da\n\u{1B}[2J"))
    }

    @Test func whatIsChosenIsSaidByItsNumber() throws {
        let rows = try list(.signIn).list.sections.flatMap(\.rows)
        let answers = rows.map { PasskeySheet.answer($0.id) }
        guard case .chosen(0) = answers[0], case .chosen(1) = answers[1], case .elsewhere = answers[2],
            case .cancelled = PasskeySheet.answer("x")
        else {
            Issue.record("\(answers)")
            return
        }
    }

    @Test(arguments: ["de", "ar"]) func itIsAskedInTheLanguageOfThePerson(tag: String) throws {
        let title = try list(.signIn, in: SheetLanguage(environment: ["LANG": "\(tag).UTF-8"])).list.title
        #expect(!title.hasPrefix("Sign in"))
        #expect(title.contains("a.example"))
    }

    @Test @MainActor func whatIsTakenAtOnceWasMeantForSomethingElse() {
        let timer = ManualTimer()
        let seen = SeenQuestions(timer: timer)
        #expect(!seen.isConsidered(1))
        seen.begin(1)
        #expect(!seen.isConsidered(1))
        timer.run(from: 0)
        #expect(timer.waiting.map(\.milliseconds).reduce(0, +) == Consideration.time)
        #expect(seen.isConsidered(1))
        #expect(!seen.isConsidered(2))
        seen.end(1)
        #expect(!seen.isConsidered(1))
    }

    @Test @MainActor func whereItsWindowCameLaterThanTheQuestionTheTimeBeginsAgain() {
        let timer = ManualTimer()
        let seen = SeenQuestions(timer: timer)
        seen.begin(1)
        timer.run(from: 0)
        let first = timer.waiting.count
        seen.begin(1)
        #expect(!seen.isConsidered(1))
        // Whatever of the first wait still comes.
        timer.fire(0)
        #expect(!seen.isConsidered(1))
        timer.run(from: first)
        #expect(seen.isConsidered(1))
    }

    @Test @MainActor func timeInWhichTheProgramWasStoppedIsNoTimeToSeeARow() {
        let timer = ManualTimer()
        let seen = SeenQuestions(timer: timer)
        seen.begin(1)
        // However late that is.
        timer.fire(0)
        #expect(!seen.isConsidered(1))
    }
}
