import WebAuthnValues

/// The law: what is read as CBOR is canonical, so it is written back byte for byte; what is read from its start alone
/// is the same value.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzCBOR(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    if let (value, length) = try? CBORDecoder.first(in: bytes[...]) {
        precondition(value.encoded == Array(bytes[..<length]))
        precondition((try? CBORDecoder.value(in: bytes[..<length])) == value)
    }
    return 0
}
