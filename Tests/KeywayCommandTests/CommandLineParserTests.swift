import Testing

@testable import KeywayCommand

struct CommandLineParserTests {
    private func invocation(_ line: String) throws -> Invocation {
        guard case .run(let invocation) = try CommandLineParser.parse(line.split(separator: " ").map(String.init))
        else {
            throw UsageError(message: "not a command", path: [], suggestion: nil)
        }
        return invocation
    }

    private func complaint(_ line: String) -> UsageError? {
        do throws(UsageError) {
            _ = try CommandLineParser.parse(line.split(separator: " ").map(String.init))
            return nil
        } catch { return error }
    }

    @Test func findsCommandsInCommands() throws {
        let invocation = try invocation("passwords change-master")
        #expect(invocation.action == .changeMasterPassword)
        #expect(invocation.path == ["keyway", "passwords", "change-master"])
    }

    @Test(arguments: ["fill --user ada x", "fill --user=ada x", "fill x --user ada", "fill --user ada -- x"])
    func optionsStandAnywhere(line: String) throws {
        let invocation = try invocation(line)
        #expect(invocation.value("--user") == "ada")
        #expect(invocation.argument("SERVICE") == "x")
    }

    @Test(arguments: [("passwords add x --generate", nil), ("passwords add x --generate=32", 32)] as [(String, Int?)])
    func optionalValuesNeedTheEqualsSign(line: String, number: Int?) throws {
        let invocation = try invocation(line)
        #expect(invocation.has("--generate"))
        #expect(invocation.number("--generate") == number)
        #expect(invocation.argument("TITLE") == "x")
    }

    @Test func behindTheDashesNothingIsAnOption() throws {
        #expect(try invocation("passwords show -- --json").argument("ITEM") == "--json")
    }

    @Test func repeatedValuesAreKeptInOrder() throws {
        let invocation = try invocation("passwords add x --address a --url b --tag t")
        #expect(invocation.values("--address") == ["a", "b"])
        #expect(invocation.values("--tag") == ["t"])
    }

    @Test func emptyValuesAreValues() throws {
        guard case .run(let invocation) = try CommandLineParser.parse(["passwords", "edit", "x", "--user", ""]) else {
            Issue.record("not a command")
            return
        }
        #expect(invocation.value("--user")?.isEmpty == true)
    }

    @Test func severalArgumentsAreKept() throws {
        #expect(try invocation("suggest a b c").arguments("SERVICE") == ["a", "b", "c"])
    }

    @Test(arguments: [
        ("fil", "keyway fill"), ("passwords serch x", "keyway passwords search"), ("fill --usr x", "--user"),
        ("completions bsh", "bash"), ("status --jsn", "--json"), ("fill x --field pasword", "password"),
    ])
    func suggestsWhatWasMeant(line: String, suggestion: String) {
        #expect(complaint(line)?.suggestion == suggestion)
    }

    @Test(arguments: [
        "frobnicate", "fill --frobnicate", "fill a b", "suggest", "passwords", "providers enable", "passwords show",
        "status --json --json", "status --json=yes", "fill --user", "passwords init --memory 3",
        "passwords init --memory many", "passwords generate --length 99999999999999999999", "fill --field other x",
        "passwords add x --generate=0", "-x", "--json", "status extra",
    ])
    func refusesWhatItDoesNotKnow(line: String) {
        #expect(complaint(line) != nil)
    }

    @Test(arguments: [
        ("", ["keyway"]), ("--help", ["keyway"]), ("-h", ["keyway"]), ("passwords --help", ["keyway", "passwords"]),
        ("passwords add --user x -h", ["keyway", "passwords", "add"]), ("help fill", ["keyway", "fill"]),
        ("help passwords add", ["keyway", "passwords", "add"]), ("help", ["keyway"]),
    ])
    func explains(line: String, path: [String]) throws {
        guard case .help(let shown) = try CommandLineParser.parse(line.split(separator: " ").map(String.init)) else {
            Issue.record("no help")
            return
        }
        #expect(shown == path)
    }

    @Test(arguments: ["--version", "-V"])
    func knowsItsRelease(word: String) throws {
        guard case .version = try CommandLineParser.parse([word]) else {
            Issue.record("no release")
            return
        }
    }
}

struct SpellingTests {
    @Test(arguments: [
        ("", "", 0), ("a", "", 1), ("abc", "acb", 1), ("fill", "fil", 1), ("list", "lost", 1), ("ab", "cd", 2),
    ])
    func countsSlips(left: String, right: String, distance: Int) {
        #expect(Spelling.distance(left, right) == distance)
        #expect(Spelling.distance(right, left) == distance)
    }

    @Test(
        arguments: [("xyzzy", nil), ("statsu", "status"), ("pass", "passwords"), ("doc", "doctor")]
            as [(String, String?)])
    func suggestsOnlyWhatIsNear(word: String, nearest: String?) {
        #expect(Spelling.nearest(to: word, among: ["status", "passwords", "doctor", "fill"]) == nearest)
    }
}
