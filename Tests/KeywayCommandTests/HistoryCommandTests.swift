import AutoFillProtocol
import AutoFillWire
import Glibc
import Testing

@testable import KeywayCommand

struct HistoryCommandTests {
    private static let provider = ProviderReference(identifier: "org.keyway.passwords", name: "Passwords")

    /// A broker with `count` entries, one an hour, the newest of now.
    private func trial(_ count: Int, asked: Received<ListHistory.Parameters> = Received()) -> Trial {
        var trial = Trial()
        let now = trial.now * 1000
        let entries = (0..<count).map { index in
            HistoryEntry(
                time: now - Int64(index) * 3_600_000, event: .fill, client: "Chromium", provider: Self.provider,
                service: "example.com", account: "ada\(index)", kind: .password, method: .pin)
        }
        trial.broker.on(ListHistory.self) { parameters, _ in
            asked.append(parameters)
            let found = entries.filter { $0.time < parameters.before ?? .max }
            let limit = parameters.limit ?? 100
            return .init(entries: Array(found.prefix(limit)), hasMore: found.count > limit)
        }
        return trial
    }

    @Test func entryIsARow() async throws {
        let outcome = try await trial(1).run("history")
        #expect(outcome.code == .success)
        #expect(
            outcome.out.hasSuffix(
                "  filled  Chromium  ada0  example.com  Passwords  password, verified by PIN\n"))
        #expect(outcome.err.isEmpty)
    }

    @Test func refusalSaysWhy() async throws {
        var trial = Trial()
        trial.broker.on(ListHistory.self) { _, _ in
            let entry = HistoryEntry(
                time: 1_790_000_000_000, event: .refusal, client: "evil\u{1B}[2J", detail: "It asks too much.")
            return .init(entries: [entry], hasMore: false)
        }
        let outcome = try await trial.run("history")
        #expect(outcome.out.contains("refused  evil[2J"))
        #expect(outcome.out.hasSuffix("It asks too much.\n"))
        let json = try await trial.run("history", "--json")
        #expect(json.out.contains("\"time\": \"2026-09-21T14:13:20.000Z\""))
        for key in ["event", "client", "provider", "service", "account", "kind", "verification", "detail"] {
            #expect(json.out.contains("\"\(key)\": "), "\(key)")
        }
        #expect(json.out.contains("\"more\": false"))
    }

    @Test func moreThanOnePageIsFetched() async throws {
        let asked = Received<ListHistory.Parameters>()
        let outcome = try await trial(2500, asked: asked).run("history", "--limit", "2100")
        #expect(outcome.out.split(separator: "\n").count == 2100)
        #expect(asked.all.map(\.limit) == [1000, 1000, 100])
        #expect(outcome.err.contains("Use --limit to show more"))
    }

    @Test func olderThanAskedForIsNotListed() async throws {
        let outcome = try await trial(50).run("history", "--since", "150m")
        #expect(outcome.out.split(separator: "\n").count == 3)
        #expect(outcome.err.isEmpty)
        #expect(try await trial(50).run("history", "--since", "yesterday").code == .usage)
    }

    @Test func emptyHistoryIsSaid() async throws {
        let outcome = try await trial(0).run("history")
        #expect(outcome.code == .success)
        #expect(outcome.out.isEmpty && outcome.err.contains("The history is empty"))
    }

    @Test func clearingAsksFirst() async throws {
        let cleared = Received<Bool>()
        var trial = trial(0)
        trial.broker.on(ClearHistory.self) { _, _ in
            cleared.append(true)
            return Nothing()
        }
        #expect(try await trial.run("history", "clear").code == .needsPerson)
        trial.terminal = TypingTerminal(["n"])
        #expect(try await trial.run("history", "clear").code == .cancelled)
        #expect(cleared.all.isEmpty)
        trial.terminal = TypingTerminal(["y"])
        #expect(try await trial.run("history", "clear").code == .success)
        trial.terminal = nil
        #expect(try await trial.run("history", "clear", "--yes", "--json").out.contains("\"cleared\": true"))
        #expect(cleared.all.count == 2)
    }

    @Test(arguments: ["history --limit 5 clear", "history clear now", "history nonsense"])
    func whatIsMeantByNobodyIsAUsageError(line: String) {
        #expect(throws: UsageError.self) {
            _ = try CommandLineParser.parse(line.split(separator: " ").map(String.init))
        }
    }
}

struct CalendarTimeTests {
    @Test(arguments: [("30m", 1800), ("24h", 86400), ("7d", 604_800), ("2w", 1_209_600)])
    func spanIsBeforeNow(text: String, seconds: Int64) {
        #expect(CalendarTime.parse(text, now: 5_000_000_000) == 5_000_000_000 - seconds * 1000)
    }

    @Test func dayBeginsAtMidnight() throws {
        let time = try #require(CalendarTime.parse("2026-11-22", now: 0))
        #expect(CalendarTime.local(time) == "2026-11-22 00:00")
    }

    @Test(arguments: [
        "", "d", "0d", "-1d", "2026", "2026-13-01", "2026-02-31", "2026-1-1", "22-11-2026", "1y", "9999999d",
        "2026-11-22x",
    ])
    func everythingElseIsNoTime(text: String) {
        #expect(CalendarTime.parse(text, now: 1_790_000_000_000) == nil)
    }

    @Test func universalTimeIsISO8601() {
        #expect(CalendarTime.universal(1_790_000_000_007) == "2026-09-21T14:13:20.007Z")
    }
}
