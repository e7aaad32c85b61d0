import AutoFillProtocol
import AutoFillWire
import KeywaySystem
import Synchronization
import Testing

@testable import BrowserHost

private let page = #"{"url":"https://a.example/login","private":false}"#

private func fill(_ fields: String = #"["username","password"]"#) -> String {
    #"{"url":"https://a.example/login","private":false,"handle":"h1","fields":\#(fields)}"#
}

@Suite(.timeLimit(.minutes(5))) struct HostSessionTests {
    @Test func greetsWithProtocolAndRelease() async throws {
        let browser = try Browser(broker: FakeBroker())
        browser.send(Browser.hello)
        let answer = try await browser.answer()
        #expect(answer.id == 1)
        #expect(answer.result?["version"]?.text == ProtocolVersion.release)
        #expect(answer.result?["protocol"] == ["major": 1, "minor": 1])
        #expect(answer.result?.names == ["protocol", "version"])
    }

    @Test func theBrokerIsGreetedInTheNameOfTheProfile() async throws {
        let broker = FakeBroker()
        let browser = try await Browser.greeted(broker: broker)
        for id in 2...3 {
            browser.request(id, "suggest", page)
            _ = try await browser.answer()
            broker.die()
        }
        let profile = BrowserProfile(identifier: "0b7e3c52-6d9c-4c40-9a53-2f1b4cd8a1f0", browser: "Chromium")
        #expect(broker.profiles.withLock { $0 } == [profile, profile])
    }

    @Test func withoutAProfileNothingGoesOn() async throws {
        let broker = FakeBroker()
        let browser = try Browser(broker: broker)
        browser.request(1, "hello", #"{"protocol":{"major":1,"minor":0},"version":"1","browser":"Firefox"}"#)
        let refusal = try await browser.answer()
        #expect(refusal.kind == "versionMismatch")
        #expect(refusal.members["error"]?["message"]?.text?.contains("profile") == true)
        browser.request(2, "suggest", page)
        #expect(try await browser.answer().kind == "invalid")
        #expect(broker.count == 0)
    }

    @Test func aConversationIsGreetedOnce() async throws {
        let browser = try await Browser.greeted(broker: FakeBroker())
        browser.send(Browser.hello)
        #expect(try await browser.answer().kind == "invalid")
        browser.request(2, "suggest", page)
        #expect(try await browser.answer().result != nil)
    }

    @Test func opensTheListOfAProviderForThePageThatAsked() async throws {
        let broker = FakeBroker(fill: { parameters, _ in
            #expect(parameters.presents == false)
            #expect(parameters.isPrivate == true)
            #expect(parameters.services == [ServiceIdentifier("https://a.example/login", kind: .url)])
            guard case .oneTimeCodes(provider: "p") = parameters.target else {
                #expect(parameters.target == .list(provider: "p"))
                return try FakeBroker.credential(user: "eve", password: Array("s3cret".utf8))
            }
            let memory = try Array("123456".utf8).withUnsafeBytes { (bytes) throws in try SealedMemory(copying: bytes) }
            return Fill.Result(credential: .oneTimeCode(Attachment(memory)), provider: FakeBroker.provider)
        })
        let browser = try await Browser.greeted(broker: broker)
        let list = #"{"url":"https://a.example/login","private":true,"provider":"p","fields":"#
        browser.request(2, "list", list + #"["password"]}"#)
        #expect(try await browser.answer().result == ["password": "s3cret"])
        browser.request(3, "list", list + #"["oneTimeCode"]}"#)
        #expect(try await browser.answer().result == ["code": "123456"])
    }

    @Test func tellsTheStatesOfServicesAndNothingElseOfTheBroker() async throws {
        let browser = try await Browser.greeted(broker: FakeBroker())
        browser.request(2, "state", "{}")
        let answer = try await browser.answer()
        #expect(answer.result?.names == ["providers"])
        #expect(answer.result?["providers"]?.list == [["identifier": "org.example.manager", "state": "locked"]])
        browser.request(3, "state", page)
        #expect(try await browser.answer().kind == "invalid")
    }

    @Test func locksTheProviderThatIsNamed() async throws {
        let broker = FakeBroker()
        let browser = try await Browser.greeted(broker: broker)
        browser.request(2, "lock", #"{"provider":"org.example.manager"}"#)
        #expect(try await browser.answer().result == [:])
        browser.request(3, "lock", #"{"provider":""}"#)
        #expect(try await browser.answer().kind == "invalid")
        #expect(broker.locked.withLock { $0 } == ["org.example.manager"])
    }

    @Test func aFieldForACodeIsSuggestedCodesAlone() async throws {
        let kinds = Mutex<[[CredentialKind]?]>([])
        let broker = FakeBroker(suggest: { parameters in
            kinds.withLock { $0.append(parameters.kinds) }
            return Suggest.Result(suggestions: [], more: 0, providers: [], lists: [])
        })
        let browser = try await Browser.greeted(broker: broker)
        browser.request(2, "suggest", #"{"url":"https://a.example/","private":false,"codes":true}"#)
        _ = try await browser.answer()
        browser.request(3, "suggest", #"{"url":"https://a.example/","private":false,"codes":false}"#)
        _ = try await browser.answer()
        #expect(kinds.withLock { $0 } == [[.oneTimeCode], [.password]])
    }

    /// `period` is of version 1.1.
    @Test(arguments: [(1, 30 as Int?, 30 as Int?), (0, 30, nil), (1, nil, nil)])
    func aSuggestedCodeSaysItsPeriodToWhoKnowsThat(minor: Int, period: Int?, told: Int?) async throws {
        let broker = FakeBroker(suggest: { _ in
            let code = Suggestion(
                handle: "h", user: "ada", service: "a.example", provider: FakeBroker.provider, match: .origin,
                kind: .oneTimeCode, record: "r", period: period)
            return Suggest.Result(suggestions: [code], more: 0, providers: [], lists: [])
        })
        let browser = try Browser(broker: broker)
        browser.send(Browser.hello.replacing(#""minor":0"#, with: #""minor":\#(minor)"#))
        _ = try await browser.answer()
        browser.request(2, "suggest", #"{"url":"https://a.example/","private":false}"#)
        let line = try await browser.answer().result?["suggestions"]?.list?.first
        #expect(line?["period"] == told.map { .number($0) })
        #expect(line?["record"] == nil)
    }

    /// `secondsLeft` is of version 1.1; an end that makes no sense is left out.
    @Test(arguments: [(1, 20.0, 20 as Int?), (0, 20, nil), (1, -5, nil), (1, 1e9, nil)])
    func aCodeSaysHowLongItIsGoodForToWhoKnowsThat(minor: Int, seconds: Double, left: Int?) async throws {
        let broker = FakeBroker(fill: { parameters, _ in
            #expect(parameters.target == .suggestion(handle: "h"))
            let memory = try Array("123456".utf8).withUnsafeBytes { (bytes) throws in try SealedMemory(copying: bytes) }
            let code = Fill.Credential.oneTimeCode(Attachment(memory), validUntil: CodeLife.now + seconds)
            return Fill.Result(credential: code, provider: FakeBroker.provider)
        })
        let browser = try Browser(broker: broker)
        browser.send(Browser.hello.replacing(#""minor":0"#, with: #""minor":\#(minor)"#))
        _ = try await browser.answer()
        browser.request(
            2, "fill", #"{"url":"https://a.example/","private":false,"handle":"h","fields":["oneTimeCode"]}"#)
        let result = try await browser.answer().result
        #expect(result?["code"] == "123456")
        #expect(result?["secondsLeft"] == left.map { .number($0) })
    }

    @Test func aCodeInPlaceOfAPasswordStaysHere() async throws {
        let broker = FakeBroker(fill: { _, _ in
            let memory = try Array("123456".utf8).withUnsafeBytes { (bytes) throws in try SealedMemory(copying: bytes) }
            return Fill.Result(credential: .oneTimeCode(Attachment(memory)), provider: FakeBroker.provider)
        })
        let browser = try await Browser.greeted(broker: broker)
        browser.request(2, "fill", #"{"url":"https://a.example/","private":false,"handle":"h","fields":["password"]}"#)
        let answer = try await browser.answer()
        #expect(answer.kind == "providerFailed")
        #expect(!String(decoding: answer.bytes, as: UTF8.self).contains("123456"))
    }

    @Test func aPasswordInPlaceOfACodeStaysHere() async throws {
        let broker = FakeBroker(fill: { _, _ in try FakeBroker.credential(user: "ada", password: Array("s3cret".utf8)) }
        )
        let browser = try await Browser.greeted(broker: broker)
        browser.request(
            2, "list", #"{"url":"https://a.example/","private":false,"provider":"p","fields":["oneTimeCode"]}"#)
        let answer = try await browser.answer()
        #expect(answer.kind == "providerFailed")
        #expect(!String(decoding: answer.bytes, as: UTF8.self).contains("s3cret"))
    }

    @Test func anotherMajorVersionIsTold() async throws {
        let browser = try Browser(broker: FakeBroker())
        browser.request(1, "hello", #"{"protocol":{"major":2,"minor":0},"version":"9","browser":"firefox"}"#)
        #expect(try await browser.answer().kind == "versionMismatch")
        browser.request(2, "suggest", page)
        #expect(try await browser.answer().kind == "invalid")
    }

    @Test func nothingIsAnsweredBeforeTheGreeting() async throws {
        let broker = FakeBroker()
        let browser = try Browser(broker: broker)
        browser.request(1, "suggest", page)
        #expect(try await browser.answer().kind == "invalid")
        #expect(broker.count == 0)
    }

    @Test func suggestsWhatTheBrokerSuggests() async throws {
        let broker = FakeBroker(suggest: { parameters in
            #expect(parameters.services == [ServiceIdentifier("https://a.example/login", kind: .url)])
            #expect(parameters.isPrivate == true)
            return Suggest.Result(
                suggestions: [FakeBroker.suggestion(user: "ada")], more: 4, providers: [FakeBroker.provider],
                lists: [ProviderLists(provider: FakeBroker.provider, kinds: [.password, .passkey, .oneTimeCode])])
        })
        let browser = try await Browser.greeted(broker: broker)
        browser.request(2, "suggest", #"{"url":"https://a.example/login","private":true}"#)
        let result = try #require(try await browser.answer().result)
        #expect(result.names == ["suggestions", "more", "providers"])
        #expect(result["more"]?.number == 4)
        let suggestion = try #require(result["suggestions"]?.list?.first)
        #expect(suggestion.names == ["handle", "user", "service", "provider", "match", "kind"])
        #expect(
            suggestion["provider"] == ["identifier": "org.example.manager", "name": "Manager"])
        let provider = try #require(result["providers"]?.list?.first)
        #expect(provider.names == ["identifier", "name", "lists", "isSilent"])
        #expect(provider["lists"]?.list?.compactMap(\.text) == ["password", "passkey", "oneTimeCode"])
    }

    @Test func leavesOutWhatTheExtensionWouldRefuse() async throws {
        let long = FakeBroker.suggestion(user: String(repeating: "x", count: 5000))
        let broker = FakeBroker(suggest: { _ in
            Suggest.Result(suggestions: [long, FakeBroker.suggestion(user: "ada")], more: 0, providers: [])
        })
        let browser = try await Browser.greeted(broker: broker)
        browser.request(2, "suggest", page)
        let result = try #require(try await browser.answer().result)
        #expect(result["suggestions"]?.list?.count == 1)
        #expect(result["more"]?.number == 1)
    }

    @Test func providersThatTheExtensionRefusesAreNotNamed() async throws {
        let long = ProviderReference(identifier: "org.example.long", name: String(repeating: "🔑", count: 129))
        let browser = try await Browser.greeted(
            broker: FakeBroker(suggest: { _ in
                Suggest.Result(
                    suggestions: [], more: 0,
                    providers: [long] + Array(repeating: FakeBroker.provider, count: 101))
            }))
        browser.request(2, "suggest", page)
        let providers = try #require(try await browser.answer().result?["providers"]?.list)
        #expect(providers.count == 100)
        #expect(providers.allSatisfy { $0["name"]?.text == "Manager" })
    }

    /// 600 characters of 2 units, or of 12: what the extension counts.
    @Test(arguments: ["🔑", "e\u{301}\u{302}\u{303}\u{304}\u{305}\u{306}\u{307}\u{308}\u{309}\u{30A}\u{30B}"])
    func aFailureKeepsToTheLimitOfTheExtension(character: String) async throws {
        let text = String(repeating: character, count: 600)
        let browser = try await Browser.greeted(
            broker: FakeBroker(fill: { _, _ in throw ProtocolError(.providerFailed, text) }))
        browser.request(2, "fill", fill())
        let message = try await browser.answer().members["error"]?["message"]?.text
        let units = try #require(message?.utf16.count)
        #expect(units <= 1024 && units > 1000)
        #expect(text.hasPrefix(message ?? "?"))
    }

    @Test func aCommandThatIsTooLongIsNotCutInHalf() {
        let provider = ProviderReference(identifier: "x", name: String(repeating: "👩‍👩‍👧‍👦", count: 80))
        for (command, isShown) in [("keyway unlock", true), (String(repeating: "x", count: 1025), false)] {
            let waiting = HostReply.Waiting(
                request: 1, FillWaiting.Parameters(request: 1, provider: provider, command: command))
            #expect(waiting.provider.utf16.count <= 80)
            #expect(waiting.message.utf16.count <= 1024)
            #expect(waiting.command == (isShown ? command : ""))
        }
    }

    @Test func anAnswerFitsIntoAFrame() async throws {
        let large = (0..<100).map {
            FakeBroker.suggestion(user: String(repeating: "\u{1}", count: 4000), handle: "h\($0)")
        }
        let answer = HostReply.suggestions(
            Suggest.Result(suggestions: large, more: 1, providers: []), id: 1, limit: 1 << 20, saysHowLong: true)
        #expect(answer.count <= 1 << 20)
        let result = try #require(try Message(answer).result)
        let shown = try #require(result["suggestions"]?.list)
        #expect(!shown.isEmpty)
        #expect(result["more"]?.number == 101 - shown.count)
    }

    @Test func fillsWhatThePageHasRoomFor() async throws {
        let broker = FakeBroker(fill: { parameters, _ in
            #expect(parameters.presents == false)
            #expect(parameters.target == .suggestion(handle: "h1"))
            return try FakeBroker.credential(user: "ada", password: Array("s3cret".utf8))
        })
        let browser = try await Browser.greeted(broker: broker)
        browser.request(2, "fill", fill())
        #expect(try await browser.answer().result == ["user": "ada", "password": "s3cret"])
        browser.request(3, "fill", fill(#"["username"]"#))
        let answer = try await browser.answer()
        #expect(answer.result == ["user": "ada"])
        #expect(!String(decoding: answer.bytes, as: UTF8.self).contains("s3cret"))
    }

    @Test func namesThoseWhoHaveTexts() async throws {
        let other = ProviderReference(identifier: "org.example.other", name: "Other")
        let broker = FakeBroker(suggest: { _ in
            Suggest.Result(
                suggestions: [FakeBroker.suggestion(user: "ada")], more: 0, providers: [FakeBroker.provider, other],
                lists: [
                    ProviderLists(provider: FakeBroker.provider, kinds: [.password]),
                    ProviderLists(provider: other, kinds: [], hasTexts: true),
                ])
        })
        let browser = try await Browser.greeted(broker: broker)
        browser.request(2, "texts", page)
        let answer = try await browser.answer()
        #expect(answer.result?.names == ["providers"])
        #expect(answer.result?["providers"]?.list == [["identifier": "org.example.other", "name": "Other"]])
        #expect(!String(decoding: answer.bytes, as: UTF8.self).contains("ada"))
    }

    private var insert: String { #"{"url":"https://a.example/login","private":true,"provider":"p"}"# }

    @Test func insertsTheTextThatThePersonPicked() async throws {
        let broker = FakeBroker(fill: { parameters, _ in
            #expect(parameters.target == .text(provider: "p") && parameters.presents == false)
            #expect(parameters.services == [ServiceIdentifier("https://a.example/login", kind: .url)])
            #expect(parameters.isPrivate == true && parameters.passkey == nil)
            let text = Array("first line\n\"second\"".utf8)
            let memory = try text.withUnsafeBytes { (bytes) throws in try SealedMemory(copying: bytes) }
            return Fill.Result(credential: .text(Attachment(memory)), provider: FakeBroker.provider)
        })
        let browser = try await Browser.greeted(broker: broker)
        browser.request(2, "insert", insert)
        #expect(try await browser.answer().result == ["text": "first line\n\"second\""])
    }

    @Test func whatIsNoTextIsNotInserted() async throws {
        let broker = FakeBroker(fill: { _, _ in
            try FakeBroker.credential(user: "ada", password: Array("s3cret".utf8))
        })
        let browser = try await Browser.greeted(broker: broker)
        browser.request(2, "insert", insert)
        let answer = try await browser.answer()
        #expect(answer.kind == "providerFailed")
        #expect(!String(decoding: answer.bytes, as: UTF8.self).contains("s3cret"))
    }

    @Test func tellsWhatThePersonMustDoAndGoesOn() async throws {
        let broker = FakeBroker(fill: { _, context in
            let notice = FillWaiting.Parameters(
                request: context.requestID ?? 0, provider: FakeBroker.provider, command: "manager unlock")
            context.connection.notify(FillWaiting.self, notice)
            return try FakeBroker.credential(user: "ada", password: [0x78])
        })
        let browser = try await Browser.greeted(broker: broker)
        // Another request first, so that the browser's number and the broker's differ.
        browser.request(40, "suggest", page)
        _ = try await browser.answer()
        browser.request(41, "fill", fill())
        let waiting = try await browser.answer()
        #expect(waiting.method == "fill.waiting")
        #expect(waiting.params?["request"]?.number == 41)
        #expect(waiting.params?["provider"]?.text == "Manager")
        #expect(waiting.params?["command"]?.text == "manager unlock")
        #expect(waiting.params?["message"]?.text?.contains("manager unlock") == true)
        #expect(try await browser.answer().id == 41)
    }

    @Test func cancelsAtTheBrokerToo() async throws {
        let broker = FakeBroker(fill: { _, _ in
            try await Task.sleep(for: .seconds(60))
            return try FakeBroker.credential(user: "ada", password: [0x78])
        })
        let browser = try await Browser.greeted(broker: broker)
        browser.request(2, "fill", fill())
        browser.send(#"{"jsonrpc":"2.0","method":"cancel","params":{"id":2}}"#)
        let answer = try await browser.answer()
        #expect(answer.id == 2)
        #expect(answer.kind == "cancelled")
    }

    @Test(arguments: [
        (ProtocolError.Code.notFound, "notFound"), (.refused, "refused"), (.timedOut, "timedOut"),
        (.noProvider, "noProvider"), (.providerFailed, "providerFailed"), (.tooManyRequests, "tooManyRequests"),
        (.cancelled, "cancelled"), (.locked, "providerFailed"), (.internalError, "providerFailed"),
        (.notApproved, "notApproved"), (.forbidden, "forbidden"), (.rateLimited, "rateLimited"),
        (.notVerified, "notVerified"),
        (.interactionRequired, "needsPerson"),
    ])
    func passesTheKindOfFailureOn(code: ProtocolError.Code, kind: String) async throws {
        let broker = FakeBroker(fill: { _, _ in throw ProtocolError(code, "It went wrong.", provider: "p") })
        let browser = try await Browser.greeted(broker: broker)
        browser.request(2, "fill", fill())
        let answer = try await browser.answer()
        #expect(answer.kind == kind)
        #expect(answer.members["error"]?.names == ["code", "message", "data"])
        #expect(answer.members["error"]?["data"]?.names == ["kind"])
    }

    @Test func aBrokerThatCannotBeReachedIsNamedAndTriedAgain() async throws {
        let broker = FakeBroker()
        broker.refuse(with: ProtocolError(.brokerNotRunning, "Run keywayd."))
        let browser = try await Browser.greeted(broker: broker)
        browser.request(2, "suggest", page)
        #expect(try await browser.answer().kind == "brokerUnreachable")
        broker.refuse(with: nil)
        browser.request(3, "suggest", page)
        #expect(try await browser.answer().result != nil)
    }

    @Test func connectsAgainAfterTheBrokerRestarted() async throws {
        let broker = FakeBroker()
        let browser = try await Browser.greeted(broker: broker)
        for id in 2...4 {
            browser.request(id, "suggest", page)
            #expect(try await browser.answer().result != nil)
            broker.die()
        }
        #expect(broker.count == 3)
    }

    /// A broker where Keyway can be set up as long as no provider is on, and a count of how often that was asked.
    private final class FirstRun: Sendable {
        let hasProvider: Mutex<Bool>
        let questions = Mutex(0)

        init(hasProvider: Bool) { self.hasProvider = Mutex(hasProvider) }

        var broker: FakeBroker {
            FakeBroker(
                suggest: { _ in
                    .init(
                        suggestions: [], more: 0,
                        providers: self.hasProvider.withLock { $0 } ? [FakeBroker.provider] : [])
                },
                others: { table in
                    table.on(SetUpState.self) { _, _ in
                        self.questions.withLock { $0 += 1 }
                        return .init(isOffered: self.hasProvider.withLock { !$0 })
                    }
                })
        }

        func turn(on isOn: Bool) { hasProvider.withLock { $0 = isOn } }
        var asked: Int { questions.withLock { $0 } }
    }

    private func newer(_ broker: FakeBroker) async throws -> Browser {
        let browser = try Browser(broker: broker)
        browser.send(Browser.hello.replacing(#""minor":0"#, with: #""minor":1"#))
        _ = try await browser.answer()
        return browser
    }

    private func offersSetUp(_ browser: Browser, _ id: Int) async throws -> Bool {
        browser.request(id, "suggest", page)
        return try #require(try await browser.answer().result?.names).contains("setUp")
    }

    @Test func whetherKeywayIsSetUpIsAskedOnceWhereItIs() async throws {
        let firstRun = FirstRun(hasProvider: true)
        let browser = try await newer(firstRun.broker)
        for id in 2...6 { #expect(try await !offersSetUp(browser, id)) }
        #expect(firstRun.asked == 1)
    }

    @Test func whetherKeywayIsSetUpIsAskedUntilItIs() async throws {
        let firstRun = FirstRun(hasProvider: false)
        let browser = try await newer(firstRun.broker)
        for id in 2...3 { #expect(try await offersSetUp(browser, id)) }
        #expect(firstRun.asked == 2)
        firstRun.turn(on: true)
        for id in 4...6 { #expect(try await !offersSetUp(browser, id)) }
        #expect(firstRun.asked == 3)
    }

    @Test func whereTheLastProviderIsTurnedOffKeywayCanBeSetUpAtOnce() async throws {
        let firstRun = FirstRun(hasProvider: true)
        let browser = try await newer(firstRun.broker)
        #expect(try await !offersSetUp(browser, 2))
        firstRun.turn(on: false)
        for id in 3...4 { #expect(try await offersSetUp(browser, id)) }
        #expect(firstRun.asked == 3)
    }

    @Test func anotherBrokerIsAskedAgain() async throws {
        let firstRun = FirstRun(hasProvider: true)
        let broker = firstRun.broker
        let browser = try await newer(broker)
        for id in 2...4 {
            #expect(try await !offersSetUp(browser, id))
            await broker.dieNoticed()
        }
        #expect(firstRun.asked == 3)
    }

    @Test func aFillDuringWhichTheBrokerDiesFails() async throws {
        let dying = Mutex<FakeBroker?>(nil)
        let broker = FakeBroker(fill: { _, _ in
            dying.withLock { $0 }?.die()
            try await Task.sleep(for: .seconds(60))
            return try FakeBroker.credential(user: "ada", password: [0x78])
        })
        dying.withLock { $0 = broker }
        let browser = try await Browser.greeted(broker: broker)
        browser.request(2, "fill", fill())
        #expect(try await browser.answer().kind == "brokerUnreachable")
        dying.withLock { $0 = nil }
    }

    @Test func manyRequestsShareOneConversation() async throws {
        let broker = FakeBroker()
        let browser = try await Browser.greeted(broker: broker)
        for id in 2..<42 { browser.request(id, "suggest", page) }
        var answered = Set<Int>()
        for _ in 2..<42 { answered.insert(try #require(try await browser.answer().id)) }
        #expect(answered == Set(2..<42))
        #expect(broker.count == 1)
    }

    @Test func boundsTheRequestsInFlight() async throws {
        var limits = WireLimits()
        limits.requestsInFlight = 2
        let broker = FakeBroker(suggest: { _ in
            try await Task.sleep(for: .seconds(60))
            return FakeBroker.nothing
        })
        let browser = try await Browser.greeted(broker: broker, limits: limits)
        for id in 2...4 { browser.request(id, "suggest", page) }
        let refused = try await browser.answer()
        #expect(refused.id == 4)
        #expect(refused.kind == "tooManyRequests")
        browser.request(3, "suggest", page)
        #expect(try await browser.answer().kind == "invalid")
        browser.session.end()
        #expect(try await browser.answer().kind == "cancelled")
        #expect(try await browser.answer().kind == "cancelled")
    }

    /// The answer is larger than a pipe holds: while its end is unread, it is not wholly sent.
    @Test func theNumberOfAnAnswerThatArrivesMayBeUsedAgain() async throws {
        let many = (0..<100).map {
            FakeBroker.suggestion(user: String(repeating: "a", count: 4000), handle: "h\($0)")
        }
        let broker = FakeBroker(suggest: { _ in .init(suggestions: many, more: 0, providers: [FakeBroker.provider]) })
        let browser = try await Browser.greeted(broker: broker)
        browser.request(2, "suggest", page)
        try await browser.beginReading()
        browser.requestMeanwhile(2, "suggest", page)
        for _ in 1...2 {
            let answer = try await browser.answer()
            #expect(answer.id == 2)
            #expect(answer.kind == nil)
        }
    }

    @Test func aFrameOverTheLimitCostsAnErrorAndNothingElse() async throws {
        let browser = try await Browser.greeted(broker: FakeBroker())
        browser.session.receive(.tooLarge(64 << 20))
        let answer = try await browser.answer()
        #expect(answer.members["id"] == .null)
        #expect(answer.kind == "invalid")
        browser.request(2, "suggest", page)
        #expect(try await browser.answer().id == 2)
    }

    @Test func aNotificationIsNeverAnswered() async throws {
        let browser = try await Browser.greeted(broker: FakeBroker())
        browser.send(#"{"jsonrpc":"2.0","method":"unheard.of","params":{}}"#)
        browser.send(#"{"jsonrpc":"2.0","method":"cancel","params":{"id":77}}"#)
        browser.send(#"{"jsonrpc":"2.0","method":"fill","params":{}}"#)
        browser.request(2, "suggest", page)
        #expect(try await browser.answer().id == 2)
    }
}
