import Benchmarking
import FoundationEssentials
import Glibc
import KeywaySystem

/// What the host suggests.
private struct Offered: Decodable {
    struct Result: Decodable {
        struct Suggestion: Decodable {
            let handle: String
            let kind: String
        }

        let suggestions: [Suggestion]
    }

    let result: Result
}

/// What is filled.
private struct Filled: Decodable {
    struct Result: Decodable {
        let user: String
    }

    let result: Result
}

extension Benchmark {
    /// A sign-in with a passkey, from the browser host's input to its answer.
    static let passkeyGet = Benchmark(name: "passkey-get", sizes: [10_000]) { size, context in
        let fixture = try await context.fixtures.fixture(size)
        let service = try await fixture.open()
        defer { service.close() }
        try await fixture.letThePersonBeVerified()
        let browser = try BrowserConversation(fixture.session)
        defer { browser.close() }
        let account = try Account(fixture.items, 0, browser)
        _ = try account.upgrade()
        let handle = try account.suggested("passkey")
        let request = #"{"challenge":"AAECAwQFBgcICQoLDA0ODw","allowed":[],"userVerification":"discouraged"}"#
        func signIn() throws -> Double {
            let started = MonotonicTime.now
            let answer = try browser.ask(
                "passkeys.get", #"{\#(account.page),"handle":"\#(handle)","request":\#(request)}"#)
            let time = MonotonicTime.now.since(started).milliseconds
            guard answer.contains(#""signature":""#) else { throw BenchmarkFailure("no signature: \(answer)") }
            return time
        }
        var times: [Double] = []
        for run in 0...500 {
            let time = try signIn()
            if run > 0 { times.append(time) }
        }
        var row = BenchmarkRow(
            name: "passkey-get", size: size, samples: Samples(times), peakMiB: fixture.session.peakMiB)
        row.goals = [.init("median < 3 ms", row.samples.median < 3)]
        row.calls = try await fixture.session.counted(runs: 200, with: [browser.processIdentifier]) { _ in
            _ = try signIn()
        }
        return [row]
    }

    /// A new passkey that nobody is asked for, from the browser host's input to its answer. The password of the account
    /// was filled just before, as it must be.
    static let passkeyCreate = Benchmark(name: "passkey-create", sizes: [10_000]) { size, context in
        let fixture = try await context.fixtures.fixture(size)
        let service = try await fixture.open()
        defer { service.close() }
        try await fixture.letThePersonBeVerified()
        let browser = try BrowserConversation(fixture.session)
        defer { browser.close() }
        var times: [Double] = []
        for run in 0...100 {
            let time = try Account(fixture.items, run + 1, browser).upgrade()
            if run > 0 { times.append(time) }
        }
        var row = BenchmarkRow(
            name: "passkey-create", size: size, samples: Samples(times), peakMiB: fixture.session.peakMiB)
        row.goals = [.init("median < 5 ms", row.samples.median < 5)]
        // With the fill that each upgrade begins with.
        row.calls = try await fixture.session.counted(runs: 50, with: [browser.processIdentifier]) { run in
            _ = try Account(fixture.items, 200 + run, browser).upgrade()
        }
        return [row]
    }
}

/// One of the sample accounts, in its page.
private struct Account {
    let user: String
    /// The members of a message that say which page asks.
    let page: String
    private let handleOfUser: String
    private let browser: BrowserConversation

    init(_ items: SampleItems, _ step: Int, _ browser: BrowserConversation) throws {
        let index = items.scattered(step)
        user = items.user(index)
        page = #""url":"\#(items.address(index))","private":false"#
        handleOfUser = "AA\(SampleItems.number(index))"
        self.browser = browser
    }

    /// The handle of what is suggested first, of that kind.
    func suggested(_ kind: String) throws -> String {
        let answer = try browser.ask("suggest", #"{\#(page),"passkeys":{"allowed":[]}}"#)
        let offered = try JSONDecoder().decode(Offered.self, from: Data(answer.utf8))
        guard let handle = offered.result.suggestions.first(where: { $0.kind == kind })?.handle else {
            throw BenchmarkFailure("no \(kind) was suggested: \(answer)")
        }
        return handle
    }

    /// Signs in with the password, and has a passkey made; how many milliseconds that took.
    func upgrade() throws -> Double {
        let filled = try browser.ask(
            "fill", #"{\#(page),"handle":"\#(try suggested("password"))","fields":["username","password"]}"#)
        guard try JSONDecoder().decode(Filled.self, from: Data(filled.utf8)).result.user == user else {
            throw BenchmarkFailure("another account was filled")
        }
        let request = #"""
            {"challenge":"AAECAwQFBgcICQoLDA0ODw","user":{"id":"\#(handleOfUser)","name":"\#(user)","displayName":""},
            "algorithms":[-7],"excluded":[],"userVerification":"preferred"}
            """#
        // No page asks in the moment of the fill, which is still being written to the history.
        usleep(20_000)
        let started = MonotonicTime.now
        let answer = try browser.ask("passkeys.create", #"{\#(page),"isConditional":true,"request":\#(request)}"#)
        let time = MonotonicTime.now.since(started).milliseconds
        guard answer.contains(#""attestationObject":""#) else { throw BenchmarkFailure("no passkey: \(answer)") }
        return time
    }
}
