import AuthenticationServices
import KeywayCrypto
import KeywaySystem
import PasswordRules

/// New passwords for a form: one that is strong, and, where the rules let it be, one without special characters.
struct PasswordProposals {
    private let rules: PasswordRules

    /// Proposals that keep the rules of `request`.
    init(_ request: ASGeneratePasswordsRequest) {
        rules = .forForm(
            field: request.passwordFieldPasswordRules.map(PasswordRules.init(parsing:)),
            confirmation: request.confirmPasswordFieldPasswordRules.map(PasswordRules.init(parsing:)),
            quirks: request.passwordRulesFromQuirks.map(PasswordRules.init(parsing:)))
    }

    /// Makes them, anew each time.
    ///
    /// - Throws: ``PasswordRulesError`` where no password keeps the rules; ``ProtocolError`` where there is no memory file.
    func make() throws -> [ASGeneratedPassword] {
        var made = [try Self.make(.strong, rules)]
        let plain = rules.and(PasswordRules(allowed: [.lower, .upper, .digits]))
        if let password = try? Self.make(.alphanumeric, plain) { made.append(password) }
        return made
    }

    private static func make(_ kind: ASGeneratedPassword.Kind, _ rules: PasswordRules) throws -> ASGeneratedPassword {
        let password = try PasswordGenerator(rules).generate()
        return ASGeneratedPassword(kind: kind, sealed: try password.withUnsafeBytes { try SealedMemory(copying: $0) })
    }
}
