import AutoFillProtocol

/// A password on its way from the service, unread.
struct SealedPassword: Sendable {
    let memory: SealedMemory

    /// The password as text; nil when it cannot be read.
    var text: String? {
        try? memory.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    }
}
