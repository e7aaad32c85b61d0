import Importing
import KeywayCrypto

/// The families of browsers, each with its own way to store passwords. The raw values are the program's arguments.
enum BrowserFamily: String, CaseIterable {
    case chromium
    case firefox

    /// The name of what it stores in `keyway import --json`.
    var format: String {
        switch self {
        case .chromium: "chromium-profile"
        case .firefox: "firefox-profile"
        }
    }

    /// The same for people.
    var displayName: String {
        switch self {
        case .chromium: "passwords stored by a browser of Chromium's family"
        case .firefox: "passwords stored by Firefox"
        }
    }

    /// How many passwords are stored in a profile; nothing is decrypted.
    ///
    /// - Throws: ``ImportError``.
    func count(_ profile: ProfileFolder) throws(ImportError) -> Int {
        switch self {
        case .chromium: try ChromiumLogins.count(profile)
        case .firefox: try FirefoxLogins.count(profile)
        }
    }

    /// Reads what is stored in a profile.
    ///
    /// - Parameter secret: what opens it: the primary password, or the keys of the login keyring, a line each.
    /// - Throws: ``ImportError``, or what `take` throws.
    func read(
        _ profile: ProfileFolder, _ secret: SecretBytes?, _ take: (ImportEvent) throws(ImportError) -> Void
    ) throws(ImportError) {
        switch self {
        case .chromium: try ChromiumLogins.read(profile, keys: ChromiumKeys(lines: secret), take)
        case .firefox: try FirefoxLogins.read(profile, password: secret, take)
        }
    }

    /// What a person can do about a failure.
    func advice(_ code: ImportError.Code) -> String {
        switch code {
        case .needsPassword: "Enter the primary password of Firefox."
        case .wrongPassword:
            "If it is right, this Firefox is newer than NSS on this computer: export the passwords in Firefox, and import the "
                + "file."
        case .failed, .damaged: "Close the browser, and try again. Or export the passwords in it, and import the file."
        default: "Export the passwords in the browser, and import the file."
        }
    }
}
