public import Foundation

/// Where the credentials of an item may be used.
public struct ASImportableCredentialScope: Codable, Hashable, Sendable {
    /// The pages.
    public var urls: [URL]
    /// The applications on Android.
    public var androidApps: [ASImportableCredentialScope.AndroidAppID]

    /// Pages, and applications on Android.
    public init(urls: [URL], androidApps: [AndroidAppID] = []) {
        self.urls = urls
        self.androidApps = androidApps
    }

    // MARK: Coding

    private enum CodingKeys: CodingKey {
        case urls, androidApps
    }

    /// Reads a scope of the exchange format.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let texts: [String] = try container.list(forKey: .urls)
        urls = try texts.map { text in
            guard let url = URL(string: text) else { throw container.corrupted(.urls, "no address") }
            return url
        }
        androidApps = try container.list(forKey: .androidApps)
    }

    /// Writes a scope of the exchange format.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(urls.map(\.absoluteString), forKey: .urls)
        try container.encode(androidApps, forKey: .androidApps)
    }
}

extension ASImportableCredentialScope {
    /// An application on Android.
    public struct AndroidAppID: Codable, Hashable, Sendable {
        /// The name of its package.
        public var bundleID: String
        /// What it is signed with.
        public var certificate: AndroidAppCertificationFingerprint?
        /// Its name, for people.
        public var name: String?

        /// The application with the package `bundleID`.
        public init(bundleID: String, certificate: AndroidAppCertificationFingerprint?, name: String?) {
            self.bundleID = bundleID
            self.certificate = certificate
            self.name = name
        }

        private enum CodingKeys: String, CodingKey {
            case bundleID = "bundleId"
            case certificate, name
        }
    }

    /// The hash of a certificate that an application on Android is signed with.
    public struct AndroidAppCertificationFingerprint: Codable, Hashable, Sendable {
        /// The hash.
        public var fingerprint: Data
        /// How it was made: `sha256`, `sha512`.
        public var hashAlgorithm: String

        /// A hash, and how it was made.
        public init(fingerprint: Data, hashAlgorithm: String) {
            self.fingerprint = fingerprint
            self.hashAlgorithm = hashAlgorithm
        }

        private enum CodingKeys: String, CodingKey {
            case fingerprint
            case hashAlgorithm = "hashAlg"
        }

        /// Reads a fingerprint of the exchange format.
        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            fingerprint = try container.bytes(forKey: .fingerprint)
            hashAlgorithm = try container.decode(String.self, forKey: .hashAlgorithm)
        }

        /// Writes a fingerprint of the exchange format.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(bytes: fingerprint, forKey: .fingerprint)
            try container.encode(hashAlgorithm, forKey: .hashAlgorithm)
        }
    }
}
