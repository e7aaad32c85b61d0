/// Functions that are broken: only for what others still write with them, never for security.
public enum Insecure {}

extension Insecure {
    /// MD5 (RFC 1321), broken.
    public struct MD5: HashFunction, Sendable {
        /// What comes out.
        public typealias Digest = MD5Digest

        /// The length of a digest in bytes.
        public static var byteCount: Int { 16 }
        /// How many bytes the function takes at a time.
        public static var blockByteCount: Int { 64 }

        private var state = RunningHash(.md5)

        /// A hash of nothing yet.
        public init() {}

        /// Hashes `bufferPointer` behind what came before.
        public mutating func update(bufferPointer: UnsafeRawBufferPointer) {
            state.update(bufferPointer)
        }

        /// The hash of all bytes so far; more may follow.
        public func finalize() -> Self.Digest {
            MD5Digest(bytes: state.digest(count: Self.byteCount))
        }
    }

    /// What MD5 makes of a message.
    public struct MD5Digest: Digest {
        let bytes: DigestBytes

        /// 16.
        public static var byteCount: Int { 16 }

        /// Lends the bytes to `body`.
        public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
            try bytes.withUnsafeBytes(body)
        }

        /// The name of the function, and the bytes as hexadecimal digits.
        public var description: String { "MD5 digest: \(hexadecimal)" }
    }
}

extension Insecure {
    /// SHA-1 (FIPS 180-4), broken.
    public struct SHA1: HashFunction, Sendable {
        /// What comes out.
        public typealias Digest = SHA1Digest

        /// The length of a digest in bytes.
        public static var byteCount: Int { 20 }
        /// How many bytes the function takes at a time.
        public static var blockByteCount: Int { 64 }

        private var state = RunningHash(.sha1)

        /// A hash of nothing yet.
        public init() {}

        /// Hashes `bufferPointer` behind what came before.
        public mutating func update(bufferPointer: UnsafeRawBufferPointer) {
            state.update(bufferPointer)
        }

        /// The hash of all bytes so far; more may follow.
        public func finalize() -> Self.Digest {
            SHA1Digest(bytes: state.digest(count: Self.byteCount))
        }
    }

    /// What SHA-1 makes of a message.
    public struct SHA1Digest: Digest {
        let bytes: DigestBytes

        /// 20.
        public static var byteCount: Int { 20 }

        /// Lends the bytes to `body`.
        public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
            try bytes.withUnsafeBytes(body)
        }

        /// The name of the function, and the bytes as hexadecimal digits.
        public var description: String { "SHA1 digest: \(hexadecimal)" }
    }
}
