import KeywaySystem

/// A password on its way from the service, unread.
struct SealedPassword: Sendable {
    let memory: SealedMemory

    /// Whether the password is UTF-8; any other would become another one where text is made of it.
    var isText: Bool {
        (try? memory.withUnsafeBytes { Self.isText($0.bindMemory(to: UInt8.self)) }) ?? false
    }

    private static func isText(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        do {
            _ = try UTF8Span(validating: bytes.span)
            return true
        } catch {
            return false
        }
    }
}
