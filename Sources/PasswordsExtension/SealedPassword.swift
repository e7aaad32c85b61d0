import AuthenticationServices
import KeywayCrypto
import KeywaySystem

/// A password on its way from the service, unread.
struct SealedPassword: Sendable {
    let memory: SealedMemory

    /// What came in `memory`.
    init(memory: SealedMemory) {
        self.memory = memory
    }

    /// The password of a credential: in the memory file that it came in, where it did.
    init(_ credential: ASPasswordCredential) throws(ProtocolError) {
        if let sealed = credential.sealed {
            memory = sealed
        } else {
            let bytes = SecretBytes(copyingUTF8Of: credential.password)
            memory = try bytes.withUnsafeBytes { (bytes) throws(ProtocolError) in try SealedMemory(copying: bytes) }
        }
    }

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
