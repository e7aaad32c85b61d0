package import KeywayCrypto
package import PasswordStrength

/// A secret that the person chooses.
package enum NewSecret: Hashable, Sendable {
    /// What encrypts the accounts of a provider: it is judged as it is typed, and words are proposed.
    case masterPassword
    /// What verifies them on this computer, where wrong ones are counted.
    case pin
}

/// Whether a secret that was typed twice is to be used. Knows no window.
package struct NewSecretCheck {
    /// What came of handing it over.
    package enum Verdict: Hashable, Sendable {
        case accepted
        /// It is not, for this reason.
        case refused(SheetText)
        /// It is weak: a second yes is needed.
        case weak
    }

    /// The fewest bytes of a PIN (`keyway-person-check` holds everybody to it).
    private static let shortestPIN = 6

    /// What is chosen.
    package let secret: NewSecret
    /// The words that were proposed last.
    package var proposed: SecretBytes?
    /// Whether they were told that it is weak, and have typed nothing since.
    private var wasWarned = false

    /// A check of a new `secret`.
    package init(_ secret: NewSecret) {
        self.secret = secret
    }

    /// Something was typed: what was said about it is about something else.
    package mutating func changed() { wasWarned = false }

    /// How hard `typed` is to guess; nil where there is nothing to say.
    package func strength(of typed: SecretBytes) -> Strength? {
        guard secret == .masterPassword, !typed.isEmpty else { return nil }
        return typed == proposed ? ProposedWords.strength : Strength(of: typed)
    }

    /// The person hands over `first`, and `second` for certainty.
    package mutating func submit(_ first: SecretBytes, _ second: SecretBytes) -> Verdict {
        switch secret {
        case .masterPassword where first.isEmpty: return .refused(.noMasterPassword)
        case .pin where first.count < Self.shortestPIN: return .refused(.pinTooShort)
        default: break
        }
        guard first == second else { return .refused(.secretsDiffer) }
        guard strength(of: first)?.isWeak == true, !wasWarned else { return .accepted }
        wasWarned = true
        return .weak
    }
}
