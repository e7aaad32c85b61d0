import CLibCrypto

/// The hash functions that `CryptoKit` offers.
package enum HashAlgorithm: Sendable {
    /// MD5 (RFC 1321), broken: for what others still write.
    case md5
    /// SHA-1 (FIPS 180-4), broken: for what others still write.
    case sha1
    /// SHA-256 (FIPS 180-4).
    case sha256
    /// SHA-384 (FIPS 180-4).
    case sha384
    /// SHA-512 (FIPS 180-4).
    case sha512

    /// libcrypto's description of the function.
    var function: OpaquePointer? {
        switch self {
        case .md5: EVP_md5()
        case .sha1: EVP_sha1()
        case .sha256: EVP_sha256()
        case .sha384: EVP_sha384()
        case .sha512: EVP_sha512()
        }
    }
}

/// A hash under way. What was hashed so far lies in libcrypto's heap, which is wiped where it is given back.
// SAFETY: whoever changes it makes sure to be the only owner, as `CryptoKit`'s values do; copies are made from one that
// nobody changes meanwhile.
package final class HashState: @unchecked Sendable {
    private let context: OpaquePointer

    /// A hash of nothing yet.
    ///
    /// - Precondition: the system has memory left, as with every Swift allocation.
    package init(_ algorithm: HashAlgorithm) {
        _ = WipedMemory.isInUse
        guard let context = EVP_MD_CTX_new(), EVP_DigestInit_ex(context, algorithm.function, nil) == 1 else {
            preconditionFailure("no memory for a hash")
        }
        self.context = context
    }

    /// A hash that goes on from where `other` is.
    package init(copying other: HashState) {
        guard let context = EVP_MD_CTX_new(), EVP_MD_CTX_copy_ex(context, other.context) == 1 else {
            preconditionFailure("no memory for a hash")
        }
        self.context = context
    }

    deinit {
        EVP_MD_CTX_free(context)
    }

    /// Hashes `bytes` behind those before.
    package func update(_ bytes: UnsafeRawBufferPointer) {
        // It fails only after the end, which ``finish(into:)`` never comes to.
        let status = EVP_DigestUpdate(context, bytes.baseAddress, bytes.count)
        precondition(status == 1, "a hash was updated after its end")
    }

    /// Writes the hash of all bytes so far; more may follow.
    ///
    /// - Precondition: `digest` is as long as the hash.
    package func finish(into digest: UnsafeMutableRawBufferPointer) {
        let end = HashState(copying: self)
        precondition(digest.count == Int(EVP_MD_get_size(EVP_MD_CTX_get0_md(end.context))))
        let status = EVP_DigestFinal_ex(end.context, digest.baseAddress?.assumingMemoryBound(to: UInt8.self), nil)
        precondition(status == 1, "a hash could not be ended")
    }
}
