import KeywayCrypto
import PasswordStrength

/// What the choice of a master password and `keyway setup` say.
extension Strings {
    // MARK: The master password

    static let whatMasterPasswordIs =
        "The master password encrypts your vault. Nobody can reset it, so write it down and keep it in a safe place."
    static let proposeWords = "Should Keyway propose four random words?"
    static let proposedWords = "Your master password:"
    static let typeWords = "Write the words down, then type them"
    static let wordsDiffer = "These aren't the words. Type them as they are shown, with a space between each two."
    static let useWeak = "Use it all the same?"
    static let noMasterPassword = "You chose no master password."

    static func strengthIs(_ strength: Strength) -> String {
        "Strength: \(level(strength.level)) (about 10^\(Int(strength.guessesLog10.rounded())) guesses)."
    }
    static func masterPasswordIsWeak(_ strength: Strength) -> String {
        "This master password is \(level(strength.level)): someone who gets the vault file could guess it, "
            + "in about 10^\(Int(strength.guessesLog10.rounded())) tries. Four random words are safer."
    }
    private static func level(_ level: Strength.Level) -> String {
        switch level {
        case .veryWeak: "very weak"
        case .weak: "weak"
        case .fair: "fair"
        case .strong: "strong"
        }
    }

    // MARK: keyway setup

    static let setupGoesOn = "To go on where this stopped, run `keyway setup` again."
    static let doctorSaysHow = "`keyway doctor` says what to do about it."
    static let passwordsMissing = "Passwords, the provider that comes with Keyway, isn't installed."
    static let passwordsIsOn = "Passwords is turned on."
    static let passwordsWasOn = "Passwords is on already."
    static func otherProvidersAreOn(_ names: [String]) -> String {
        "Also on: \(names.joined(separator: ", "))."
    }
    static func vaultWasThere(_ path: String) -> String { "You already have a vault: \(path)." }
    static let wantsPIN = "Set a PIN, so that Keyway can verify you without the master password?"
    static let pinWasSet = "The PIN is set already."
    static let pinLater = "To set one later: `keyway verification pin set`."
    static let fingerprintIsReady = "Keyway can verify you by your fingerprint."
    static let setupResult = "What works, and what doesn't:"
    static func otherChecks(_ count: Int) -> String { "\(count) more checks found nothing to do: `keyway doctor`." }

    /// A browser decides itself whether it offers to save passwords; its settings say where.
    static func ownSaving(_ browser: String, isFirefox: Bool) -> String {
        let place =
            isFirefox
            ? "about:preferences#privacy, “Ask to save passwords”"
            : "chrome://password-manager/settings, “Offer to save passwords and passkeys”"
        return "\(browser) still offers to save passwords itself. To leave that to Keyway, turn it off there: \(place)."
    }
}
