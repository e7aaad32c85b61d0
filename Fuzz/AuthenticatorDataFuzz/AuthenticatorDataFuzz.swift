import PasskeySignatures
import WebAuthnValues

/// The law: authenticator data, and attestation objects, are taken apart or refused; what was taken apart is put
/// together again byte for byte, and its key, if it is one, verifies or refuses.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzAuthenticatorData(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    if let data = try? AuthenticatorData(bytes) { precondition(data.bytes == bytes) }
    if let object = try? AttestationObject(bytes) {
        precondition(object.bytes == bytes)
        if let key = object.authenticatorData.credential?.publicKey {
            precondition(!key.isSignature([], of: bytes))
        }
    }
    return 0
}
