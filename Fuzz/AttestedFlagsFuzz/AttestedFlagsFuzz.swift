import Authenticator
import FoundationEssentials

@testable import AutoFillBroker

/// The law: where the broker and the strict reader of the authenticator both read an attestation, they read the same
/// flags; and the broker reads every one that the authenticator would write.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzAttestedFlags(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    let flags = AttestedFlags.read(Data(bytes))
    if let object = try? AttestationObject(bytes) {
        precondition(flags == object.authenticatorData.flags.rawValue, "read in two ways")
    }
    return 0
}
