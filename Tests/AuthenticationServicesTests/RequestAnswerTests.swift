import AutoFillProtocol
import AutoFillWire
import KeywaySystem
import Testing
@testable import AuthenticationServices

@Suite("What stays of a request", .timeLimit(.minutes(2)))
struct RequestAnswerTests {
    @Test func anAnswerDoesNotOutliveTheEnd() async throws {
        // As of a provider that keeps its controllers: their contexts must not keep descriptors open.
        weak var answered: OwnedDescriptor?
        let answer = RequestAnswer(to: .generatePasswords(PerformRequest.Request.toGenerate))
        do {
            let secret = try Attachment(text: "x7")
            answered = secret.descriptor
            answer.end(.generated([ProposedPassword(kind: "STRONG", value: secret)]))
            guard case .answered(.generated(let passwords)) = await answer.ending() else {
                Issue.record("another ending")
                return
            }
            #expect(passwords.count == 1 && answered != nil)
        }
        #expect(!answer.isOpen && answered == nil)
    }

    @Test func aRequestThatEndedKeepsNothingOfWhatWasAsked() throws {
        weak var asked: OwnedDescriptor?
        let answer: RequestAnswer
        do {
            let password = try PerformRequest.Request.toSave()
            asked = password.password.descriptor
            answer = RequestAnswer(to: .savePassword(password))
            #expect(asked != nil)
        }
        #expect(asked != nil, "it is open")
        answer.end(.saved)
        #expect(asked == nil && !answer.isOpen)
    }

    @Test(arguments: [true, false])
    func theEndMayComeBeforeOrAfterSomebodyWaits(isBefore: Bool) async {
        let answer = RequestAnswer(to: .textToInsert)
        if isBefore { answer.endBySystem(.withdrawn) }
        let waiting = Task { await answer.ending() }
        if !isBefore { answer.endBySystem(.withdrawn) }
        guard case .withdrawn = await waiting.value else {
            Issue.record("another ending")
            return
        }
    }
}
