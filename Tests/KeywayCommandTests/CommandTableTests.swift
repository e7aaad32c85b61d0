import Testing

@testable import KeywayCommand

struct CommandTableTests {
    static let model = CompletionModel()

    /// But for groups that do without a word what their `list` does.
    @Test func everyActionHasOneCommand() {
        let lists = Self.model.entries.filter { entry in
            entry.command.commands.contains { $0.name == "list" && $0.action == entry.command.action }
        }
        #expect(lists.map(\.path) == ["keyway clients"])
        let actions = Self.model.entries.filter { entry in !lists.contains { $0.path == entry.path } }
            .compactMap(\.command.action)
        #expect(Set(actions) == Set(Action.allCases))
        #expect(actions.count == Action.allCases.count)
    }

    @Test(arguments: model.entries.map(\.path))
    func namesAreUniqueAndSpeakEnglish(path: String) throws {
        let entry = try #require(Self.model.entries.first { $0.path == path })
        let spellings = entry.options.flatMap { [$0.name] + $0.aliases }
        #expect(Set(spellings).count == spellings.count)
        #expect(Set(entry.command.commands.map(\.name)).count == entry.command.commands.count)
        for option in entry.options {
            #expect(option.name.hasPrefix("--"))
            #expect(option.summary.first?.isUppercase == true && !option.summary.hasSuffix("."))
        }
        #expect(!entry.command.summary.hasSuffix("."))
    }

    /// A secret on a command line can be read by every program of the machine.
    @Test func noOptionTakesASecret() {
        for option in Self.model.entries.flatMap(\.options) where option.value != nil {
            for word in ["password", "secret", "master", "notes"] { #expect(!option.name.contains(word)) }
        }
    }

    @Test(arguments: model.entries.filter { $0.command.action != nil && $0.path != "keyway help" }.map(\.path))
    func answersWithJSONWhereThereIsAnAnswer(path: String) throws {
        let entry = try #require(Self.model.entries.first { $0.path == path })
        #expect(entry.command.option("--json") != nil || entry.command.action == .completions)
    }

    @Test(arguments: model.entries.map(\.path))
    func helpIsAsStored(path: String) throws {
        let text = try #require(HelpText.text(for: path.split(separator: " ").map(String.init)))
        try Expected.expect(text, "help/\(path.split(separator: " ").joined(separator: "-")).txt")
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 90 })
    }

    @Test func completionsAreAsStored() throws {
        try Expected.expect(BashCompletion.text(), "completions/keyway.bash")
        try Expected.expect(ZshCompletion.text(), "completions/_keyway")
        try Expected.expect(FishCompletion.text(), "completions/keyway.fish")
    }

    @Test(arguments: [["keyway", "nonsense"], ["keyway", "passwords", "nonsense"]])
    func thereIsNoHelpForWhatIsNotThere(path: [String]) {
        #expect(HelpText.text(for: path) == nil)
    }
}

struct ManualTests {
    private let manual: String

    init() throws {
        manual = try Expected.read(Expected.root + "Docs/man/keyway.1")
    }

    @Test(arguments: ExitCode.allCases)
    func listsEveryExitCode(code: ExitCode) {
        #expect(manual.contains("\n.It \(code.rawValue)\n\(code.meaning)\n"))
    }

    @Test(arguments: CommandTableTests.model.entries.map(\.path))
    func listsEveryCommandAndOption(path: String) throws {
        let entry = try #require(CommandTableTests.model.entries.first { $0.path == path })
        guard entry.command.action != nil else { return }
        let heading = "\n.Ss \(HelpText.synopsis(of: entry.command, name: path))\n"
        let start = try #require(manual.ranges(of: heading).first)
        let section = manual[start.upperBound...].prefix { _ in true }
        let end = section.ranges(of: "\n.S").first?.lowerBound ?? section.endIndex
        for option in entry.command.options {
            let spellings = ([item(option)] + option.aliases.map { "Fl \($0.dropFirst())" }).joined(separator: " , ")
            #expect(section[..<end].contains("\n.It \(spellings)\n"), "\(option.name)")
        }
        for argument in entry.command.arguments { #expect(section[..<end].contains("\n.It Ar \(argument.name)\n")) }
    }

    @Test func listsNothingElse() {
        let known = Set(
            CommandTableTests.model.entries.filter { $0.command.action != nil }.map {
                HelpText.synopsis(of: $0.command, name: $0.path)
            })
        let listed = manual.split(separator: "\n").filter { $0.hasPrefix(".Ss ") }.map { String($0.dropFirst(4)) }
        #expect(Set(listed) == known)
    }

    private func item(_ option: CommandOption) -> String {
        let name = "Fl \(option.name.dropFirst())"
        guard let value = option.value else { return name }
        return value.isOptional ? "\(name) Ns Op = Ns Ar \(value.name)" : "\(name) Ar \(value.name)"
    }
}
