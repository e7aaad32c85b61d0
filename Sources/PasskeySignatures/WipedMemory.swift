import CLibCrypto
import Glibc
import KeywayCrypto

/// The heap of libcrypto, wiped where it is given back: some of what it copies a private key into while it reads or writes
/// one (`EVP_PKCS82PKEY`, for one) it frees as it is.
enum WipedMemory {
    /// Whether it is so; asked before anything else is asked of libcrypto, which takes no other heap once it has used
    /// one. The process whose keys matter uses libcrypto here alone.
    ///
    /// Settings files are not read either: what they name would be loaded into the process that has the keys.
    static let isInUse: Bool = {
        let isOurs = CRYPTO_set_mem_functions(allocate, reallocate, release) == 1
        return OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_LOAD_CONFIG), nil) == 1 && isOurs
    }()

    static let allocate: @convention(c) (Int, UnsafePointer<CChar>?, CInt) -> UnsafeMutableRawPointer? = {
        count, _, _ in malloc(count)
    }

    static let reallocate:
        @convention(c) (UnsafeMutableRawPointer?, Int, UnsafePointer<CChar>?, CInt) -> UnsafeMutableRawPointer? = {
            old, count, _, _ in
            guard let old else { return malloc(count) }
            guard count > 0 else {
                free(wiped(old))
                return nil
            }
            guard let new = malloc(count) else { return nil }
            new.copyMemory(from: old, byteCount: min(count, malloc_usable_size(old)))
            free(wiped(old))
            return new
        }

    static let release: @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?, CInt) -> Void = {
        pointer, _, _ in
        if let pointer { free(wiped(pointer)) }
    }

    private static func wiped(_ pointer: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
        wipe(UnsafeMutableRawBufferPointer(start: pointer, count: malloc_usable_size(pointer)))
        return pointer
    }
}
