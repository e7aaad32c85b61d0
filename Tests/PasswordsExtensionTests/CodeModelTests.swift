import AuthenticationServices
import AutoFillProtocol
import AutoFillWire
import KeywaySystem
import PasswordsProtocol
import Testing

@testable import PasswordsExtension

/// One-time codes: one that was suggested, and one that is chosen.
@Suite struct CodeModelTests {
    private typealias Model = PasswordsModel
    private let services = [ASCredentialServiceIdentifier(identifier: "https://a.example/code", type: .URL)]

    private func answer(_ text: String) throws -> VaultAnswer {
        .code(
            .success(
                .init(code: Attachment(try SealedMemory(text: text)), validUntil: 60, item: .example("a"))))
    }

    private func completed(_ effect: Model.Effect?) throws -> String? {
        guard case .completeCode(let answer)? = effect else { return nil }
        return try answer.code.sealedMemory().withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    }

    @Test func asksForTheSuggestedCodeAtOnce() throws {
        var model = Model(.code(record: "7", isSilent: true))
        #expect(model.begin()?.asked == "code 7")
        #expect(try completed(model.handle(.answer(try answer("123456")))) == "123456")
        #expect(model.interface == nil)
    }

    @Test(arguments: [
        (ProtocolError.Code.locked, ASExtensionError.Code.userInteractionRequired),
        (.notFound, .credentialIdentityNotFound), (.damaged, .failed),
    ])
    func endsSilentlyWithTheCodeOfTheReason(reason: ProtocolError.Code, code: ASExtensionError.Code) {
        var model = Model(.code(record: "7", isSilent: true))
        #expect(model.handle(.answer(.code(.failure(ProtocolError(reason, "x")))))?.cancelled == code)
    }

    @Test func unlocksFirstWhereItMayAsk() throws {
        var model = Model(.code(record: "7", isSilent: false))
        #expect(model.begin()?.asked == "status")
        #expect(model.handle(.answer(.status(.success(.locked)))) == nil)
        #expect(model.handle(.answer(.unlocked(.success(()))))?.asked == "code 7")
    }

    @Test func aChosenRowIsACodeAndNoPassword() throws {
        var model = Model(.codes(services))
        #expect(model.begin()?.asked == "status")
        #expect(
            model.handle(.answer(.status(.success(.open))))?.asked == #"codes ["https://a.example/code"] "#)
        let listing = ItemListing(matches: [.example("a")], items: [.example("a"), .example("b")], total: 2)
        #expect(model.handle(.answer(.list(.success(listing)))) == nil)
        guard case .list(let list)? = model.interface else {
            Issue.record("no list")
            return
        }
        #expect(list.sections.map(\.title) == ["For a.example", "All one-time codes"])
        #expect(model.handle(.event(.searched("b")))?.asked == #"codes ["https://a.example/code"] b"#)
        let row = try #require(list.sections.last?.rows.last)
        #expect(model.handle(.event(.chose(row: row.id)))?.asked == "code id-b")
        #expect(try completed(model.handle(.answer(try answer("654321")))) == "654321")
    }

    @Test func aVaultWithoutCodesSaysHowToAddOne() {
        var model = Model(.codes(services))
        #expect(model.handle(.answer(.list(.success(ItemListing())))) == nil)
        guard case .message(let message)? = model.interface else {
            Issue.record("no message")
            return
        }
        #expect(message.text.contains("--code"))
    }
}
