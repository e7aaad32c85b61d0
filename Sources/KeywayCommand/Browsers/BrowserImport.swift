import AutoFillProtocol
import AutoFillWire
import CredentialExchange
import KeywayCrypto
import KeywaySystem

/// `keyway import --from` and `--list-browsers`: what the person's own browsers have stored.
struct BrowserImport {
    let context: CommandContext

    private var profiles: [BrowserProfile] { ProfileSearch(machine: context.surroundings.machine).profiles }

    /// Lists the profiles, with how many passwords each has stored.
    func list() async throws {
        var rows: [(BrowserProfile, Int?)] = []
        for profile in profiles { rows.append((profile, await context.surroundings.countStored(profile))) }
        let values = rows.map { profile, count in
            JSONValue.object([
                ("name", .string(profile.word)), ("browser", .string(profile.browser.name)),
                ("profile", .string(profile.title ?? profile.name)), ("folder", .string(profile.folder)),
                ("passwords", count.map(JSONValue.integer) ?? .null),
            ])
        }
        let texts = rows.map { profile, count in
            [profile.word, profile.title ?? "", count.map(Strings.passwords) ?? Strings.notCounted]
        }
        try context.print(.object([("profiles", .array(values))]), text: TextTable.text(texts))
        if rows.isEmpty, !context.wantsJSON { try context.say(Strings.noProfiles) }
    }

    /// Reads the profiles that were named, once the person was verified.
    func read(_ words: [String]) async throws -> [ReadExport] {
        var chosen: [BrowserProfile] = []
        for word in words { chosen.append(try await profile(word)) }
        try await verify(chosen)
        var exports: [ReadExport] = []
        for profile in chosen { exports.append(try await read(profile)) }
        return exports
    }

    /// Says how the browsers' own saving is turned off.
    func sayHowToTurnOff(_ words: [String]) throws {
        let families = Set(words.map { $0.hasPrefix("firefox") || $0.hasPrefix("librewolf") })
        try context.say(Strings.turnSavingOff)
        if families.contains(true) { try context.say(Strings.turnFirefoxSavingOff) }
        if families.contains(false) { try context.say(Strings.turnChromiumSavingOff) }
    }

    // MARK: - Which one

    /// The profile that a word names: `BROWSER:PROFILE`, or `BROWSER` where only one has passwords.
    private func profile(_ word: String) async throws -> BrowserProfile {
        let parts = word.split(separator: ":", maxSplits: 1).map(String.init)
        guard let browser = parts.first, Browser.all.contains(where: { $0.word == browser }) else {
            throw CommandError(.usage, Strings.noBrowserCalled(word), hint: Strings.listBrowsers)
        }
        let all = profiles.filter { $0.browser.word == browser }
        guard parts.count == 1 else {
            let found = all.filter { $0.name == parts[1] }
            guard let profile = found.first ?? all.first(where: { $0.title == parts[1] }) else {
                throw CommandError(.notFound, Strings.noProfile(word), hint: Strings.listBrowsers)
            }
            return profile
        }
        var filled: [BrowserProfile] = []
        for profile in all where await context.surroundings.countStored(profile) != 0 { filled.append(profile) }
        guard let first = filled.first else {
            throw CommandError(.notFound, Strings.noStoredPasswords(browser), hint: Strings.listBrowsers)
        }
        guard filled.count == 1 else {
            throw CommandError(
                .usage, Strings.severalProfiles(browser), hint: Strings.chooseProfile(filled.map(\.word)))
        }
        return first
    }

    /// The same check as before something is handed out.
    private func verify(_ profiles: [BrowserProfile]) async throws {
        let broker = try await context.connect()
        defer { broker.close() }
        let source = profiles.map(\.text).joined(separator: ", ")
        _ = try await broker.call(VerifyForImport.self, .init(source: source))
    }

    // MARK: - Reading

    private func read(_ profile: BrowserProfile) async throws -> ReadExport {
        let file = try ExportFile(profile: profile.folder, named: profile.word)
        var secret: SecretBytes?
        if profile.browser.family == .chromium {
            secret = try await context.surroundings.keyringKeys(profile, context.surroundings.environment)
        }
        var attempt = 0
        while true {
            switch try await context.surroundings.readProfile(profile, file.descriptor, secret) {
            case .document(let document): return ReadExport(file: file, document: document, isProtected: true)
            case .failure(let failure) where failure.code == .needsPassword:
                secret = try ask(profile, &attempt)
            case .failure(let failure)
            where failure.code == .wrongPassword && context.questions.areTyped && attempt < Questions.attempts:
                try context.say(Strings.wrongPrimaryPassword(profile.word))
                secret = try ask(profile, &attempt)
            case .failure(let failure): throw error(failure, profile)
            case .ended(let status):
                throw CommandError(
                    .failure, Strings.profileNotRead(profile.word, ChildProcess.describe(status: status)),
                    hint: Strings.exportFromBrowser)
            }
        }
    }

    private func ask(_ profile: BrowserProfile, _ attempt: inout Int) throws(CommandError) -> SecretBytes {
        attempt += 1
        return try context.questions.secret(Strings.primaryPassword(profile.text))
    }

    private func error(_ failure: ImportFailure, _ profile: BrowserProfile) -> CommandError {
        switch failure.code {
        case .wrongPassword, .needsPassword:
            CommandError(.wrongPassword, Strings.wrongPrimaryPassword(profile.word), hint: failure.advice)
        case .damaged: CommandError(.damaged, Strings.notImported(profile.word, failure.detail), hint: failure.advice)
        case .unknownFormat: CommandError(.notFound, Strings.notImported(profile.word, failure.detail))
        case .failed: CommandError(.failure, Strings.notImported(profile.word, failure.detail), hint: failure.advice)
        default: CommandError(.refused, Strings.notImported(profile.word, failure.detail), hint: failure.advice)
        }
    }
}
