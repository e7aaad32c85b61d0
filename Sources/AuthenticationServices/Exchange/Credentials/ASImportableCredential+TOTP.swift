public import Foundation

extension ASImportableCredential {
    /// The secret behind one-time codes, RFC 6238; `totp` in the exchange format.
    public struct TOTP: Codable, Hashable, Sendable {
        /// The hash that codes are made with.
        public enum Algorithm: String, Codable, Hashable, Sendable {
            /// SHA-1, the usual one.
            case sha1
            /// SHA-256.
            case sha256
            /// SHA-512.
            case sha512
        }

        /// The secret.
        public var secret: Data
        /// For how many seconds a code holds.
        public var period: UInt16
        /// How many digits a code has.
        public var digits: UInt16
        /// The user name at the site.
        public var userName: String?
        /// The hash that codes are made with.
        public var algorithm: ASImportableCredential.TOTP.Algorithm
        /// The site.
        public var issuer: String?

        /// A secret, and how codes are made of it.
        public init(
            secret: Data, period: UInt16, digits: UInt16, userName: String?,
            algorithm: ASImportableCredential.TOTP.Algorithm, issuer: String?
        ) {
            self.secret = secret
            self.period = period
            self.digits = digits
            self.userName = userName
            self.algorithm = algorithm
            self.issuer = issuer
        }

        // MARK: Coding

        private enum CodingKeys: String, CodingKey {
            case userName = "username"
            case secret, period, digits, algorithm, issuer
        }

        /// Reads a one-time secret of the exchange format; an algorithm that is not known is an error.
        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            guard let bytes = Base32.bytes(of: try container.decode(String.self, forKey: .secret)) else {
                throw container.corrupted(.secret, "no base32 text")
            }
            secret = bytes
            period = try container.decode(UInt16.self, forKey: .period)
            digits = try container.decode(UInt16.self, forKey: .digits)
            userName = try container.decodeIfPresent(String.self, forKey: .userName)
            algorithm = try container.decode(Algorithm.self, forKey: .algorithm)
            issuer = try container.decodeIfPresent(String.self, forKey: .issuer)
        }

        /// Writes a one-time secret of the exchange format.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(Base32.text(of: secret), forKey: .secret)
            try container.encode(period, forKey: .period)
            try container.encode(digits, forKey: .digits)
            try container.encodeIfPresent(userName, forKey: .userName)
            try container.encode(algorithm, forKey: .algorithm)
            try container.encodeIfPresent(issuer, forKey: .issuer)
        }
    }
}
