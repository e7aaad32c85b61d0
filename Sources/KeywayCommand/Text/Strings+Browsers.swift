import AutoFillWire

/// What the command says of passwords that browsers have stored.
extension Strings {
    static func passwords(_ count: Int) -> String { count == 1 ? "1 password" : "\(count) passwords" }
    static let notCounted = "couldn't be looked at"
    static let noProfiles = "No profile of a browser was found in your home folder."
    static func noBrowserCalled(_ word: String) -> String {
        "“\(DisplayText.line(word))” isn't a browser whose passwords Keyway can read."
    }
    static let listBrowsers = "These have passwords: keyway import --list-browsers"
    static func noProfile(_ word: String) -> String { "There is no profile \(DisplayText.line(word))." }
    static func noStoredPasswords(_ browser: String) -> String { "No profile of \(browser) has passwords." }
    static func severalProfiles(_ browser: String) -> String { "Several profiles of \(browser) have passwords." }
    static func chooseProfile(_ words: [String]) -> String {
        "Choose one: --from \(words.map { DisplayText.line($0) }.joined(separator: ", --from "))"
    }
    static func primaryPassword(_ profile: String) -> String { "Primary password of \(DisplayText.line(profile))" }
    static func wrongPrimaryPassword(_ word: String) -> String {
        "\(DisplayText.line(word)): the primary password is wrong."
    }
    static func profileNotRead(_ word: String, _ how: String) -> String {
        "\(DisplayText.line(word)): the profile couldn't be read (\(how))."
    }
    static let exportFromBrowser = "Export the passwords in the browser, and import the file."
    static let fromIsAlone = "Use --from without files and without --columns and --key-file."
    static let listIsAlone = "Use --list-browsers without files and without other options, --json aside."
    static let turnSavingOff =
        "The browser still has its passwords, and may offer them beside Keyway's. To turn its own saving off, use the switch "
        + "on the page of options of Keyway's extension, or the browser's settings:"
    static let turnFirefoxSavingOff = "  Firefox: about:preferences#privacy, Passwords"
    static let turnChromiumSavingOff = "  Chromium and others: chrome://password-manager/settings"
    static func stored(_ profile: String, _ count: Int) -> String {
        "\(DisplayText.line(profile)) has \(passwords(count)) of its own. To move \(count == 1 ? "it" : "them") to Passwords:"
    }
}
