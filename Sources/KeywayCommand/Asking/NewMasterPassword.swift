import KeywayCrypto
import PasswordStrength
import TerminalInterface

/// The choice of a master password: one that the person thinks of, typed twice and judged, or words that Keyway proposes.
struct NewMasterPassword {
    /// How many weak ones are turned down before the command gives up.
    private static let attempts = 5

    let context: CommandContext
    /// Where the words come from.
    var randomness: any RandomSource = SystemRandomSource()

    private var questions: Questions { context.questions }

    /// Lets the person choose between both.
    ///
    /// - Throws: ``CommandError``: `cancelled`, `needsPerson`, or `failure` for one that is empty or was repeated wrongly.
    func choose() throws(CommandError) -> SecretBytes {
        guard questions.areTyped else { return try own() }
        try context.say(Strings.whatMasterPasswordIs)
        let wantsWords = try questions.confirm(Strings.proposeWords, elseHint: Strings.secretsFromInput)
        return wantsWords ? try proposed() : try own()
    }

    /// One that the person thinks of. A weak one needs a second yes, where somebody can be asked; a script that gives it
    /// has decided.
    ///
    /// - Throws: as ``choose()``.
    func own() throws(CommandError) -> SecretBytes {
        for _ in 0..<Self.attempts {
            let password = try questions.newSecret(Strings.newMasterPassword, confirmsInput: true)
            guard !password.isEmpty else { throw CommandError(.failure, Strings.emptyMasterPassword) }
            let strength = Strength(of: password)
            guard questions.areTyped else {
                if strength.isWeak { try context.say(Strings.masterPasswordIsWeak(strength)) }
                return password
            }
            guard strength.isWeak else {
                try context.say(Strings.strengthIs(strength))
                return password
            }
            try context.say(Strings.masterPasswordIsWeak(strength))
            if try questions.confirm(Strings.useWeak, elseHint: Strings.secretsFromInput) { return password }
        }
        throw CommandError(.cancelled, Strings.noMasterPassword)
    }

    /// Words that are shown once, on the terminal alone, and typed by the person so that they were read.
    private func proposed() throws(CommandError) -> SecretBytes {
        let words = ProposedWords(randomness: randomness).text
        try questions.show(words, under: Strings.proposedWords)
        for attempt in 1... {
            if try questions.secret(Strings.typeWords) == words { return words }
            guard attempt < Questions.attempts else { break }
            try context.say(Strings.wordsDiffer)
        }
        throw CommandError(.failure, Strings.wordsDiffer)
    }
}
