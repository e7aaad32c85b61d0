import KeywayCrypto
import KeywaySQLite
import ServiceMatching

@testable import IdentityIndex

private let key = SecretKey(SecretBytes(copying: [UInt8](repeating: 7, count: SecretKey.count)))
private let suffixes = PublicSuffixes()

/// What an opened row holds is an identity or nothing: one that is read is written back byte for byte, up to the zeros
/// behind it, and has a name and places. What was not sealed opens as nothing.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzIdentityRecords(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = UnsafeRawBufferPointer(start: start, count: count)
    let keys = IdentityKeys(storeKey: key, provider: "fuzz", salt: [])
    precondition(SealedRows(keys: keys).open(bytes, as: "proof") == nil, "nobody sealed this")
    guard let record = IdentityRecord(decoding: bytes) else { return 0 }
    let written = record.encoded(padded: false)
    precondition(bytes.starts(with: written), "written back as something else")
    precondition(bytes.dropFirst(written.count).allSatisfy { $0 == 0 }, "something behind it")
    let padded = record.encoded()
    precondition(padded.count % 32 == 0 && padded.starts(with: written))
    precondition(padded.withUnsafeBytes { IdentityRecord(decoding: $0) } == record, "read as something else")
    precondition(keys.name(of: record.identity).count == IdentityKeys.nameCount)
    _ = keys.places(of: record.identity, suffixes: suffixes)
    return 0
}
