import AutoFillProtocol
import AutoFillWire
import PasswordsProtocol
import Testing

@testable import KeywayCommand

/// Where an item is offered, and where its password is changed.
struct ItemUseCommandTests {
    private func item(_ use: ItemUse? = nil, at address: String = "https://example.com/x") -> ItemSummary {
        ItemSummary(
            id: "1-2-3", title: "Example", user: "ada", addresses: [address], tags: [], created: 0, modified: 0,
            use: use)
    }

    private func trial(_ item: ItemSummary, _ edited: Received<EditItem.Parameters> = Received()) -> Trial {
        var trial = Trial()
        trial.service.on(VaultStatus.self) { _, _ in .init(access: .open, path: "/vault", items: 1, idleLimit: 600) }
        trial.service.on(ShowItem.self) { _, _ in
            .init(summary: item, password: nil, notes: nil, fields: [], history: [])
        }
        trial.service.on(EditItem.self) { parameters, _ in
            edited.append(parameters)
            return .init(item: item)
        }
        return trial
    }

    @Test(arguments: ItemUse.allCases) func whereAnItemIsOfferedIsChanged(use: ItemUse) async throws {
        let edited = Received<EditItem.Parameters>()
        let outcome = try await trial(item(), edited).run("passwords", "edit", "Example", "--use", use.rawValue)
        #expect(outcome.code == .success)
        #expect(edited.all.map(\.change.use) == [use])
        #expect(edited.all.first?.change.user == nil && edited.all.first?.change.addresses == nil)
    }

    @Test func anotherWordIsNoUse() async throws {
        await #expect(throws: UsageError.self) {
            try await trial(item()).run("passwords", "edit", "Example", "--use", "apps")
        }
    }

    @Test(arguments: [(ItemUse.forms, "only in forms"), (.basic, "only for HTTP")])
    func whereAnItemIsOfferedIsShown(use: ItemUse, words: String) async throws {
        let trial = trial(item(use))
        #expect(try await trial.run("passwords", "show", "Example").out.contains("Offered:    \(words)"))
        let json = try await trial.run("passwords", "show", "Example", "--json").out.filter { !$0.isWhitespace }
        #expect(json.contains(#""use":"\#(use.rawValue)""#))
        #expect(try await !self.trial(item()).run("passwords", "show", "Example").out.contains("Offered"))
    }

    @Test func whereThePasswordIsChangedIsShown() async throws {
        let asked = Received<ServiceIdentifier>()
        var trial = trial(item())
        trial.broker.on(ChangePasswordPage.self) { parameters, _ in
            asked.append(parameters.service)
            return .init(address: "https://example.com/password", isKnown: true)
        }
        #expect(
            try await trial.run("passwords", "show", "Example").out.contains(
                "Change at:  https://example.com/password\n"))
        #expect(asked.all == [ServiceIdentifier("https://example.com/x", kind: .url)])
        let json = try await trial.run("passwords", "show", "Example", "--json").out.filter { !$0.isWhitespace }
        #expect(json.contains(#""changePage":{"url":"https://example.com/password","known":true}"#))
    }

    @Test func whatNobodyKnowsIsSaidSo() async throws {
        var trial = trial(item())
        trial.broker.on(ChangePasswordPage.self) { _, _ in
            .init(address: "https://example.com/.well-known/change-password", isKnown: false)
        }
        #expect(try await trial.run("passwords", "show", "Example").out.contains("(if the site has that page)"))
    }

    @Test func anItemIsShownWithoutAnswer() async throws {
        let outcome = try await trial(item(at: "http://example.com")).run("passwords", "show", "Example")
        #expect(outcome.code == .success && !outcome.out.contains("Change at"))
    }
}
