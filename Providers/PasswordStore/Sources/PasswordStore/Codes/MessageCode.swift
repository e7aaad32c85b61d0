import CGcrypt

/// HMAC (RFC 2104), of the library that gpg uses for it, too.
enum MessageCode: String, CaseIterable, Sendable {
    case sha1 = "SHA1"
    case sha256 = "SHA256"
    case sha512 = "SHA512"

    private static let isReady = gcry_check_version(nil) != nil

    private var algorithm: CInt {
        switch self {
        case .sha1: CInt(GCRY_MAC_HMAC_SHA1.rawValue)
        case .sha256: CInt(GCRY_MAC_HMAC_SHA256.rawValue)
        case .sha512: CInt(GCRY_MAC_HMAC_SHA512.rawValue)
        }
    }

    /// The code of `message` under `key`.
    ///
    /// - Returns: nil when the library refuses, as it may for algorithms where rules forbid them.
    func code(of message: [UInt8], key: SecretBuffer) -> [UInt8]? {
        var handle: gcry_mac_hd_t?
        guard Self.isReady, gcry_mac_open(&handle, algorithm, 0, nil) == 0, let handle else { return nil }
        defer { gcry_mac_close(handle) }
        let isSet = key.withBytes { gcry_mac_setkey(handle, $0.baseAddress, $0.count) == 0 }
        guard isSet, gcry_mac_write(handle, message, message.count) == 0 else { return nil }
        var code = [UInt8](repeating: 0, count: 64)
        var count = code.count
        guard gcry_mac_read(handle, &code, &count) == 0 else { return nil }
        return Array(code.prefix(count))
    }
}
