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
        let allowed = Set(alphabet)
        let required = rules.required.map { $0.filter(allowed.contains) }
        // Symbols that must be there cannot be left out.
        guard required.allSatisfy({ !$0.isEmpty }) else { return nil }
        // One of each that must be there, the others from all, in any order; drawn again where a run is too long.
        for _ in 0..<200 {
            var password = required.compactMap { $0.randomElement(using: &random) }
            password += (password.count..<count).compactMap { _ in alphabet.randomElement(using: &random) }
            password.shuffle(using: &random)
            if longestRun(password) <= rules.maximumRun ?? .max { return String(password) }
        }
        return nil
    }

    private func longestRun(_ password: [Character]) -> Int {
        var longest = 0
        var run = 0
        var last: Character?
        for character in password {
            run = character == last ? run + 1 : 1
            last = character
            longest = max(longest, run)
        }
        return longest
    }
}
