import KeywaySystem

/// A password on its way from the service, unread.
struct SealedPassword: Sendable {
    let memory: SealedMemory

    /// The password as text; nil when it cannot be read, or is no UTF-8 and would become another one.
    var text: String? {
        try? memory.withUnsafeBytes { String(validating: $0, as: UTF8.self) }
    }
}
