import PasskeySignatures

/// A hash under way as a value: what is hashed into one copy does not show in the others.
struct RunningHash: Sendable {
    private var state: HashState

    init(_ algorithm: HashAlgorithm) {
        state = HashState(algorithm)
    }

    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        if !isKnownUniquelyReferenced(&state) { state = HashState(copying: state) }
        state.update(bytes)
    }

    func digest(count: Int) -> DigestBytes {
        DigestBytes(count: count) { state.finish(into: $0) }
    }
}
