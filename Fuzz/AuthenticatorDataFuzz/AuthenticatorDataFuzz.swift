import FoundationEssentials
import PasskeySignatures

/// The law: what a provider under test sends as authenticator data, or as an attestation object, is taken apart or
/// refused; and what was taken apart from an object is what its bytes alone say.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzAuthenticatorData(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let data = Data(UnsafeBufferPointer(start: start, count: count))
    if let read = AuthenticatorData(data) { precondition(read.relyingPartyHash.count == 32) }
    if let value = CBORReader.value(in: data), let inside = AuthenticatorData.inAttestationObject(data) {
        guard case .map(let map) = value, case .bytes(let bytes) = map[.text("authData")] else {
            preconditionFailure("authenticator data from nowhere")
        }
        precondition(AuthenticatorData(Data(bytes)) == inside)
    }
    return 0
}
