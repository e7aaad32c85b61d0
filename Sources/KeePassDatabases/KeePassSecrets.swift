import KeywayCrypto

/// The keys of one file, of what the person has and of the file's seed.
struct KeePassSecrets {
    /// What the content is encrypted with.
    let encryption: SecretBytes
    /// What each code is made with, in version 4.
    private let authentication: SecretBytes

    /// How long a code is, in bytes.
    static let codeCount = 32

    init(derived: SecretBytes, seed: [UInt8]) {
        encryption = Hash.sha256 {
            $0.add(seed)
            $0.add(derived)
        }
        authentication = Hash.sha512 {
            $0.add(seed)
            $0.add(derived)
            $0.add([1])
        }
    }

    /// The code of a header.
    func code(ofHeader header: UnsafeRawBufferPointer) -> SecretBytes {
        MessageAuthentication.hmacSHA256(header, key: key(UInt64.max))
    }

    /// The code of a block: over its number, its length and what is in it.
    func code(ofBlock number: UInt64, _ block: UnsafeRawBufferPointer) -> SecretBytes {
        (number.littleEndianBytes + UInt32(block.count).littleEndianBytes).withUnsafeBytes {
            MessageAuthentication.hmacSHA256(of: [$0, block], key: key(number))
        }
    }

    private func key(_ number: UInt64) -> SecretBytes {
        Hash.sha512 {
            $0.add(number.littleEndianBytes)
            $0.add(authentication)
        }
    }
}
