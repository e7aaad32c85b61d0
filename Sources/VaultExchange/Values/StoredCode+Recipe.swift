package import CodeLinks
package import Vault

extension StoredCode {
    /// What is stored for `recipe`, under these names.
    package init(_ recipe: CodeRecipe, issuer: String, account: String) {
        let kind: CodeRecord.Kind =
            switch recipe.kind {
            case .time(let period): .totp(period: period)
            case .counter(let counter): .hotp(counter: counter)
            case .steam: .steam
            }
        let algorithm: CodeRecord.Algorithm =
            switch recipe.algorithm {
            case .sha1: .sha1
            case .sha256: .sha256
            case .sha512: .sha512
            }
        self.init(
            CodeRecord(
                kind: kind, algorithm: algorithm, digits: UInt8(recipe.digits), issuer: issuer, account: account),
            secret: recipe.secret)
    }

    /// How its codes are made.
    package var recipe: CodeRecipe {
        get throws(OneTimeCodeError) {
            let kind: CodeRecipe.Kind =
                switch record.kind {
                case .totp(let period): .time(period: period)
                case .hotp(let counter): .counter(counter)
                case .steam: .steam
                }
            let algorithm: CodeAlgorithm =
                switch record.algorithm {
                case .sha1: .sha1
                case .sha256: .sha256
                case .sha512: .sha512
                }
            return try CodeRecipe(kind, secret: secret, algorithm: algorithm, digits: Int(record.digits))
        }
    }
}
