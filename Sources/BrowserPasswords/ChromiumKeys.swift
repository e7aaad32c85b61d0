import KeywayCrypto
import PasskeySignatures

/// The keys under which a browser of Chromium's family encrypts passwords on Linux: AES-128 in CBC, from PBKDF2 with one
/// round (`components/os_crypt` in its source).
struct ChromiumKeys {
    /// Why a value could not be decrypted.
    enum Obstacle: Error, Hashable {
        /// Its key is in the login keyring, and not here.
        case keyInKeyring
        /// It is encrypted in a way that is not known.
        case unknownWay
        /// It doesn't decrypt to text.
        case damaged
    }

    private let fixed: SecretBytes?
    private let ofKeyring: [SecretBytes]
    private let hasKeyring: Bool

    /// Keys, of which those of the login keyring come a line each.
    init(lines: SecretBytes?) {
        fixed = Self.key(SecretBytes(copying: Array("peanuts".utf8)))
        let secrets = lines.map(Self.split) ?? []
        hasKeyring = !secrets.isEmpty
        // Some versions used an empty password while the keyring was locked.
        ofKeyring = (secrets + [SecretBytes(copying: [])]).compactMap(Self.key)
    }

    /// Decrypts a value. One without a version was never encrypted.
    func open(_ value: UnsafeRawBufferPointer) throws(Obstacle) -> SecretBytes {
        let text = UnsafeRawBufferPointer(rebasing: value.dropFirst(3))
        switch String(decoding: value.prefix(3), as: UTF8.self) {
        case "v10":
            guard let found = Self.first([fixed].compactMap { $0 }, text) else { throw .damaged }
            return found
        case "v11":
            guard let found = Self.first(ofKeyring, text) else { throw hasKeyring ? .damaged : .keyInKeyring }
            return found
        case let version where version.first == "v" && version.dropFirst().allSatisfy(\.isNumber) && version.count == 3:
            throw .unknownWay
        default:
            guard String(validating: value, as: UTF8.self) != nil else { throw .damaged }
            return SecretBytes(copying: value)
        }
    }

    /// What the first key that fits makes of a value: the padding is right, and it is text.
    private static func first(_ keys: [SecretBytes], _ text: UnsafeRawBufferPointer) -> SecretBytes? {
        let vector = [UInt8](repeating: 0x20, count: 16)
        for key in keys {
            let opened = vector.withUnsafeBytes { vector in try? ChainedCipher.open(text, key: key, vector: vector) }
            guard let opened else { continue }
            if opened.withUnsafeBytes({ Unicode.isText($0) }) { return opened }
        }
        return nil
    }

    private static func key(_ password: SecretBytes) -> SecretBytes? {
        Array("saltysalt".utf8).withUnsafeBytes { salt in
            try? HashAlgorithm.sha1.passwordKey(password, salt: salt, rounds: 1, count: 16)
        }
    }

    private static func split(_ lines: SecretBytes) -> [SecretBytes] {
        lines.withUnsafeBytes { bytes in
            bytes.split(separator: UInt8(ascii: "\n")).map {
                SecretBytes(copying: UnsafeRawBufferPointer(rebasing: $0))
            }
        }
    }
}
