import CNSS
import Glibc
import Importing
import KeywayCrypto
import SecretDocuments

/// The keys of a profile of Firefox, which NSS has in `key4.db`; the only door to it. For one profile in a process.
final class FirefoxKeys {
    private static let file = "key4.db"
    private let keys: [OpaquePointer]

    /// Opens the keys, without changing anything in the profile.
    ///
    /// - Parameter password: the primary password; nil where none is known.
    /// - Throws: ``ImportError``: `needsPassword`, `wrongPassword`, `damaged`, `failed`.
    init(profile: ProfileFolder, password: SecretBytes?) throws(ImportError) {
        guard profile.hasFile(Self.file) else {
            throw ImportError(.damaged, "the profile has no \(Self.file) with the keys of its passwords")
        }
        // It would measure how fast the folder is, with files of its own.
        setenv("NSS_SDB_USE_CACHE", "no", 1)
        let flags = UInt32(NSS_INIT_READONLY | NSS_INIT_NOMODDB | NSS_INIT_NOROOTINIT)
        let status = NSS_Initialize("sql:/proc/self/fd/\(profile.descriptor)", "", "", "secmod.db", flags)
        guard status == SECSuccess, let slot = PK11_GetInternalKeySlot() else {
            throw ImportError(.damaged, "\(Self.file) in the profile can't be read")
        }
        defer { PK11_FreeSlot(slot) }
        try Self.unlock(slot, password)
        var (keys, next) = ([OpaquePointer](), PK11_ListFixedKeysInSlot(slot, nil, nil))
        while let key = next {
            keys.append(key)
            next = PK11_GetNextSymKey(key)
        }
        self.keys = keys
        guard !keys.isEmpty else { throw ImportError(.damaged, "\(Self.file) in the profile has no key for passwords") }
    }

    deinit {
        for key in keys { PK11_FreeSymKey(key) }
    }

    private static func unlock(_ slot: OpaquePointer, _ password: SecretBytes?) throws(ImportError) {
        guard PK11_NeedLogin(slot) != 0, PK11_CheckUserPassword(slot, "") != SECSuccess else { return }
        guard let password else { throw ImportError(.needsPassword, "Firefox has a primary password") }
        // As text of C, which ends with a zero.
        let line = SecretBytes(count: password.count + 1) { room in
            password.withUnsafeBytes { UnsafeMutableRawBufferPointer(rebasing: room.dropLast()).copyMemory(from: $0) }
        }
        let isRight = line.withUnsafeBytes {
            PK11_CheckUserPassword(slot, $0.assumingMemoryBound(to: CChar.self).baseAddress) == SECSuccess
        }
        guard isRight else { throw ImportError(.wrongPassword, "the primary password is wrong") }
    }

    /// Decrypts a text of `logins.json`; nil where it is none, or no key fits.
    func open(_ text: SecretText) -> SecretBytes? {
        guard let login = EncryptedLogin(base64: text) else { return nil }
        return keys.lazy.filter { PK11_GetKeyLength($0) == login.cipher.keyCount }.compactMap { Self.open(login, $0) }
            .first
    }

    private static func open(_ login: EncryptedLogin, _ key: OpaquePointer) -> SecretBytes? {
        let mechanism = login.cipher == .tripleDES ? CKM_DES3_CBC : CKM_AES_CBC
        var vector = login.vector
        return vector.withUnsafeMutableBufferPointer { vector in
            var parameter = SECItem(type: siBuffer, data: vector.baseAddress, len: UInt32(vector.count))
            let blocks = SecretBytes(upTo: login.message.count) { room in
                var count: UInt32 = 0
                let status = PK11_Decrypt(
                    key, CK_MECHANISM_TYPE(mechanism), &parameter,
                    room.assumingMemoryBound(to: UInt8.self).baseAddress, &count, UInt32(room.count), login.message,
                    UInt32(login.message.count))
                return status == SECSuccess ? Int(count) : 0
            }
            return blocks.withUnsafeBytes { unpadded($0, login.cipher.blockCount) }
        }
    }

    /// Without the padding of PKCS #7; nil where that is wrong.
    static func unpadded(_ blocks: UnsafeRawBufferPointer, _ blockCount: Int) -> SecretBytes? {
        guard let last = blocks.last, (1...blockCount).contains(Int(last)), Int(last) <= blocks.count,
            blocks.suffix(Int(last)).allSatisfy({ $0 == last })
        else { return nil }
        return SecretBytes(copying: UnsafeRawBufferPointer(rebasing: blocks.dropLast(Int(last))))
    }
}
