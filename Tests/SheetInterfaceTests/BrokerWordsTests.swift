import AutoFillProtocol
import Testing

@testable import SheetInterface

@Suite struct BrokerWordsTests {
    private let german = SheetLanguage(environment: ["LANG": "de"])

    @Test(arguments: SheetText.brokers)
    func whatTheBrokerSaysIsSaidInTheLanguageOfThePerson(text: SheetText) {
        let words = text.rawValue.replacing(/\{[a-z]+\}/, with: "X")
        let said = german.text(ofBroker: words)
        #expect(said != words)
        #expect(said.contains("X") == text.rawValue.contains("{"))
    }

    @Test func whatAProviderReachesIsTranslatedToTheLastPhrase() {
        var sandbox = DeclaredSandbox()
        (sandbox.readPaths, sandbox.writePaths) = (["~/a", "~/b"], ["~/c"])
        (sandbox.sockets, sandbox.programs, sandbox.network) = (["~/d"], ["gpg"], true)
        #expect(sandbox.reaches.count == 5)
        for phrase in sandbox.reaches { #expect(german.text(ofBroker: phrase) != phrase, "\(phrase)") }
        #expect(german.text(ofBroker: sandbox.reaches[0]) == "Lesen: \u{2068}~/a, ~/b\u{2069}")
        #expect(german.text(ofBroker: sandbox.reaches[1]) == "Lesen und ändern: \u{2068}~/c\u{2069}")
    }

    @Test(arguments: ["That is not what anybody says.", "", "read ", "Read ~/a", "~/a"])
    func otherWordsStayAsTheyAre(words: String) {
        #expect(german.text(ofBroker: words) == words)
    }

    @Test func inEnglishAPhraseBeginsLikeASentence() {
        #expect(SheetLanguage.english.text(ofBroker: "read ~/a") == "Read \u{2068}~/a\u{2069}")
    }

    @Test func whatAProviderSaysIsNotTakenForTheBrokers() {
        let question = AskPerson.Verification(
            provider: .init(identifier: "org.example.manager", name: "Manager"), service: nil, account: nil,
            reason: "to set the Keyway PIN", method: .pin)
        guard case .interface(.form(let form)) = Sheet(.verification(question), in: german).content else {
            Issue.record("it is no form")
            return
        }
        #expect(form.explanation?.contains("to set the Keyway PIN") == true)
    }

    @Test func whatWasWrongIsSaidInTheLanguageOfThePerson() {
        let question = AskPerson.Verification(
            provider: nil, service: nil, account: nil, reason: "to set the Keyway PIN", method: .pin,
            error: "Wrong PIN. Try again.")
        guard case .interface(.form(let form)) = Sheet(.verification(question), in: german).content else {
            Issue.record("it is no form")
            return
        }
        #expect(form.error == "Falsche PIN. Versuchen Sie es noch einmal.")
        #expect(form.explanation == "Um die Keyway-PIN festzulegen")
    }
}
