/// SHA-384 (FIPS 180-4).
public struct SHA384: HashFunction, Sendable {
    /// What comes out.
    public typealias Digest = SHA384Digest

    /// The length of a digest in bytes.
    public static var byteCount: Int { 48 }
    /// How many bytes the function takes at a time.
    public static var blockByteCount: Int { 128 }

    private var state = RunningHash(.sha384)

    /// A hash of nothing yet.
    public init() {}

    /// Hashes `bufferPointer` behind what came before.
    public mutating func update(bufferPointer: UnsafeRawBufferPointer) {
        state.update(bufferPointer)
    }

    /// The hash of all bytes so far; more may follow.
    public func finalize() -> Self.Digest {
        SHA384Digest(bytes: state.digest(count: Self.byteCount))
    }
}

/// What SHA-384 makes of a message.
public struct SHA384Digest: Digest {
    let bytes: DigestBytes

    /// 48.
    public static var byteCount: Int { 48 }

    /// Lends the bytes to `body`.
    public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try bytes.withUnsafeBytes(body)
    }

    /// The name of the function, and the bytes as hexadecimal digits.
    public var description: String { "SHA384 digest: \(hexadecimal)" }
}
