/// Makes passwords as `pass generate` does: so many characters, each drawn at random from letters, digits and
/// punctuation, or from what a page's rules allow.
struct PasswordGenerator {
    /// How many characters, where rules do not say otherwise.
    let length: Int

    /// A password that keeps the rules.
    ///
    /// - Returns: nil when none can, such as one that must be longer than it may be.
    func password(
        _ rules: PasswordRules, symbols: Bool = true, using random: inout some RandomNumberGenerator
    ) -> String? {
        var alphabet = rules.alphabet
        if alphabet.isEmpty { alphabet = PasswordRules.alphanumeric + PasswordRules.punctuation }
        if !symbols { alphabet = alphabet.filter { PasswordRules.alphanumeric.contains($0) } }
        let count = min(max(length, rules.minimumLength ?? 0), rules.maximumLength ?? .max, 1000)
        guard count > 0, !alphabet.isEmpty, rules.required.count <= count, count >= rules.minimumLength ?? 0 else {
            return nil
        }
        // Drawn again until the rules are kept: what is kept of them all is then equally likely.
        for _ in 0..<2000 {
            let password = (0..<count).compactMap { _ in alphabet.randomElement(using: &random) }
            if keeps(password, rules, symbols) { return String(password) }
        }
        return nil
    }

    private func keeps(_ password: [Character], _ rules: PasswordRules, _ symbols: Bool) -> Bool {
        let isComplete = rules.required.allSatisfy { characters in
            // Symbols that must be there cannot be left out.
            password.contains { characters.contains($0) }
        }
        guard isComplete, let longest = rules.maximumRun, longest > 0 else { return isComplete }
        var run = 0
        var last: Character?
        return password.allSatisfy { character in
            run = character == last ? run + 1 : 1
            last = character
            return run <= longest
        }
    }
}
