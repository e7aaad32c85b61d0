import CLibCrypto

/// The two numbers of an ECDSA signature on P-256, between the two ways in which they are written.
package enum ECDSANumbers {
    /// 32 bytes for each, the most significant first, from an ECDSA-Sig-Value in DER (RFC 3279); nil when it is none,
    /// or a number is longer.
    package static func raw(fromDER encoded: [UInt8]) -> [UInt8]? {
        _ = WipedMemory.isInUse
        var raw = [UInt8](repeating: 0, count: 64)
        let isRead = encoded.withUnsafeBufferPointer { bytes in
            var position = bytes.baseAddress
            guard let signature = d2i_ECDSA_SIG(nil, &position, bytes.count) else { return false }
            defer { ECDSA_SIG_free(signature) }
            return raw.withUnsafeMutableBufferPointer { raw in
                guard let start = raw.baseAddress else { return false }
                return BN_bn2binpad(ECDSA_SIG_get0_r(signature), start, 32) == 32
                    && BN_bn2binpad(ECDSA_SIG_get0_s(signature), start + 32, 32) == 32
            }
        }
        // DER has one way to write a signature: what was read in another, or is negative, comes out otherwise.
        return isRead && der(fromRaw: raw) == encoded ? raw : nil
    }

    /// An ECDSA-Sig-Value in DER.
    ///
    /// - Precondition: `raw` has 64 bytes.
    package static func der(fromRaw raw: [UInt8]) -> [UInt8] {
        precondition(raw.count == 64)
        let numbers = integer(raw[..<32]) + integer(raw[32...])
        return [0x30, UInt8(numbers.count)] + numbers
    }

    private static func integer(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var digits = Array(bytes.drop { $0 == 0 })
        if digits.first.map({ $0 >= 0x80 }) ?? true { digits.insert(0, at: 0) }
        return [0x02, UInt8(digits.count)] + digits
    }
}
