/// SHA-256 (FIPS 180-4).
public struct SHA256: HashFunction, Sendable {
    /// What comes out.
    public typealias Digest = SHA256Digest

    /// The length of a digest in bytes.
    public static var byteCount: Int { 32 }
    /// How many bytes the function takes at a time.
    public static var blockByteCount: Int { 64 }

    private var state = RunningHash(.sha256)

    /// A hash of nothing yet.
    public init() {}

    /// Hashes `bufferPointer` behind what came before.
    public mutating func update(bufferPointer: UnsafeRawBufferPointer) {
        state.update(bufferPointer)
    }

    /// The hash of all bytes so far; more may follow.
    public func finalize() -> Self.Digest {
        SHA256Digest(bytes: state.digest(count: Self.byteCount))
    }
}

/// What SHA-256 makes of a message.
public struct SHA256Digest: Digest {
    let bytes: DigestBytes

    /// 32.
    public static var byteCount: Int { 32 }

    /// Lends the bytes to `body`.
    public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try bytes.withUnsafeBytes(body)
    }

    /// The name of the function, and the bytes as hexadecimal digits.
    public var description: String { "SHA256 digest: \(hexadecimal)" }
}
