import Foundation
import KeywayCrypto
import PasskeySignatures

extension AuthenticatedCipher {
    /// Seals `message`; region by region, so that no second copy of it is left behind.
    func seal(
        _ message: some DataProtocol, under key: SymmetricKey, nonce: [UInt8], authenticating data: some DataProtocol
    ) throws(CryptoKitError) -> (ciphertext: Data, tag: Data) {
        let run = try begin(under: key, nonce: nonce, isSealing: true, authenticating: data)
        var ciphertext = Data(count: message.count)
        try run.update(message, into: &ciphertext)
        let tag = try orThrow(.refused) { () throws(PasskeySignatureError) in try run.seal() }
        return (ciphertext, Data(tag))
    }

    /// Opens what was sealed; what was decrypted is wiped where the tag does not fit.
    func open(
        _ ciphertext: Data, tag: Data, under key: SymmetricKey, nonce: [UInt8], authenticating data: some DataProtocol
    ) throws(CryptoKitError) -> Data {
        let run = try begin(under: key, nonce: nonce, isSealing: false, authenticating: data)
        var message = Data(count: ciphertext.count)
        try run.update(ciphertext, into: &message)
        guard tag.withUnsafeBytes({ run.open(tag: $0) }) else {
            message.withUnsafeMutableBytes { wipe($0) }
            throw .authenticationFailure
        }
        return message
    }

    private func begin(
        under key: SymmetricKey, nonce: [UInt8], isSealing: Bool, authenticating data: some DataProtocol
    ) throws(CryptoKitError) -> CipherRun {
        guard takesKeys(of: key.bytes.count) else { throw .incorrectKeySize }
        let run = try orThrow(.refused) { () throws(PasskeySignatureError) in
            try nonce.lend { (nonce) throws(PasskeySignatureError) in
                try CipherRun(self, key: key.bytes, nonce: nonce, isSealing: isSealing)
            }
        }
        for region in data.regions {
            guard region.withUnsafeBytes({ (try? run.authenticate($0)) != nil }) else { throw .refused }
        }
        return run
    }
}

extension CipherRun {
    /// Encrypts or decrypts all of `bytes` into `output`, which is as long.
    fileprivate func update(_ bytes: some DataProtocol, into output: inout Data) throws(CryptoKitError) {
        let isDone = output.withUnsafeMutableBytes { room in
            var position = 0
            return bytes.regions.allSatisfy { region in
                region.withUnsafeBytes { part in
                    let target = room.baseAddress.map { $0 + position }
                    position += part.count
                    return part.isEmpty || (try? update(part, into: target)) != nil
                }
            }
        }
        guard isDone else { throw .refused }
    }
}
