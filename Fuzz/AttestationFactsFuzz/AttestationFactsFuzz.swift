import Authenticator
import FoundationEssentials

@testable import AutoFillBroker

/// The law: where the broker and the strict reader of the authenticator both read an attestation, they read the same
/// of it; and the broker reads every one that the authenticator would write.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzAttestationFacts(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    let facts = AttestationFacts(Data(bytes))
    if let object = try? AttestationObject(bytes) {
        let data = object.authenticatorData
        precondition(facts?.flags == data.flags.rawValue, "flags read in two ways")
        precondition(facts.map { [UInt8]($0.relyingPartyHash) } == data.relyingPartyHash, "hash read in two ways")
        precondition(facts?.credentialID.map { [UInt8]($0) } == data.credential?.identifier, "ID read in two ways")
    }
    return 0
}
