import CSodium

/// Where random bytes come from; injected, so that tests and format vectors can fix them.
package protocol RandomSource: Sendable {
    /// Fills the whole buffer with random bytes.
    func fill(_ buffer: UnsafeMutableRawBufferPointer)
}

/// The randomness of the operating system (`getrandom(2)` through libsodium).
package struct SystemRandomSource: RandomSource {
    /// Makes a source; it holds no state.
    package init() {}

    /// Fills the buffer with unpredictable bytes.
    package func fill(_ buffer: UnsafeMutableRawBufferPointer) {
        Sodium.prepare()
        guard let start = buffer.baseAddress else { return }
        randombytes_buf(start, buffer.count)
    }
}

extension RandomSource {
    /// Random bytes that need no protection, such as salts, nonces and identifiers.
    package func bytes(_ count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            fill(UnsafeMutableRawBufferPointer(buffer))
            initialized = count
        }
    }

    /// Random bytes that are secret from the start, such as keys.
    package func secretBytes(_ count: Int) -> SecretBytes {
        SecretBytes(count: count) { fill($0) }
    }

    /// A number in `0 ..< bound`, every one as likely as the other: what would favour low numbers is drawn again.
    ///
    /// - Precondition: `bound` is not zero.
    package func number(below bound: UInt32) -> UInt32 {
        precondition(bound > 0)
        // The lowest `2^32 mod bound` values would appear once too often.
        let threshold = (0 &- bound) % bound
        while true {
            var candidate: UInt32 = 0
            withUnsafeMutableBytes(of: &candidate) { fill($0) }
            candidate = UInt32(littleEndian: candidate)
            if candidate >= threshold { return candidate % bound }
        }
    }
}
