import KeywayCrypto
import KeywaySystem
import PasswordsProtocol

/// A random password: letters always, digits and signs as asked, at least one of each kind that is asked for.
struct GeneratedPassword {
    private static let lengths = 8...256
    private static let lower = "abcdefghijklmnopqrstuvwxyz"
    private static let upper = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    private static let digits = "0123456789"
    private static let symbols = "!#$%&()*+,-./:;<=>?@[]^_{|}~"

    private let length: Int
    private let kinds: [[UInt8]]

    /// - Throws: `invalidParameters` for a length outside of 8 to 256.
    init(_ parameters: GeneratePassword.Parameters) throws(ProtocolError) {
        guard Self.lengths.contains(parameters.length) else {
            throw ProtocolError(.invalidParameters, "A password must have 8 to 256 characters.")
        }
        length = parameters.length
        var kinds = [Self.lower, Self.upper]
        if parameters.digits { kinds.append(Self.digits) }
        if parameters.symbols { kinds.append(Self.symbols) }
        self.kinds = kinds.map { Array($0.utf8) }
    }

    /// Draws one: all passwords of this form are equally likely, since those that lack a kind are drawn again whole.
    func draw(_ random: some RandomSource) -> SecretBytes {
        let all = kinds.flatMap { $0 }
        return SecretBytes(count: length) { room in
            repeat {
                for place in room.indices { room[place] = all[Int(random.number(below: UInt32(all.count)))] }
            } while !kinds.allSatisfy { kind in room.contains { kind.contains($0) } }
        }
    }
}
