import CLibGcrypt
package import KeywayCrypto

/// Argon2 version 1.3 (RFC 9106) with any number of lanes: for what other programs encrypted. It computes whatever it is
/// asked; whoever asks has limits of its own.
package struct Argon2: Hashable, Sendable {
    /// The two variants in use.
    package enum Variant: Sendable, CaseIterable {
        /// Argon2d.
        case d
        /// Argon2id.
        case id

        fileprivate var number: CInt {
            switch self {
            case .d: CInt(GCRY_KDF_ARGON2D.rawValue)
            case .id: CInt(GCRY_KDF_ARGON2ID.rawValue)
            }
        }
    }

    /// Which variant.
    package let variant: Variant
    /// Memory in KiB.
    package let memory: Int
    /// Passes over that memory.
    package let passes: Int
    /// Lanes, each with its part of the memory.
    package let lanes: Int

    /// Makes a value, without a check: ``derive(from:salt:secret:data:count:)`` has it.
    package init(_ variant: Variant, memory: Int, passes: Int, lanes: Int) {
        self.variant = variant
        self.memory = memory
        self.passes = passes
        self.lanes = lanes
    }

    /// Derives a key of `count` bytes.
    ///
    /// - Throws: ``OtherCipherError``: `invalidParameter` for what the algorithm does not take, before anything is
    ///   computed; `outOfMemory`, `failed`.
    package func derive(
        from password: SecretBytes, salt: [UInt8], secret: [UInt8] = [], data: [UInt8] = [], count: Int
    ) throws(OtherCipherError) -> SecretBytes {
        try Gcrypt.prepare()
        guard (1...0xFF_FFFF).contains(lanes), (8 * lanes..<1 << 22).contains(memory),
            (1...Int(Int32.max)).contains(passes), salt.count >= 8, (4...1024).contains(count)
        else {
            throw OtherCipherError(
                .invalidParameter, "Argon2 with \(memory) KiB, \(passes) passes, \(lanes) lanes, salt of \(salt.count)")
        }
        // The library keeps pointers to all of them, and reads them when it computes.
        let inputs = (
            SecretBytes(copying: salt), SecretBytes(copying: secret), SecretBytes(copying: data)
        )
        return try password.withUnsafeBytes { (password) throws(OtherCipherError) in
            try inputs.0.withUnsafeBytes { (salt) throws(OtherCipherError) in
                try inputs.1.withUnsafeBytes { (secret) throws(OtherCipherError) in
                    try inputs.2.withUnsafeBytes { (data) throws(OtherCipherError) in
                        try derive(password, salt, secret, data, count)
                    }
                }
            }
        }
    }

    private func derive(
        _ password: UnsafeRawBufferPointer, _ salt: UnsafeRawBufferPointer, _ secret: UnsafeRawBufferPointer,
        _ data: UnsafeRawBufferPointer, _ count: Int
    ) throws(OtherCipherError) -> SecretBytes {
        let parameters = [count, passes, memory, lanes].map { CUnsignedLong($0) }
        var handle: gcry_kdf_hd_t?
        let status = gcry_kdf_open(
            &handle, CInt(GCRY_KDF_ARGON2.rawValue), variant.number, parameters, UInt32(parameters.count),
            password.octets, password.count, salt.octets, salt.count, secret.octets, secret.count, data.octets,
            data.count)
        try Gcrypt.check(status, "Argon2 with \(memory) KiB")
        guard let handle else { throw OtherCipherError(.failed, "Argon2") }
        // Wipes the memory.
        defer { gcry_kdf_close(handle) }
        try Gcrypt.check(gcry_kdf_compute(handle, nil), "Argon2")
        return try SecretBytes(count: count) { (room) throws(OtherCipherError) in
            try Gcrypt.check(gcry_kdf_final(handle, room.count, room.octets), "Argon2")
        }
    }
}
