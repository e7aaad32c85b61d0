import FoundationEssentials
import PasswordsProtocol
import Testing

@testable import KeywayCommand

/// `keyway passwords` and passkeys: listed, shown, removed and offered again, and their keys never seen.
struct PasskeyCommandTests {
    private func trial() -> Trial {
        var trial = Trial()
        trial.lines = ListedLines([])
        trial.service.on(VaultStatus.self) { _, _ in
            .init(access: .open, path: "/vault", items: 1, idleLimit: 600)
        }
        return trial
    }

    private func passkey(hidden: Double? = nil, formerUser: String? = nil) -> ItemSummary {
        ItemSummary(
            id: "1-2-3", title: "example.com", user: "ada", addresses: ["example.com"], tags: [], created: 0,
            modified: 0, hasPassword: false,
            passkey: PasskeySummary(
                relyingParty: "example.com", credentialID: Data([0xfb, 0xff]), userHandle: Data([1])),
            hidden: hidden, formerUser: formerUser)
    }

    private func shown(_ item: ItemSummary) -> ShowItem.Result {
        ShowItem.Result(summary: item, password: nil, notes: nil, fields: [], history: [])
    }

    @Test func aListSaysWhatIsAPasskeyAndWhatIsHidden() async throws {
        var trial = trial()
        let items = [passkey(), passkey(hidden: 86400), passkey(formerUser: "eve")]
        trial.service.on(SearchItems.self) { _, _ in .init(items: items, total: 3) }
        #expect(
            try await trial.run("passwords", "list").out == """
                example.com  ada  example.com  passkey
                example.com  ada  example.com  passkey, hidden
                example.com  ada  example.com  passkey, renamed

                """)
        let json = try await trial.run("passwords", "list", "--json").out
        #expect(json.contains(#""relyingParty": "example.com""#) && json.contains(#""credentialID": "-_8""#))
        #expect(json.contains(#""hidden": 86400"#) && json.contains(#""formerUser": "eve""#))
    }

    @Test(arguments: [
        (["list"], nil), (["list", "--passkeys"], ItemKind.passkey), (["search", "--passkeys", "a"], .passkey),
    ])
    func aListIsOfTheKindThatIsAskedFor(line: [String], kind: ItemKind?) async throws {
        var trial = trial()
        let asked = Received<ItemKind?>()
        let item = passkey()
        trial.service.on(SearchItems.self) { parameters, _ in
            asked.append(parameters.kind)
            return .init(items: [item], total: 1)
        }
        #expect(try await trial.run(["passwords"] + line).code == .success)
        #expect(asked.all == [kind])
    }

    @Test func noPasskeysAreNoEmptyVault() async throws {
        var trial = trial()
        trial.service.on(SearchItems.self) { _, _ in .init(items: [], total: 0) }
        #expect(try await trial.run("passwords", "list", "--passkeys").err.contains("no passkeys"))
    }

    @Test func whatIsShownOfAPasskeyIsNoSecret() async throws {
        var trial = trial()
        let result = shown(passkey(hidden: 86400))
        trial.service.on(ShowItem.self) { _, _ in result }
        for line in [["show", "example.com"], ["show", "example.com", "--reveal"]] {
            let out = try await trial.run(["passwords"] + line).out
            #expect(out.contains("Passkey:    example.com\n") && out.contains("Credential: -_8\n"))
            #expect(out.contains("Hidden:     1970-01-02T00:00:00Z\n") && !out.contains("Password"))
        }
    }

    @Test(arguments: [("eve", "eve, until the site renamed it"), ("", "no name, until the site gave it one")])
    func theNameThatASiteReplacedIsShown(former: String, said: String) async throws {
        var trial = trial()
        let result = shown(passkey(formerUser: former))
        trial.service.on(ShowItem.self) { _, _ in result }
        #expect(try await trial.run("passwords", "show", "example.com").out.contains("Old name:   \(said)\n"))
    }

    @Test func thePasskeyOfATitleIsNamed() async throws {
        var trial = trial()
        let asked = Received<ItemName>()
        let result = shown(passkey())
        trial.service.on(ShowItem.self) { parameters, _ in
            asked.append(parameters.item)
            return result
        }
        _ = try await trial.run("passwords", "show", "example.com", "--passkey", "--account", "ada")
        _ = try await trial.run("passwords", "show", "example.com")
        #expect(asked.all == [ItemName("example.com", user: "ada", kind: .passkey), ItemName("example.com")])
    }

    @Test func thatAPasskeyIsGoneForGoodIsSaidBefore() async throws {
        var trial = trial()
        trial.lines = nil
        trial.terminal = TypingTerminal(["n"])
        let result = shown(passkey())
        trial.service.on(ShowItem.self) { _, _ in result }
        let outcome = try await trial.run("passwords", "remove", "example.com", "--passkey")
        #expect(outcome.code == .cancelled)
        #expect(trial.terminal?.written.contains("you can't undo this") == true)
    }

    @Test func whatIsHiddenIsOfferedAgain() async throws {
        var trial = trial()
        let asked = Received<ItemName>()
        let item = passkey()
        trial.service.on(RestoreItem.self) { parameters, _ in
            asked.append(parameters.item)
            return .init(item: item)
        }
        let outcome = try await trial.run("passwords", "restore", "1-2-3")
        #expect(outcome.code == .success && outcome.err.contains("“example.com” is offered again, as “ada”."))
        #expect(asked.all == [ItemName("1-2-3")])
    }
}
