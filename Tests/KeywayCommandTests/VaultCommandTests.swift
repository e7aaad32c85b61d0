import AutoFillProtocol
import AutoFillWire
import KeywayCrypto
import KeywaySystem
import PasswordsProtocol
import Testing

@testable import KeywayCommand

struct VaultCommandTests {
    private static func status(_ access: VaultStatus.Access) -> VaultStatus.Result {
        .init(access: access, path: "/vault", items: access == .open ? 1 : nil, idleLimit: 600)
    }

    private func trial(_ access: VaultStatus.Access, _ lines: [String]? = []) -> Trial {
        var trial = Trial()
        trial.lines = lines.map(ListedLines.init)
        trial.service.on(VaultStatus.self) { _, _ in Self.status(access) }
        return trial
    }

    private let summary = ItemSummary(
        id: "1-2-3", title: "Example", user: "ada", addresses: ["https://example.com"], tags: ["work"], created: 0,
        modified: 86400)

    // MARK: The vault

    @Test func theNewMasterPasswordIsReadTwice() async throws {
        let made = Received<String>()
        var trial = trial(.missing, ["pw", "pw"])
        trial.service.on(CreateVault.self) { parameters, _ in
            made.append(try parameters.masterPassword.text)
            made.append("\(parameters.derivation?.memory ?? 0) \(parameters.derivation?.passes ?? 0)")
            return Self.status(.open)
        }
        let outcome = try await trial.run("passwords", "init", "--memory", "64")
        #expect(outcome.code == .success)
        #expect(made.all == ["pw", "64 3"])
        #expect(outcome.out.isEmpty)
    }

    @Test(arguments: [("password1", true), ("gigantic-otter-waffle-nebula-42", false)])
    func aWeakMasterPasswordOfAScriptIsTakenWithAWarning(password: String, warns: Bool) async throws {
        var trial = trial(.missing, [password, password])
        trial.service.on(CreateVault.self) { _, _ in Self.status(.open) }
        let outcome = try await trial.run("passwords", "init")
        #expect(outcome.code == .success)
        #expect(outcome.err.contains("could guess it") == warns)
        #expect(!outcome.err.contains(password))
    }

    @Test(arguments: ["init", "change-master"])
    func aWeakMasterPasswordOfAPersonNeedsASecondYes(command: String) async throws {
        let made = Received<String>()
        var trial = trial(command == "init" ? .missing : .locked, nil)
        trial.service.on(CreateVault.self) { parameters, _ in
            made.append(try parameters.masterPassword.text)
            return Self.status(.open)
        }
        trial.service.on(ChangeMasterPassword.self) { parameters, _ in
            made.append(try parameters.new.text)
            return Nothing()
        }
        let weak = [("New master password: ", "password1\r"), ("again: ", "password1\r")]
        let asked = command == "init" ? [] : [("Old master password: ", "old\r")]
        trial.terminal = TypingTerminal(
            answers: asked + weak + [("[y/N]", "n")] + weak + [("[y/N]", "y")])
        let outcome = try await trial.run("passwords", command)
        #expect(outcome.code == .success)
        #expect(made.all == ["password1"])
        #expect(outcome.err.ranges(of: "could guess it").count == 2)
    }

    @Test func theDoctorTellsAProviderThatIsOnAndGone() async throws {
        var trial = trial(.locked)
        trial.broker.on(ListProviders.self) { _, _ in
            .init(providers: [.passwords(enabled: true)], missing: ["org.example.gone"])
        }
        #expect(try await trial.run("doctor").out.contains("org.example.gone is turned on but no longer installed"))
    }

    @Test(arguments: [nil, "The vault file /vault is damaged."])
    func theDoctorTellsALockedVaultThatCannotBeOpened(problem: String?) async throws {
        var trial = trial(.locked)
        trial.service.on(VaultStatus.self) { _, _ in
            .init(access: .locked, path: "/vault", items: nil, idleLimit: 600, problem: problem)
        }
        let out = try await trial.run("doctor").out
        let line = try #require(out.split(separator: "\n").first { $0.contains("vault: ") })
        #expect(line.contains(problem ?? "/vault, locked"))
        #expect(line.contains(Strings.mark(.failed)) == (problem != nil))
    }

    @Test func theWaitAfterWrongPasswordsIsSaid() async throws {
        var trial = trial(.locked, ["pw"])
        trial.service.on(VaultStatus.self) { _, _ in
            .init(access: .locked, path: "/vault", items: nil, idleLimit: 600, attemptWait: 3.2)
        }
        trial.service.on(UnlockVault.self) { _, _ in Self.status(.open) }
        #expect(try await trial.run("passwords", "unlock").err.contains("checks this one in 4 s"))
    }

    @Test(arguments: [
        (["pw", "other"], ExitCode.failure), (["", ""], .failure), (["pw"], .needsPerson), ([], .needsPerson),
    ])
    func anUncertainMasterPasswordMakesNothing(lines: [String], code: ExitCode) async throws {
        let outcome = try await trial(.missing, lines).run("passwords", "init")
        #expect(outcome.code == code)
        for line in lines where !line.isEmpty { #expect(!outcome.err.contains(line)) }
    }

    @Test func aVaultIsNeverMadeOverAnother() async throws {
        let trial = trial(.locked, ["pw", "pw"])
        #expect(try await trial.run("passwords", "init").code == .exists)
        #expect(trial.lines?.rest.count == 2)
    }

    @Test func aWrongPasswordFromInputIsNotTriedAgain() async throws {
        var trial = trial(.locked, ["wrong", "right"])
        trial.service.on(UnlockVault.self) { _, _ in throw ProtocolError(.wrongPassword, "That is wrong.") }
        let outcome = try await trial.run("passwords", "unlock")
        #expect(outcome.code == .wrongPassword)
        #expect(trial.lines?.rest == ["right"])
    }

    @Test func aPersonMayTryThreeTimes() async throws {
        let tried = Received<String>()
        var trial = trial(.locked, nil)
        trial.terminal = TypingTerminal(["one\r", "two\r", "three\r", "four\r"])
        trial.service.on(UnlockVault.self) { parameters, _ in
            tried.append(try parameters.masterPassword.text)
            throw ProtocolError(.wrongPassword, "That is wrong.")
        }
        #expect(try await trial.run("passwords", "unlock").code == .wrongPassword)
        #expect(tried.all == ["one", "two", "three"])
    }

    @Test func anOlderCopyIsTakenOnlyWhenThePersonSaysSo() async throws {
        let accepted = Received<Bool>()
        var trial = trial(.locked, ["pw"])
        trial.service.on(UnlockVault.self) { parameters, _ in
            accepted.append(parameters.acceptsOlderCopy)
            return Self.status(.open)
        }
        _ = try await trial.run("passwords", "unlock")
        trial.lines = ListedLines(["pw"])
        _ = try await trial.run("passwords", "unlock", "--accept-older-copy")
        #expect(accepted.all == [false, true])
    }

    @Test func changingAsksForOldAndNewAndNewAgain() async throws {
        let changed = Received<String>()
        var trial = trial(.open, ["old", "new", "new"])
        trial.service.on(ChangeMasterPassword.self) { parameters, _ in
            changed.append(try parameters.old.text)
            changed.append(try parameters.new.text)
            return Nothing()
        }
        #expect(try await trial.run("passwords", "change-master").code == .success)
        #expect(changed.all == ["old", "new"])
    }

    @Test func renewingTheKeyAsksForTheMasterPasswordOnce() async throws {
        let given = Received<String>()
        var trial = trial(.open, ["pw"])
        trial.service.on(RenewVaultKey.self) { parameters, _ in
            given.append(try parameters.masterPassword.text)
            return Nothing()
        }
        let outcome = try await trial.run("passwords", "renew-key")
        #expect(outcome.code == .success)
        #expect(given.all == ["pw"])
        #expect(outcome.err.contains("new key"))
    }

    @Test(arguments: [(0, false), (2000, true)])
    func aLongRenewalShowsHowFarItIs(items: Int, isShown: Bool) async throws {
        var trial = trial(.open, nil)
        let terminal = TypingTerminal(["pw\r"])
        trial.terminal = terminal
        trial.service.on(RenewVaultKey.self) { _, context in
            context.connection.notify(VaultRenewing.self, .init(done: items / 4, total: items))
            if isShown { try await eventually { terminal.written.contains("25 %") } }
            return Nothing()
        }
        #expect(try await trial.run("passwords", "renew-key").code == .success)
        #expect(terminal.written.contains("Encrypting the vault with a new key") == isShown)
    }

    @Test(arguments: ["unlock", "list", "change-master", "renew-key", "show x", "add x", "remove x", "edit x --user y"])
    func withoutAVaultTheyAllSayHowToMakeOne(command: String) async throws {
        let words = command.split(separator: " ").map(String.init)
        let trial = trial(.missing, ["pw"])
        let line = ["passwords"] + words
        let outcome =
            switch line.count {
            case 2: try await trial.run(line[0], line[1])
            case 3: try await trial.run(line[0], line[1], line[2])
            default: try await trial.run(line[0], line[1], line[2], line[3], line[4])
            }
        #expect(outcome.code == .notFound)
        #expect(outcome.err.contains("keyway passwords init"))
    }

    @Test(arguments: [ProtocolError.Code.noProvider, .disabled])
    func aProviderThatIsOffSaysHowToTurnItOn(code: ProtocolError.Code) async throws {
        var trial = trial(.open)
        trial.serviceFailure = ProtocolError(code, "It is off.")
        let outcome = try await trial.run("passwords", "list")
        #expect(outcome.code == .notFound)
        #expect(outcome.err.contains("keyway providers enable org.keyway.passwords"))
    }

    @Test func aLockedVaultNeedsThePerson() async throws {
        let outcome = try await trial(.locked, ["pw"]).run("passwords", "list")
        #expect(outcome.code == .needsPerson)
        #expect(outcome.err.contains("keyway passwords unlock"))
    }

    @Test func onATerminalALockedVaultIsOpenedOnTheWay() async throws {
        var trial = trial(.locked, nil)
        trial.terminal = TypingTerminal(["pw\r"])
        trial.service.on(UnlockVault.self) { _, _ in Self.status(.open) }
        let found = SearchItems.Result(items: [summary], total: 1)
        trial.service.on(SearchItems.self) { _, _ in found }
        #expect(try await trial.run("passwords", "list").out == "Example  ada  https://example.com\n")
    }

    // MARK: Items

    @Test func anItemIsMadeOfOptionsAndLines() async throws {
        let added = Received<ItemChange>()
        var trial = trial(.open, ["pw", "1234", "some notes"])
        let stored = AddItem.Result(item: summary)
        trial.service.on(AddItem.self) { parameters, _ in
            added.append(parameters.item)
            return stored
        }
        let outcome = try await trial.run(
            "passwords", "add", "Example", "--user", "ada", "--address", "https://example.com", "--tag", "work",
            "--custom", "PIN", "--notes")
        #expect(outcome.err == "keyway: Added “Example”.\n")
        let item = try #require(added.all.first)
        #expect(item.title == "Example" && item.user == "ada")
        #expect(item.addresses == ["https://example.com"] && item.tags == ["work"])
        #expect(try item.password?.text == "pw")
        #expect(item.fields?.first?.name == "PIN" && item.fields?.first?.isHidden == true)
        #expect(try item.fields?.first?.value?.text == "1234")
        #expect(try item.notes?.text == "some notes")
    }

    @Test(arguments: [["add", "x"], ["edit", "x"]])
    func aSecretOnTheCommandLineIsRefusedAndNotRepeated(command: [String]) async throws {
        let outcome = try await trial(.open, ["pw"]).run(
            "passwords", command[0], command[1], "--custom", "pin=1234")
        #expect(outcome.code == .usage)
        #expect(outcome.err.contains("--custom"))
        #expect(!outcome.err.contains("1234"))
    }

    @Test func addressesThatAreNoneAreNamed() async throws {
        var trial = trial(.open, ["pw"])
        let stored = AddItem.Result(item: summary, unusableAddresses: ["two\u{1B} words"])
        trial.service.on(AddItem.self) { _, _ in stored }
        let outcome = try await trial.run("passwords", "add", "Example", "--address", "two words")
        #expect(outcome.code == .success)
        #expect(outcome.err.contains("“two words”") || outcome.err.contains("two\u{FFFD} words"))
        #expect(!outcome.err.contains("\u{1B}"))
    }

    @Test func aRandomPasswordIsNeverShown() async throws {
        let added = Received<ItemChange>()
        var trial = trial(.open, [])
        let stored = AddItem.Result(item: summary)
        trial.service.on(GeneratePassword.self) { parameters, _ in
            .init(password: try .secret(String(repeating: "r", count: parameters.length)))
        }
        trial.service.on(AddItem.self) { parameters, _ in
            added.append(parameters.item)
            return stored
        }
        let outcome = try await trial.run("passwords", "add", "Example", "--generate=32", "--json")
        #expect(try added.all.first?.password?.text.count == 32)
        #expect(!(outcome.out + outcome.err).contains("rrr"))
    }

    @Test func anEditChangesOnlyWhatIsNamed() async throws {
        let edited = Received<EditItem.Parameters>()
        var trial = trial(.open, ["4321"])
        let shown = ShowItem.Result(
            summary: summary, password: nil, notes: nil,
            fields: [
                CustomField(name: "PIN", isHidden: true, value: try .secret("1234")),
                CustomField(name: "Other", isHidden: false, value: try .secret("x")),
            ], history: [])
        let stored = AddItem.Result(item: summary)
        trial.service.on(ShowItem.self) { _, _ in shown }
        trial.service.on(EditItem.self) { parameters, _ in
            edited.append(parameters)
            return stored
        }
        #expect(
            try await trial.run("passwords", "edit", "Example", "--title", "New", "--custom", "PIN").code == .success)
        let change = try #require(edited.all.first?.change)
        #expect(change.title == "New")
        #expect(change.user == nil && change.addresses == nil && change.password == nil && change.notes == nil)
        #expect(change.fields?.map(\.name) == ["Other", "PIN"])
        #expect(try change.fields?.last?.value?.text == "4321")
        #expect(edited.all.first?.item == ItemName("1-2-3"))
    }

    @Test func anEditOfNothingIsAMistake() async throws {
        #expect(try await trial(.open).run("passwords", "edit", "Example").code == .usage)
    }

    @Test func aPasswordIsAskedForOnlyWhenTheItemExists() async throws {
        var trial = trial(.open, ["pw"])
        trial.service.on(ShowItem.self) { _, _ in throw ProtocolError(.notFound, "There is no such item.") }
        #expect(try await trial.run("passwords", "edit", "Example", "--password").code == .notFound)
        #expect(trial.lines?.rest == ["pw"])
    }

    @Test func withoutATerminalRemovalMustBeSpelledOut() async throws {
        let removed = Received<ItemName>()
        var trial = trial(.open)
        let (shown, stored) = (
            ShowItem.Result(summary: summary, password: nil, notes: nil, fields: [], history: []),
            AddItem.Result(item: summary)
        )
        trial.service.on(ShowItem.self) { _, _ in shown }
        trial.service.on(RemoveItem.self) { parameters, _ in
            removed.append(parameters.item)
            return stored
        }
        #expect(try await trial.run("passwords", "remove", "Example").code == .needsPerson)
        #expect(removed.all.isEmpty)
        #expect(try await trial.run("passwords", "remove", "Example", "--yes").code == .success)
        #expect(removed.all == [ItemName("1-2-3")])
    }

    // MARK: Showing

    private func showing() throws -> (trial: Trial, asked: Received<Set<ShowItem.Part>>) {
        let asked = Received<Set<ShowItem.Part>>()
        var trial = trial(.open)
        let summary = summary
        trial.service.on(ShowItem.self) { parameters, _ in
            asked.append(parameters.parts)
            return ShowItem.Result(
                summary: summary, password: parameters.parts.contains(.password) ? try .secret("hunter2") : nil,
                notes: parameters.parts.contains(.notes) ? try .secret("note") : nil,
                fields: [
                    CustomField(
                        name: "PIN", isHidden: true,
                        value: parameters.parts.contains(.fields) ? try .secret("1234") : nil)
                ],
                history: parameters.parts.contains(.history)
                    ? [FormerPassword(replaced: 0, password: try .secret("hunter1"))] : [])
        }
        return (trial, asked)
    }

    @Test func secretsAreShownOnRequestOnly() async throws {
        let (trial, asked) = try showing()
        let outcome = try await trial.run("passwords", "show", "Example")
        #expect(asked.all == [[]])
        #expect(
            outcome.out == """
                Title:      Example
                User name:  ada
                Password:   (hidden; --reveal shows it)
                Address:    https://example.com
                Tags:       work
                PIN:        (hidden; --reveal shows it)
                Created:    1970-01-01T00:00:00Z
                Changed:    1970-01-02T00:00:00Z
                Identifier: 1-2-3

                """)
    }

    @Test func revealShowsThem() async throws {
        let (trial, asked) = try showing()
        let outcome = try await trial.run("passwords", "show", "Example", "--reveal", "--history")
        #expect(asked.all == [[.password, .notes, .fields, .sections, .history]])
        for text in ["Password:   hunter2\n", "PIN:        1234\n", "Notes:      note\n", "hunter1\n"] {
            #expect(outcome.out.contains(text))
        }
    }

    @Test(
        arguments: [
            ("password", "hunter2\n", [ShowItem.Part.password]), ("notes", "note\n", [.notes]),
            ("PIN", "1234\n", [.fields]),
            ("user", "ada\n", []), ("title", "Example\n", []), ("address", "https://example.com\n", []),
        ] as [(String, String, Set<ShowItem.Part>)])
    func oneFieldOpensNothingElse(field: String, out: String, parts: Set<ShowItem.Part>) async throws {
        let (trial, asked) = try showing()
        #expect(try await trial.run("passwords", "show", "Example", "--field", field).out == out)
        #expect(asked.all == [parts])
    }

    @Test func aFieldThatIsNotThereIsNotFound() async throws {
        let outcome = try await showing().trial.run("passwords", "show", "Example", "--field", "nothing")
        #expect(outcome.code == .notFound)
        #expect(outcome.err.contains("PIN"))
    }

    @Test func jsonHoldsSecretsOnRequestOnly() async throws {
        let trial = try showing().trial
        let plain = try await trial.run("passwords", "show", "Example", "--json").out
        #expect(!plain.contains("hunter2") && !plain.contains("1234\""))
        let revealed = try await trial.run("passwords", "show", "Example", "--json", "--reveal").out
        #expect(revealed.contains("\"password\": \"hunter2\"") && revealed.contains("\"value\": \"1234\""))
    }

    @Test func listsOfManyPagesAreWhole() async throws {
        var trial = trial(.open)
        let summary = summary
        trial.service.on(SearchItems.self) { parameters, _ in
            let rest = min(parameters.limit, 2500 - parameters.offset)
            return .init(items: Array(repeating: summary, count: rest), total: 2500)
        }
        #expect(try await trial.run("passwords", "list").out.split(separator: "\n").count == 2500)
    }

    @Test func aSearchWithoutAMatchIsNotFound() async throws {
        var trial = trial(.open)
        let asked = Received<String>()
        trial.service.on(SearchItems.self) { parameters, _ in
            asked.append(parameters.text)
            return .init(items: [], total: 0)
        }
        #expect(try await trial.run("passwords", "search", "some", "words").code == .notFound)
        #expect(asked.all == ["some words"])
    }

    @Test func aGeneratedPasswordGoesToTheOutput() async throws {
        let asked = Received<GeneratePassword.Parameters>()
        var trial = trial(.missing)
        trial.service.on(GeneratePassword.self) { parameters, _ in
            asked.append(parameters)
            return .init(password: try .secret("random"))
        }
        #expect(try await trial.run("passwords", "generate", "--length", "30", "--no-symbols").out == "random\n")
        #expect(asked.all == [.init(length: 30, digits: true, symbols: false)])
    }
}
