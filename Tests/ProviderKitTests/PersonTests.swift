import AutoFillProtocol
import KeywayCrypto
import Testing

@testable import ProviderKit

struct PersonTests {
    private func list(_ rows: [String], search: InterfaceList.Search = .rows) -> ProviderInterface {
        .list(
            InterfaceList(title: "All", sections: [.init(rows: rows.map { .init(id: $0, title: $0) })], search: search))
    }

    private func form(error: String? = nil) -> ProviderInterface {
        .form(
            InterfaceForm(
                title: "Unlock",
                fields: [
                    .init(id: "word", label: "Word", kind: .secure),
                    .init(id: "user", label: "User", kind: .text(initial: "ada")),
                ],
                submitTitle: "Go", error: error))
    }

    private func word(_ event: InterfaceEvent?) -> String {
        switch event {
        case .chose(let row): "chose \(row)"
        case .submitted: "submitted"
        case .searched: "searched"
        case .activated(let action): "activated \(action)"
        case .cancelled: "cancelled"
        case nil: "nothing"
        }
    }

    @Test func choosesTheFirstRowAndThenTheNext() {
        let person = Person(.goesOn)
        #expect(word(person.reaction(to: list(["a", "b"]))) == "chose a")
        #expect(word(person.reaction(to: list(["c"]))) == "chose c")
        #expect(word(person.reaction(to: list(["a", "b"]))) == "chose b")
        #expect(!person.hasGivenUp)
        #expect(word(person.reaction(to: list(["a", "b"]))) == "cancelled")
        #expect(person.hasGivenUp)
    }

    @Test func typesTheSecretOnceAndNotWhereItWasRefused() throws {
        let person = Person(.goesOn, secret: SecretBytes(copyingUTF8Of: "sesame"))
        guard case .submitted(let values) = person.reaction(to: form()), case .secret(let typed) = values["word"],
            case .text("ada") = values["user"]
        else {
            Issue.record("nothing was submitted")
            return
        }
        #expect(try typed.withUnsafeBytes { $0.elementsEqual("sesame".utf8) })
        #expect(word(person.reaction(to: form(error: "Wrong."))) == "cancelled")
        #expect(person.hasGivenUp)
    }

    @Test func pressesTheFirstButtonAndWaitsForWhatTakesAWhile() {
        let message = InterfaceMessage(title: "?", text: "", actions: [.init(id: "yes", title: "Yes")])
        #expect(word(Person(.goesOn).reaction(to: .message(message))) == "activated yes")
        #expect(word(Person(.goesOn).reaction(to: .message(.init(title: "?", text: "")))) == "cancelled")
        #expect(word(Person(.goesOn).reaction(to: .progress(.init(title: "…")))) == "nothing")
    }

    @Test func givesUpInTheEnd() {
        let person = Person(.goesOn)
        for number in 0..<12 { #expect(word(person.reaction(to: list(["\(number)"]))) == "chose \(number)") }
        #expect(word(person.reaction(to: list(["12"]))) == "cancelled")
    }

    @Test(arguments: [
        (Person.Habit.backsOut, "cancelled"), (.waits, "nothing"), (.unlocksAndBacksOut, "cancelled"),
        (.searches, "searched"),
    ])
    func doesWithAListWhatItsHabitSays(habit: Person.Habit, reaction: String) {
        #expect(word(Person(habit).reaction(to: list(["a"], search: .provider))) == reaction)
    }
}
