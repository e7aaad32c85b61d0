/// The public half of a passkey's key.
package enum PublicKey: Hashable, Sendable {
    /// A point of P-256: two coordinates of 32 bytes, the most significant first.
    case p256(x: [UInt8], y: [UInt8])
    /// A key of Ed25519: 32 bytes.
    case ed25519([UInt8])
    /// An RSA key: modulus and exponent, the most significant byte first, without leading zeros.
    case rsa(modulus: [UInt8], exponent: [UInt8])

    /// The one algorithm that keys of this kind sign with here.
    package var algorithm: SignatureAlgorithm {
        switch self {
        case .p256: .es256
        case .ed25519: .edDSA
        case .rsa: .rs256
        }
    }
}

/// Public keys as COSE writes them (RFC 9052, section 7; RFC 9053, section 7; RFC 8230, section 4).
extension PublicKey {
    private enum Label {
        static let type = CBORValue.integer(1)
        static let algorithm = CBORValue.integer(3)
        static let first = CBORValue.integer(-1)
        static let second = CBORValue.integer(-2)
        static let third = CBORValue.integer(-3)
    }

    /// The key as a COSE key with its algorithm.
    package var cose: CBORValue {
        let algorithm = CBORValue.integer(algorithm.rawValue)
        return switch self {
        case .p256(let x, let y):
            .map([
                Label.type: .integer(2), Label.algorithm: algorithm, Label.first: .integer(1), Label.second: .bytes(x),
                Label.third: .bytes(y),
            ])
        case .ed25519(let bytes):
            .map([
                Label.type: .integer(1), Label.algorithm: algorithm, Label.first: .integer(6),
                Label.second: .bytes(bytes),
            ])
        case .rsa(let modulus, let exponent):
            .map([
                Label.type: .integer(3), Label.algorithm: algorithm, Label.first: .bytes(modulus),
                Label.second: .bytes(exponent),
            ])
        }
    }

    /// The key of a COSE key; nil for one of another kind, or whose curve is not the one of its algorithm.
    package init?(cose key: CBORValue) {
        guard case .integer(let number) = key[Label.algorithm], let algorithm = SignatureAlgorithm(rawValue: number)
        else { return nil }
        switch (algorithm, key[Label.type], key[Label.first], key[Label.second], key[Label.third]) {
        case (.es256, .integer(2), .integer(1), .bytes(let x), .bytes(let y)) where x.count == 32 && y.count == 32:
            self = .p256(x: x, y: y)
        case (.edDSA, .integer(1), .integer(6), .bytes(let bytes), nil) where bytes.count == 32:
            self = .ed25519(bytes)
        case (.rs256, .integer(3), .bytes(let modulus), .bytes(let exponent), nil):
            self = .rsa(modulus: modulus, exponent: exponent)
        default:
            return nil
        }
    }
}
