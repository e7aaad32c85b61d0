import KeywayCrypto
import Testing
import WebAuthnValues

@testable import PasskeySignatures

struct PrivateKeyTests {
    /// Gives the bytes that it was told to give.
    private final class Fixed: RandomSource, @unchecked Sendable {
        // SAFETY: used by one test, in one thread.
        private var values: [[UInt8]]
        init(_ values: [[UInt8]]) { self.values = values }
        func fill(_ buffer: UnsafeMutableRawBufferPointer) { buffer.copyBytes(from: values.removeFirst()) }
    }

    private static let order = bytes("FFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551")
    private static let message = Array("sample".utf8)

    @Test(arguments: SignatureAlgorithm.allCases)
    func signsWhatItsPublicKeyVerifies(algorithm: SignatureAlgorithm) throws {
        let key = try PrivateKey.make(algorithm, random: SystemRandomSource())
        #expect(key.algorithm == algorithm)
        let signature = try key.sign(Self.message)
        #expect(key.publicKey.isSignature(signature, of: Self.message))
        #expect(!key.publicKey.isSignature(signature, of: []))
        let other = try PrivateKey.make(algorithm, random: SystemRandomSource())
        #expect(!other.publicKey.isSignature(signature, of: Self.message))
        if case .rsa(let modulus, let exponent) = key.publicKey {
            #expect(modulus.count == 256)
            #expect(exponent == [1, 0, 1])
        }
    }

    @Test(arguments: SignatureAlgorithm.allCases)
    func anEncodedKeyIsTheSameKey(algorithm: SignatureAlgorithm) throws {
        let key = try PrivateKey.make(algorithm, random: SystemRandomSource())
        let again = try PrivateKey(key.encoded)
        #expect(again.publicKey == key.publicKey)
        #expect(key.publicKey.isSignature(try again.sign(Self.message), of: Self.message))
    }

    /// RFC 6979, appendix A.2.5; RFC 8032, section 7.1, test 2.
    @Test func knowsThePublicHalf() throws {
        let scalar = SecretBytes(copying: bytes("C9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721"))
        let x = bytes("60FED4BA255A9D31C961EB74C6356D68C049B8923B61FA6CE669622E60F29FB6")
        let y = bytes("7903FE1008B8BC99A41AE9E95628BC64F2F1B20C2D7E9F5177A3C294D4462299")
        #expect(try PrivateKey(p256: scalar).publicKey == .p256(x: x, y: y))
        let seed = SecretBytes(copying: bytes("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb"))
        let key = try PrivateKey(ed25519: seed)
        #expect(
            key.publicKey
                == .ed25519(bytes("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c")))
        #expect(
            try key.sign([0x72])
                == bytes(
                    "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c"
                        + "387b2eaeb4302aeeb00d291612bb0c00"))
    }

    /// A key of P-256 without its public point, which libcrypto reads and completes.
    @Test func whatIsReadHereIsWhatLibcryptoReads() throws {
        for _ in 0..<16 {
            let key = try PrivateKey.make(.es256, random: SystemRandomSource())
            #expect(PrivateKey.openP256(key.encoded) != nil)
            let number = key.encoded.withUnsafeBytes { Array($0[36..<68]) }
            let header = bytes("3041020100301306072a8648ce3d020106082a8648ce3d030107042730250201010420")
            let bare = SecretBytes(copying: header + number)
            #expect(PrivateKey.openP256(bare) == nil)
            let theirs = try PrivateKey(bare)
            #expect(theirs.publicKey == key.publicKey)
            #expect(theirs.publicKey.isSignature(try key.sign(Self.message), of: Self.message))
            #expect(key.publicKey.isSignature(try theirs.sign(Self.message), of: Self.message))
        }
    }

    @Test func aPointOfAnotherNumberAndANumberOutsideOfTheGroupAreNotReadHere() throws {
        let (one, other) = try (
            PrivateKey.make(.es256, random: SystemRandomSource()), PrivateKey.make(.es256, random: SystemRandomSource())
        )
        let (first, second) = (
            one.encoded.withUnsafeBytes { Array($0) }, other.encoded.withUnsafeBytes { Array($0) }
        )
        #expect(PrivateKey.openP256(SecretBytes(copying: Array(first[..<73]) + second[73...])) == nil)
        // The order of the group, and the number one, have the same point after a division.
        var key = try PrivateKey(p256: SecretBytes(copying: [UInt8](repeating: 0, count: 31) + [1])).encoded
            .withUnsafeBytes { Array($0) }
        #expect(PrivateKey.openP256(SecretBytes(copying: key)) != nil)
        key.replaceSubrange(36..<68, with: Array(Self.order[..<31]) + [Self.order[31] + 1])
        #expect(PrivateKey.openP256(SecretBytes(copying: key)) == nil)
    }

    @Test func numbersOutsideOfTheGroupAreDrawnAgain() throws {
        let one = [UInt8](repeating: 0, count: 31) + [1]
        let random = Fixed([
            Self.order, [UInt8](repeating: 0, count: 32), [UInt8](repeating: 0xFF, count: 32), one,
        ])
        let key = try PrivateKey.make(.es256, random: random)
        #expect(key.publicKey == (try PrivateKey(p256: SecretBytes(copying: one)).publicKey))
    }

    @Test(arguments: [
        order, [UInt8](repeating: 0, count: 32), [UInt8](repeating: 1, count: 31), [UInt8](repeating: 1, count: 33), [],
    ])
    func refusesNumbersThatAreNoKeys(scalar: [UInt8]) {
        #expect(throws: PasskeySignatureError(.malformedKey, "")) {
            try PrivateKey(p256: SecretBytes(copying: scalar))
        }
    }

    @Test func theLastNumberOfTheGroupIsAKey() throws {
        var last = Self.order
        last[31] -= 1
        #expect(throws: Never.self) { try PrivateKey(p256: SecretBytes(copying: last)) }
    }

    @Test func refusesSeedsOfAnotherLength() {
        #expect(throws: PasskeySignatureError(.malformedKey, "")) {
            try PrivateKey(ed25519: SecretBytes(copying: [1]))
        }
    }

    /// Cut off, or followed by something: no key. With a bit turned: no key, or another, and never a crash.
    @Test(arguments: [SignatureAlgorithm.es256, .edDSA])
    func refusesWhatIsDamaged(algorithm: SignatureAlgorithm) throws {
        let key = try PrivateKey.make(algorithm, random: SystemRandomSource())
        let whole = key.encoded.withUnsafeBytes { Array($0) }
        for count in whole.indices {
            #expect(throws: PasskeySignatureError(.malformedKey, "")) {
                try PrivateKey(SecretBytes(copying: Array(whole[..<count])))
            }
        }
        #expect(throws: PasskeySignatureError(.malformedKey, "")) {
            try PrivateKey(SecretBytes(copying: whole + [0]))
        }
        for index in whole.indices {
            var changed = whole
            changed[index] ^= 1
            guard let damaged = try? PrivateKey(SecretBytes(copying: changed)) else { continue }
            _ = try? damaged.sign(Self.message)
        }
    }

    /// PKCS #8 of keys that libcrypto knows and passkeys do not use: P-384, X25519, and RSA of 512 bits.
    @Test(arguments: [
        "3081b6020100301006072a8648ce3d020106052b8104002204819e30819b0201010430" + String(repeating: "01", count: 48),
        "302e020100300506032b656e04220420" + String(repeating: "01", count: 32),
    ])
    func refusesOtherKeys(digits: String) {
        #expect(throws: (any Error).self) { try PrivateKey(SecretBytes(copying: bytes(digits))) }
    }

    @Test func errorsAndKeysShowNothing() throws {
        let key = try PrivateKey.make(.es256, random: SystemRandomSource())
        #expect("\(key.encoded)".contains("redacted"))
    }
}
