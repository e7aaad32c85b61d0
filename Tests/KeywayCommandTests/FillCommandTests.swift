import AutoFillProtocol
import AutoFillWire
import KeywayCrypto
import KeywaySystem
import ProtocolSamples
import Testing

@testable import KeywayCommand

struct FillCommandTests {
    private static let provider = ProviderReference(identifier: "org.keyway.passwords", name: "Passwords")

    private func suggestion(_ user: String) -> Suggestion {
        Suggestion(
            handle: "handle-\(user)", user: user, service: "example.com", provider: Self.provider, match: .host,
            kind: .password)
    }

    /// A broker that suggests `users` and fills whom it is asked for.
    private func trial(_ users: [String], filled: Received<Fill.Parameters> = Received()) -> Trial {
        var trial = Trial()
        let suggestions = users.map(suggestion)
        trial.broker.on(Suggest.self) { _, _ in
            .init(suggestions: suggestions, more: 0, providers: [Self.provider])
        }
        trial.broker.on(Fill.self) { parameters, _ in
            filled.append(parameters)
            guard case .suggestion(let handle) = parameters.target else {
                return .init(user: "ada", password: try .secret("from the list"), provider: Self.provider)
            }
            let user = String(handle.dropFirst("handle-".count))
            return .init(user: user, password: try .secret("pw-of-\(user)"), provider: Self.provider)
        }
        return trial
    }

    @Test func theOnlyAccountIsFilled() async throws {
        let filled = Received<Fill.Parameters>()
        let outcome = try await trial(["ada"], filled: filled).run("fill", "https://example.com/login")
        #expect(outcome.code == .success)
        #expect(outcome.out == "pw-of-ada\n")
        #expect(outcome.err.isEmpty)
        #expect(filled.all.first?.services == [ServiceIdentifier("https://example.com/login", kind: .url)])
        #expect(filled.all.first?.presents == false)
    }

    @Test func aNameWithoutASchemeIsADomain() async throws {
        let filled = Received<Fill.Parameters>()
        _ = try await trial(["ada"], filled: filled).run("fill", "example.com")
        #expect(filled.all.first?.services == [ServiceIdentifier("example.com", kind: .domain)])
    }

    @Test func theUserNameNeedsNoProvider() async throws {
        let filled = Received<Fill.Parameters>()
        let outcome = try await trial(["ada"], filled: filled).run("fill", "example.com", "--field", "username")
        #expect(outcome.out == "ada\n")
        #expect(filled.all.isEmpty)
    }

    @Test func jsonHoldsTheWholeCredential() async throws {
        let outcome = try await trial(["a\"da"]).run("fill", "example.com", "--json")
        #expect(
            outcome.out == """
                {
                  "user": "a\\"da",
                  "password": "pw-of-a\\"da",
                  "provider": "org.keyway.passwords"
                }

                """)
    }

    @Test func severalAccountsWithoutATerminalAreAmbiguous() async throws {
        let filled = Received<Fill.Parameters>()
        let outcome = try await trial(["ada", "bob"], filled: filled).run("fill", "example.com")
        #expect(outcome.code == .ambiguous)
        #expect(outcome.out.isEmpty)
        #expect(outcome.err.contains("ada, bob"))
        #expect(filled.all.isEmpty)
    }

    @Test func severalAccountsAreShownToChooseFrom() async throws {
        var trial = trial(["ada", "bob"])
        trial.terminal = TypingTerminal(["\u{1B}[B", "\r"])
        let outcome = try await trial.run("fill", "example.com")
        #expect(outcome.out == "pw-of-bob\n")
        #expect(trial.terminal?.written.contains("Keyway") == true)
    }

    @Test func theNamedUserIsTaken() async throws {
        #expect(try await trial(["ada", "bob"]).run("fill", "example.com", "--user", "bob").out == "pw-of-bob\n")
    }

    /// Accounts of one name: two records at one service, and the same name at another provider.
    private func twins(_ parts: [(record: String?, provider: String)]) -> Trial {
        var trial = Trial()
        let suggestions = parts.enumerated().map { index, part in
            Suggestion(
                handle: "handle-\(index)", user: "ada", service: "example.com",
                provider: ProviderReference(identifier: part.provider, name: "P"), match: .host, kind: .password,
                record: part.record)
        }
        trial.broker.on(Suggest.self) { _, _ in .init(suggestions: suggestions, more: 0, providers: [Self.provider]) }
        trial.broker.on(Fill.self) { parameters, _ in
            guard case .suggestion(let handle) = parameters.target else { throw ProtocolError(.notFound, "") }
            return .init(user: "ada", password: try .secret(handle), provider: Self.provider)
        }
        return trial
    }

    @Test func accountsOfOneNameAreToldApartByTheirRecord() async throws {
        var trial = twins([("r1", "p"), ("r2", "p"), ("r3", "q")])
        #expect(
            try await trial.run("suggest", "example.com").out == """
                ada  example.com  P  same host  r1
                ada  example.com  P  same host  r2
                ada  example.com  P  same host

                """)
        let outcome = try await trial.run("fill", "example.com", "--user", "ada")
        #expect(outcome.code == .ambiguous)
        #expect(outcome.err.contains("--record: r1 (ada, example.com, P), r2"))
        #expect(try await trial.run("fill", "example.com", "--record", "r2").out == "handle-1\n")
        #expect(try await trial.run("fill", "example.com", "--record", "r4").code == .notFound)
        trial.terminal = TypingTerminal(["\r"])
        _ = try await trial.run("fill", "example.com")
        #expect(trial.terminal?.written.contains("example.com, P, r1") == true)
    }

    @Test func accountsOfTwoProvidersAreToldApartByThem() async throws {
        let outcome = try await twins([(nil, "p"), (nil, "q")]).run("fill", "example.com")
        #expect(outcome.err.contains("--provider: p, q"))
        #expect(
            try await twins([("a", "p"), ("b", "p")]).run("suggest", "example.com", "--json").out.contains(
                #""record": "b""#))
    }

    @Test func anUnknownUserIsNotFound() async throws {
        let outcome = try await trial(["ada", "bob"]).run("fill", "example.com", "--user", "eve")
        #expect(outcome.code == .notFound)
        #expect(outcome.err.contains("ada, bob"))
    }

    @Test(arguments: [["fill", ""], ["fill", "  "], ["suggest", ""], ["suggest", "a.example", ""]])
    func anEmptyServiceIsAMistake(line: [String]) async throws {
        let trial = trial(["ada"])
        let outcome =
            line.count == 2 ? try await trial.run(line[0], line[1]) : try await trial.run(line[0], line[1], line[2])
        #expect(outcome.code == .usage)
        #expect(outcome.out.isEmpty)
    }

    @Test func noAccountIsNotFound() async throws {
        let outcome = try await trial([]).run("fill", "example.com")
        #expect(outcome.code == .notFound)
        #expect(outcome.err.contains("keyway fill"))
    }

    @Test func noProviderSaysHowToGetOne() async throws {
        var trial = Trial()
        trial.broker.on(Suggest.self) { _, _ in .init(suggestions: [], more: 0, providers: []) }
        let outcome = try await trial.run("fill", "example.com")
        #expect(outcome.code == .notFound)
        #expect(outcome.err.contains("keyway providers enable"))
    }

    @Test func theWholeListNeedsATerminal() async throws {
        let outcome = try await trial([]).run("fill")
        #expect(outcome.code == .needsPerson)
        #expect(outcome.out.isEmpty)
    }

    @Test func theWholeListIsTheProvidersOwn() async throws {
        let filled = Received<Fill.Parameters>()
        var trial = trial([], filled: filled)
        trial.terminal = TypingTerminal([])
        #expect(try await trial.run("fill", "--provider", "passwords").out == "from the list\n")
        #expect(filled.all.first?.target == .list(provider: "org.keyway.passwords"))
        #expect(trial.terminal?.written.isEmpty == true)
    }

    @Test func aRequestThatWaitsWithoutATerminalIsGivenUp() async throws {
        let cancelled = Received<Bool>()
        var trial = trial(["ada"])
        trial.broker.on(Fill.self) { _, context in
            context.connection.notify(
                FillWaiting.self,
                .init(request: context.requestID ?? 0, provider: Self.provider, command: "keyway passwords unlock"))
            do { try await Task.sleep(for: .seconds(60)) } catch { cancelled.append(true) }
            throw ProtocolError(.cancelled, "The request was cancelled.")
        }
        let outcome = try await trial.run("fill", "example.com")
        #expect(outcome.code == .needsPerson)
        #expect(outcome.err.contains("keyway passwords unlock"))
        while cancelled.all.isEmpty { await Task.yield() }
    }

    @Test func whatTheProviderShowsIsAnsweredInTheTerminal() async throws {
        let answers = AsyncStream.makeStream(of: InterfaceEvent.self)
        var trial = trial(["ada"])
        trial.terminal = TypingTerminal(["hunter2\r"])
        trial.broker.on(PresentationEvent.self) { message, _ in answers.continuation.yield(message.event) }
        trial.broker.on(Fill.self) { _, context in
            let form = InterfaceForm(
                title: "Unlock", fields: [.init(id: "master", label: "Master password", kind: .secure)],
                submitTitle: "Unlock")
            context.connection.notify(
                PresentationShow.self,
                .init(
                    request: context.requestID ?? 0, provider: Self.provider, service: "example.com",
                    interface: .form(form)))
            for await event in answers.stream {
                guard case .submitted(let values) = event, case .secret(let secret)? = values["master"] else {
                    continue
                }
                return .init(user: "ada", password: Attachment(secret.sealedMemory), provider: Self.provider)
            }
            throw ProtocolError(.cancelled, "The request was cancelled.")
        }
        let outcome = try await trial.run("fill", "example.com")
        #expect(outcome.out == "hunter2\n")
        #expect(trial.terminal?.written.contains("Passwords") == true)
        #expect(trial.terminal?.written.contains("hunter2") == false)
    }

    @Test func anInterfaceOfAnotherRequestIsNotShown() async throws {
        var trial = trial(["ada"])
        trial.terminal = TypingTerminal([])
        trial.broker.on(Fill.self) { _, context in
            context.connection.notify(
                PresentationShow.self,
                .init(
                    request: 4711, provider: Self.provider, service: nil,
                    interface: .message(.init(title: "Not asked for", text: ""))))
            return .init(user: "ada", password: try .secret("pw"), provider: Self.provider)
        }
        #expect(try await trial.run("fill", "example.com").out == "pw\n")
        #expect(trial.terminal?.written.isEmpty == true)
    }

    // MARK: Codes and texts

    @Test func theCodeOfTheOnlyAccountIsPrinted() async throws {
        let (asked, filled) = (Received<Suggest.Parameters>(), Received<Fill.Parameters>())
        var trial = Trial()
        trial.broker.on(Suggest.self) { parameters, _ in
            asked.append(parameters)
            let suggestion = Suggestion(
                handle: "h", user: "ada", service: "example.com", provider: Self.provider, match: .host,
                kind: .oneTimeCode)
            return .init(suggestions: [suggestion], more: 0, providers: [Self.provider])
        }
        trial.broker.on(Fill.self) { parameters, _ in
            filled.append(parameters)
            return .init(credential: .oneTimeCode(try .secret("123456")), provider: Self.provider)
        }
        #expect(try await trial.run("fill", "example.com", "--code").out == "123456\n")
        #expect(asked.all.first?.kinds == [.oneTimeCode])
        #expect(filled.all.first?.target == .suggestion(handle: "h"))
        let json = try await trial.run("fill", "example.com", "--code", "--json")
        #expect(
            json.out
                == "{\n  \"code\": \"123456\",\n  \"secondsLeft\": null,\n  \"provider\": \"org.keyway.passwords\"\n}\n"
        )
    }

    /// How long it is good for, where the provider says so and the time makes sense.
    @Test(arguments: [(80_000.0, true), (-3, false), (90_000, false)])
    func theCommandForCodesSaysHowLongOneIsGoodFor(seconds: Double, isSaid: Bool) async throws {
        let asked = Received<Suggest.Parameters>()
        var trial = Trial()
        trial.broker.on(Suggest.self) { parameters, _ in
            asked.append(parameters)
            let suggestion = Suggestion(
                handle: "h", user: "ada", service: "example.com", provider: Self.provider, match: .host,
                kind: .oneTimeCode)
            return .init(suggestions: [suggestion], more: 0, providers: [Self.provider])
        }
        trial.broker.on(Fill.self) { _, _ in
            let code = Fill.Credential.oneTimeCode(try .secret("123456"), validUntil: CodeLife.now + seconds)
            return .init(credential: code, provider: Self.provider)
        }
        #expect(try await trial.run("code", "example.com").out == "123456\n")
        let said = try await trial.run("code", "example.com", "--json").out
            .split(separator: "\n").compactMap { $0.split(separator: "\"secondsLeft\": ").last?.dropLast() }[2]
        // However long the command takes here, it is not an hour.
        #expect(isSaid ? (76_400...80_000).contains(Int(said) ?? 0) : said == "null")
        #expect(asked.all.allSatisfy { $0.kinds == [.oneTimeCode] })
    }

    @Test(arguments: [(20.0, 20), (19.5, 20), (0.5, 1), (0, 0), (-1, nil), (86_400, 86_400), (86_401, nil)])
    func secondsAreRoundedUp(seconds: Double, left: Int?) {
        #expect(CodeLife.secondsLeft(until: 1000 + seconds, now: 1000) == left)
    }

    @Test(arguments: [("--code", Fill.Target.oneTimeCodes(provider: nil)), ("--text", .text(provider: nil))])
    func withoutAServiceTheProviderShowsItsList(option: String, target: Fill.Target) async throws {
        let filled = Received<Fill.Parameters>()
        var trial = Trial()
        trial.broker.on(Fill.self) { parameters, _ in
            filled.append(parameters)
            let secret = try Attachment.secret("chosen")
            return .init(
                credential: option == "--code" ? .oneTimeCode(secret) : .text(secret), provider: Self.provider)
        }
        #expect(try await trial.run("fill", option).code == .needsPerson)
        trial.terminal = TypingTerminal([])
        #expect(try await trial.run("fill", option).out == "chosen\n")
        #expect(filled.all.map(\.target) == [target])
    }

    @Test(arguments: ["--code", "--text"])
    func somethingElseThanWasAskedForIsNotPrinted(option: String) async throws {
        var trial = Trial()
        trial.terminal = TypingTerminal([])
        trial.broker.on(Fill.self) { _, _ in
            .init(user: "ada", password: try .secret("hunter2"), provider: Self.provider)
        }
        let outcome = try await trial.run("fill", option)
        #expect(outcome.code == .providerFailed)
        #expect(outcome.out.isEmpty && !outcome.err.contains("hunter2"))
    }

    @Test(arguments: [["--code", "--text"], ["--code", "--field=username"], ["--text", "example.com"]])
    func contradictionsAreUsageErrors(words: [String]) async throws {
        #expect(try await Trial().run("fill", words[0], words[1]).code == .usage)
    }

    @Test(arguments: [
        (ProtocolError.Code.providerFailed, ExitCode.providerFailed), (.timedOut, .providerFailed),
        (.refused, .refused), (.notFound, .notFound), (.damaged, .damaged),
    ])
    func failuresEndWithTheirKind(code: ProtocolError.Code, exit: ExitCode) async throws {
        var trial = trial(["ada"])
        trial.broker.on(Fill.self) { _, _ in throw ProtocolError(code, "It went wrong.") }
        let outcome = try await trial.run("fill", "example.com")
        #expect(outcome.code == exit)
        #expect(outcome.err.hasPrefix("keyway: It went wrong.\n"))
        #expect(outcome.out.isEmpty)
    }
}

struct BrokerCommandTests {
    @Test func suggestionsAreListed() async throws {
        var trial = Trial()
        let asked = Received<Suggest.Parameters>()
        trial.broker.on(Suggest.self) { parameters, _ in
            asked.append(parameters)
            return Suggest.sample.result
        }
        let outcome = try await trial.run("suggest", "https://m.example.com/", "example.com", "--limit", "7")
        #expect(outcome.out == "ada  example.com  Passwords  same site\n")
        #expect(asked.all.first?.limit == 7)
        #expect(asked.all.first?.services.map(\.kind) == [.url, .domain])
    }

    @Test(arguments: [
        (
            ["status", "--json"],
            [
                "broker", "providers", "running", "uptime", "connections", "droppedAnswers", "disbelieved",
                "sharedLimits",
            ]
        ),
        (["providers", "list", "--json"], ["identifier", "name", "version", "enabled", "path", "scope", "service"]),
        (["doctor", "--json"], ["checks", "name", "status", "detail", "remedy"]),
    ])
    func jsonHasItsKeys(line: [String], keys: [String]) async throws {
        let trial = Trial()
        guard case .run(let invocation) = try CommandLineParser.parse(line) else { return }
        _ = invocation
        let outcome =
            line.count == 2 ? try await trial.run(line[0], line[1]) : try await trial.run(line[0], line[1], line[2])
        for key in keys { #expect(outcome.out.contains("\"\(key)\": "), "\(key)") }
    }

    @Test func doctorFailsWhenACheckDoes() async throws {
        let outcome = try await Trial().run("doctor")
        #expect(outcome.code == .failure)
        #expect(outcome.out.contains("FAILED   program:broker"))
        #expect(outcome.err.contains("doctor --fix"))
    }
}
