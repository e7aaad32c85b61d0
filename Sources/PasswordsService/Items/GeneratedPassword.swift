import KeywayCrypto
import KeywaySystem
import PasswordRules
import PasswordsProtocol

/// A random password: letters always, digits and signs as asked, at least one of each kind that is asked for.
struct GeneratedPassword {
    private static let lengths = 8...PasswordGenerator.maximumLength
    private static let symbols = PasswordCharacters("!#$%&()*+,-./:;<=>?@[]^_{|}~".utf8)

    private let rules: PasswordRules

    /// - Throws: `invalidParameters` for a length outside of 8 to 256.
    init(_ parameters: GeneratePassword.Parameters) throws(ProtocolError) {
        guard Self.lengths.contains(parameters.length) else {
            throw ProtocolError(.invalidParameters, "A password must have 8 to 256 characters.")
        }
        var kinds: Set<PasswordCharacters> = [.lower, .upper]
        if parameters.digits { kinds.insert(.digits) }
        if parameters.symbols { kinds.insert(Self.symbols) }
        rules = PasswordRules(required: kinds, minimumLength: parameters.length, maximumLength: parameters.length)
    }

    /// Draws one: all passwords of this form are equally likely.
    func draw(_ random: some RandomSource) throws(ProtocolError) -> SecretBytes {
        do {
            return try PasswordGenerator(rules).generate(random: random)
        } catch {
            throw ProtocolError(.invalidParameters, "\(error)")
        }
    }
}
