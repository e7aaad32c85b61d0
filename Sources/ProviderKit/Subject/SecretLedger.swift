import AutoFillWire
import FoundationEssentials
import KeywayCrypto
import KeywaySystem
import Synchronization

/// The secrets that passed through the kit's hands, to be looked for where they must not be.
final class SecretLedger: Sendable {
    /// Shorter ones stand anywhere by accident.
    private static let shortest = 4

    private let secrets = Mutex<[SecretBytes]>([])

    /// Whether there is anything to look for.
    var isEmpty: Bool { secrets.withLock { $0.isEmpty } }

    /// Remembers a secret.
    ///
    /// - Returns: how many bytes it has.
    /// - Throws: ``ProtocolError`` with the code `invalidParameters` for what is no sealed memory file.
    @discardableResult
    func add(_ attachment: Attachment) throws(ProtocolError) -> SecretBytes {
        let memory = try attachment.sealedMemory()
        let secret = try SecretBytes(count: memory.count) { (room) throws(ProtocolError) in try memory.read(into: room)
        }
        add(secret)
        return secret
    }

    /// Remembers a secret.
    func add(_ secret: SecretBytes) {
        guard secret.count >= Self.shortest else { return }
        secrets.withLock { if !$0.contains(secret) { $0.append(secret) } }
    }

    /// In which form one of the secrets stands in `text`; nil when none does.
    func form(in text: [UInt8]) -> String? {
        guard !text.isEmpty else { return nil }
        for secret in secrets.withLock({ $0 }) {
            let found = secret.withUnsafeBytes { bytes in
                Self.forms(Array(bytes)).first { Self.holds(text, $0.bytes) }?.name
            }
            if let found { return found }
        }
        return nil
    }

    private static func forms(_ secret: [UInt8]) -> [(name: String, bytes: [UInt8])] {
        let base64 = Data(secret).base64EncodedString().prefix { $0 != "=" }
        let digits = Array("0123456789abcdef".utf8)
        let hexadecimal = secret.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        return [("as it is", secret), ("as Base64", Array(base64.utf8)), ("as hexadecimal digits", hexadecimal)]
            + escaped(secret).map { ("as a JSON string", $0) }
    }

    /// As a JSON string writes it, where that is another text.
    private static func escaped(_ secret: [UInt8]) -> [[UInt8]] {
        guard let json = try? JSONEncoder().encode(String(decoding: secret, as: UTF8.self)) else { return [] }
        let inner = Array(json.dropFirst().dropLast())
        return inner == secret ? [] : [inner]
    }

    private static func holds(_ text: [UInt8], _ part: [UInt8]) -> Bool {
        guard let first = part.first, part.count <= text.count else { return false }
        return text.withUnsafeBufferPointer { text in
            part.withUnsafeBufferPointer { part in
                var start = 0
                while start <= text.count - part.count {
                    guard let next = text[start...].firstIndex(of: first), next <= text.count - part.count else {
                        return false
                    }
                    if text[next..<(next + part.count)].elementsEqual(part) { return true }
                    start = next + 1
                }
                return false
            }
        }
    }
}
