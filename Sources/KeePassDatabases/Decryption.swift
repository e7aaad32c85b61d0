import KeywayCrypto
import OtherCiphers

/// Decrypts content piece by piece, and takes away the filling at its end.
final class Decryption: ContentSink {
    private let stream: CipherStream
    private let blockCount: Int
    private let next: any ContentSink
    /// What was encrypted and not yet handed on: less than a block, and in ciphers with blocks the last one.
    private let waiting = SecretBuffer(capacity: Decryption.pieceCount + 64)
    /// How much is decrypted at once, in bytes.
    private static let pieceCount = 1 << 16

    init(_ cipher: OtherCipher, key: SecretBytes, vector: [UInt8], to next: any ContentSink) throws(KeePassError) {
        do throws(OtherCipherError) {
            stream = try CipherStream(cipher, key: key, vector: vector)
        } catch {
            throw KeePassError(error)
        }
        (blockCount, self.next) = (cipher.blockCount, next)
    }

    func take(_ bytes: UnsafeRawBufferPointer) throws(KeePassError) {
        for start in stride(from: 0, to: bytes.count, by: Self.pieceCount) {
            waiting.append(UnsafeRawBufferPointer(rebasing: bytes[start..<min(start + Self.pieceCount, bytes.count)]))
            // The last block stays until it is known whether it is the last of all.
            let ready = blockCount == 1 ? waiting.count : max(0, waiting.count - 1) / blockCount * blockCount
            try handOn(ready)
        }
    }

    private func handOn(_ count: Int) throws(KeePassError) {
        let rest = waiting.withUnsafeBytes { SecretBytes(copying: UnsafeRawBufferPointer(rebasing: $0[count...])) }
        waiting.removeLast(rest.count)
        try decrypt()
        try waiting.withUnsafeBytes { (bytes) throws(KeePassError) in try next.take(bytes) }
        waiting.removeAll()
        waiting.append(rest)
    }

    private func decrypt() throws(KeePassError) {
        var failure: OtherCipherError?
        waiting.rewriteLast(waiting.count) { bytes in
            do throws(OtherCipherError) { try stream.decrypt(bytes) } catch { failure = error }
            return bytes.count
        }
        if let failure { throw KeePassError(failure) }
    }

    func end() throws(KeePassError) {
        if blockCount > 1 {
            guard waiting.count == blockCount else { throw .cut }
            try decrypt()
            // PKCS #7: as many bytes as are missing, each of which says how many.
            let filling = waiting.withUnsafeBytes { block in
                block.suffix(Int(block[blockCount - 1])).allSatisfy { $0 == block[blockCount - 1] }
                    ? Int(block[blockCount - 1]) : 0
            }
            guard (1...blockCount).contains(filling) else { throw .damaged }
            waiting.removeLast(filling)
            try waiting.withUnsafeBytes { (bytes) throws(KeePassError) in try next.take(bytes) }
        }
        try next.end()
    }
}
