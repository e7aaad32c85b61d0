import PasskeySignatures
import Testing
import WebAuthnValues

struct PublicKeyTests {
    /// RFC 6979, appendix A.2.5: P-256 with SHA-256 over “sample”.
    private static let x = bytes("60FED4BA255A9D31C961EB74C6356D68C049B8923B61FA6CE669622E60F29FB6")
    private static let y = bytes("7903FE1008B8BC99A41AE9E95628BC64F2F1B20C2D7E9F5177A3C294D4462299")
    private static let signature = bytes(
        "3046022100EFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716"
            + "022100F7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8")
    private static let message = Array("sample".utf8)
    private static let key = PublicKey.p256(x: x, y: y)

    @Test func takesTheSignatureOfTheKey() {
        #expect(Self.key.isSignature(Self.signature, of: Self.message))
    }

    @Test func refusesAnotherMessageKeyOrSignature() {
        #expect(!Self.key.isSignature(Self.signature, of: Array("other".utf8)))
        #expect(!PublicKey.p256(x: Self.y, y: Self.x).isSignature(Self.signature, of: Self.message))
        var changed = Self.signature
        changed[20] ^= 1
        #expect(!Self.key.isSignature(changed, of: Self.message))
        #expect(!Self.key.isSignature([], of: Self.message))
        #expect(!PublicKey.p256(x: [], y: Self.y).isSignature(Self.signature, of: Self.message))
    }

    /// RFC 8032, section 7.1, tests 1 and 2.
    @Test(arguments: [
        (
            "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
            "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46b"
                + "d25bf5f0595bbe24655141438e7a100b"
        ),
        (
            "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72",
            "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c"
                + "387b2eaeb4302aeeb00d291612bb0c00"
        ),
    ])
    func takesTheSignaturesOfEd25519(key: String, message: String, signature: String) {
        let key = PublicKey.ed25519(bytes(key))
        #expect(key.isSignature(bytes(signature), of: bytes(message)))
        #expect(!key.isSignature(bytes(signature), of: bytes(message) + [0]))
        #expect(!key.isSignature(Array(bytes(signature).dropLast()), of: bytes(message)))
    }

    @Test func keysThatAreNoneVerifyNothing() {
        let keys: [PublicKey] = [
            .p256(x: Self.x, y: Self.x), .ed25519([1]), .rsa(modulus: [1], exponent: [3]),
            .rsa(modulus: [UInt8](repeating: 0xFF, count: 1025), exponent: [3]),
            .rsa(modulus: [UInt8](repeating: 0xFF, count: 256), exponent: []),
        ]
        for key in keys {
            #expect(!key.isSignature(Self.signature, of: Self.message))
            #expect(key.subjectPublicKeyInfo == nil)
        }
    }

    /// Written by hand from RFC 5480 and RFC 8410: two algorithm identifiers, and the key as a bit string.
    @Test func pagesGetTheKeyInDER() {
        let p256 = bytes("3059301306072A8648CE3D020106082A8648CE3D03010703420004") + Self.x + Self.y
        #expect(Self.key.subjectPublicKeyInfo == p256)
        let ed25519 = bytes("302A300506032B6570032100") + Self.x
        #expect(PublicKey.ed25519(Self.x).subjectPublicKeyInfo == ed25519)
    }
}

/// Bytes from hexadecimal digits.
func bytes(_ digits: String) -> [UInt8] {
    let values = digits.compactMap(\.hexDigitValue)
    return stride(from: 0, to: values.count, by: 2).map { UInt8(values[$0] * 16 + values[$0 + 1]) }
}
